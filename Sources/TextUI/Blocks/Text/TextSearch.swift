/// A search within a text: for one of some words, and where they are. Case and accents make no difference.
///
/// Places are looked for from an origin on to the text's end, and then from its start, in slices: a text of 100 MB never
/// keeps a key waiting. Places do not overlap.
public struct TextSearch: Hashable, Sendable {
  /// More places than this are not looked for.
  public static let mostPlaces = 100_000

  /// A slice of the text. Looking through it takes some milliseconds.
  static let slice = 1 << 20
  private static let window = 64 << 10

  /// The words that are sought, folded.
  private let needles: [[UInt8]]
  /// Where the search began.
  public let origin: Int
  /// Places before the origin, and behind it.
  private var before: [Range<Int>] = []
  private var behind: [Range<Int>] = []
  /// Where the next slice begins.
  private var next: Int
  private var isBefore = false
  /// Whether all of the text has been looked through, or enough was found.
  public private(set) var isOver: Bool
  /// The place that is shown.
  public internal(set) var found: Range<Int>?

  /// A search for any of some words that has looked at nothing yet.
  public init(_ words: [String], from origin: Int = 0) {
    self.init(needles: words.map { FoldedText(Array($0.utf8)).bytes }.filter { !$0.isEmpty }, from: origin)
  }

  /// The same search from another place.
  public init(like other: TextSearch, from origin: Int) { self.init(needles: other.needles, from: origin) }

  private init(needles: [[UInt8]], from origin: Int) {
    self.needles = needles
    self.origin = origin
    next = origin
    isOver = needles.isEmpty
  }

  /// How many places are known.
  public var count: Int { before.count + behind.count }

  /// Whether there are more places than are known.
  public var isCut: Bool { count >= Self.mostPlaces }

  /// The number of the place that is shown, the first being 1; nil while places before it may be unknown.
  public var number: Int? {
    guard isOver, isBefore || origin == 0, let found else { return nil }
    return index(at: found.lowerBound) + 1
  }

  subscript(index: Int) -> Range<Int> {
    index < before.count ? before[index] : behind[index - before.count]
  }

  /// The first known place that ends behind an offset.
  func index(at offset: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Known places that touch a part of the text.
  func places(in part: Range<Int>) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var index = index(at: part.lowerBound)
    while index < count, self[index].lowerBound < part.upperBound {
      places.append(self[index])
      index += 1
    }
    return places
  }

  /// Looks through the next slice.
  mutating func lookOn(in text: TextBuffer) {
    var left = Self.slice
    while left > 0, !isOver {
      let end = isBefore ? min(origin, text.count) : text.count
      let window = min(Self.window, left, end - next)
      if window > 0 {
        look(at: next..<(next + window), of: text)
        left -= window
      }
      if isCut {
        isOver = true
      } else if next >= end {
        isOver = isBefore || origin == 0
        (isBefore, next) = (true, 0)
      }
    }
    if found == nil { found = behind.first ?? before.first }
  }

  private mutating func look(at part: Range<Int>, of text: TextBuffer) {
    // A place may reach beyond the part, and is longer than the needle by its accents.
    let longest = needles.reduce(0) { max($0, $1.count) }
    let folded = FoldedText(text.bytes(in: part.lowerBound..<(part.upperBound + longest * 4 + 64)))
    let searches = needles.map(ByteSearch.init)
    next = part.upperBound
    folded.bytes.withUnsafeBufferPointer { bytes in
      var from = 0
      var hits = searches.map { $0.first(in: bytes, from: 0, to: bytes.count) ?? .max }
      while !isCut {
        var first = 0
        for index in hits.indices where hits[index] < hits[first] { first = index }
        let hit = hits[first]
        guard hit < .max else { return }
        from = hit + searches[first].needle.count
        for index in hits.indices where hits[index] < from {
          hits[index] = searches[index].first(in: bytes, from: from, to: bytes.count) ?? .max
        }
        let start = part.lowerBound + folded.place(of: hit)
        guard start < part.upperBound else { return }
        let place = start..<(part.lowerBound + folded.place(of: from))
        if isBefore { before.append(place) } else { behind.append(place) }
        next = max(next, place.upperBound)
      }
    }
  }
}

extension TextReader {
  /// What looking for another place came to.
  public enum Finding: Hashable, Sendable {
    /// The place is shown.
    case shown
    /// The place is shown; it was reached around the text's end or start.
    case wrapped
    /// There is none.
    case none
    /// Not all of the text has been looked through.
    case pending
  }

  /// Looks for words from an offset on, in the first slice of the text, and shows the first place. Without words, and as
  /// long as there is no place, the row of the offset is on top.
  public mutating func find(_ words: String, from origin: Int) {
    scroll(to: origin)
    search = words.isEmpty ? nil : TextSearch([words], from: top)
    findOn()
  }

  /// Looks for any of some words from the start of a line on, and shows the first place.
  public mutating func find(anyOf words: [String], fromLine line: Int) {
    let start = text.start(ofLine: line)
    show(start)
    search = TextSearch(words, from: start)
    findOn()
  }

  /// Looks for what was sought in an older text, and stays where it is.
  public mutating func find(as old: TextReader) {
    let top = self.top
    search = old.search.map { TextSearch(like: $0, from: top) }
    findOn()
    scroll(to: top)
  }

  /// Looks through the next slice of the text, as long as the search is not over.
  public mutating func findOn() {
    guard search?.isOver == false else { return }
    let isFirst = search?.found == nil
    search?.lookOn(in: text)
    if isFirst, let found = search?.found { show(found.lowerBound) }
  }

  /// Forgets what was sought.
  public mutating func endSearch() { search = nil }

  /// Shows the next place or the one before, going round at the ends.
  public mutating func find(forward: Bool) -> Finding {
    guard let search, let found = search.found else { return search?.isOver == false ? .pending : .none }
    let index = search.index(at: found.lowerBound) + (forward ? 1 : -1)
    let isAround = index < 0 || index >= search.count
    if isAround, !search.isOver { return .pending }
    let place = search[(index + search.count) % search.count]
    self.search?.found = place
    show(place.lowerBound)
    return isAround ? .wrapped : .shown
  }
}
