internal import Basics

/// An incremental search for any of some words, without case and accents.
/// It runs from an origin to the end and then from the start, in slices: even 100 MB never delay a key. Matches do not
/// overlap.
public struct TextSearch: Hashable, Sendable {
  /// The search stops at this number.
  public static let mostPlaces = 100_000

  /// Bytes; a slice takes some milliseconds.
  static let slice = 1 << 20
  private static let window = 64 << 10

  private let needles: [[UInt8]]
  public let origin: Int
  private var before: [Range<Int>] = []
  private var behind: [Range<Int>] = []
  private var next: Int
  private var isBefore = false
  /// True once the whole text was searched, or enough was found.
  public private(set) var isOver: Bool
  public internal(set) var found: Range<Int>?

  public init(_ words: [String], from origin: Int = 0) {
    self.init(needles: words.map { SearchFold.folded($0) }.filter { !$0.isEmpty }, from: origin)
  }

  public init(like other: TextSearch, from origin: Int) { self.init(needles: other.needles, from: origin) }

  private init(needles: [[UInt8]], from origin: Int) {
    self.needles = needles
    self.origin = origin
    next = origin
    isOver = needles.isEmpty
  }

  public var count: Int { before.count + behind.count }

  public var isCut: Bool { count >= Self.mostPlaces }

  /// The current match's number from 1; nil while earlier matches may be unknown.
  public var number: Int? {
    guard isOver, isBefore || origin == 0, let found else { return nil }
    return index(at: found.lowerBound) + 1
  }

  subscript(index: Int) -> Range<Int> {
    index < before.count ? before[index] : behind[index - before.count]
  }

  /// The first known match that ends after an offset.
  func index(at offset: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Goes to the next or the previous match, and on at the other end of the text. The place is nil without one.
  mutating func step(forward: Bool) -> (finding: TextReader.Finding, place: Range<Int>?) {
    guard let found else { return (isOver ? .none : .pending, nil) }
    let index = index(at: found.lowerBound) + (forward ? 1 : -1)
    let isAround = index < 0 || index >= count
    if isAround, !isOver { return (.pending, nil) }
    let place = self[(index + count) % count]
    self.found = place
    return (isAround ? .wrapped : .shown, place)
  }

  public func places(in part: Range<Int>) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var index = index(at: part.lowerBound)
    while index < count, self[index].lowerBound < part.upperBound {
      places.append(self[index])
      index += 1
    }
    return places
  }

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

  /// The matches that begin in a part of a text, at most `mostPlaces`.
  static func places(of words: String, in part: Range<Int>, of text: TextBuffer) -> [Range<Int>] {
    var search = TextSearch([words], from: part.lowerBound)
    guard !search.isOver else { return [] }
    while search.next < part.upperBound, !search.isCut {
      search.look(at: search.next..<min(part.upperBound, search.next + window), of: text)
    }
    return search.behind
  }

  private mutating func look(at part: Range<Int>, of text: TextBuffer) {
    // A match may extend beyond the part, and accents make it longer than the needle.
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
        from = folded.end(at: hit + searches[first].needle.count)
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
  public enum Finding: Hashable, Sendable {
    case shown
    /// Shown after passing the end or the start of the text.
    case wrapped
    case none
    case pending
  }

  /// Searches the first slice from an offset and shows the first match. Without one, the offset's row is on top.
  public mutating func find(_ words: String, from origin: Int) {
    scroll(to: origin)
    search = words.isEmpty ? nil : TextSearch([words], from: top)
    findOn()
  }

  /// Searches from the start of a line and shows the first match.
  public mutating func find(anyOf words: [String], fromLine line: Int) {
    let start = text.start(ofLine: line)
    show(start)
    search = TextSearch(words, from: start)
    findOn()
  }

  /// Repeats an older text's search without scrolling.
  public mutating func find(as old: TextReader) {
    let top = self.top
    search = old.search.map { TextSearch(like: $0, from: top) }
    findOn()
    scroll(to: top)
  }

  public mutating func findOn() {
    guard search?.isOver == false else { return }
    let isFirst = search?.found == nil
    search?.lookOn(in: text)
    if isFirst, let found = search?.found { show(found.lowerBound) }
  }

  public mutating func endSearch() { search = nil }

  /// Wraps at the ends.
  public mutating func find(forward: Bool) -> Finding {
    guard let step = search?.step(forward: forward) else { return .none }
    if let place = step.place { show(place.lowerBound) }
    return step.finding
  }
}
