public import FileStores

/// The remarks on one note or photo, as its talk file has them: `walk.md.talk.md` for `walk.md`.
///
/// Nothing in the file is ever rewritten. Corrections, withdrawals and agreement are items that name a remark; only its own
/// member corrects or withdraws it. Lines that the reader does not understand are kept as they are.
public struct Talk: Sendable, Equatable {
  public struct Remark: Sendable, Hashable {
    public let item: TalkItem
    /// As corrected.
    public fileprivate(set) var text: String
    public fileprivate(set) var isCorrected = false
    public fileprivate(set) var isWithdrawn = false
    /// The members who agree, in the order of the file.
    public fileprivate(set) var agreed: [String] = []
    /// Answers lie one deeper than the answered remark.
    public fileprivate(set) var depth = 0
    /// The author of the version that brought the item; nil if unknown.
    public fileprivate(set) var author: String?
    /// Among the remarks of the file.
    public fileprivate(set) var place = 0

    /// The author, if it is another one than the item claims.
    public var bringer: String? { author == item.member ? nil : author }
    /// The name to show.
    public var claim: String { Talk.claim(of: member, broughtBy: bringer) }

    public var id: String { item.id }
    public var member: String { item.member }
    public var time: Timestamp { item.time }
    /// True if the text has `@` and the member's name.
    public func mentions(_ member: String) -> Bool {
      guard text.utf8.contains(UInt8(ascii: "@")) else { return false }
      let (text, name) = (Array(text.lowercased()), Array("@" + member.lowercased()))
      guard name.count > 1, text.count >= name.count else { return false }
      return (0...(text.count - name.count)).contains { start in
        let end = start + name.count
        guard text[start] == "@", text[start..<end].elementsEqual(name) else { return false }
        return end == text.count || !(text[end].isLetter || text[end].isNumber)
      }
    }

    /// The remark that this one answers; the file may lack it.
    public var answered: String? { if case .reply(let id) = item.aim { id } else { nil } }
  }

  /// A door as corrected: by its own member or by a rename of the panorama behind it, which any member may do.
  public struct DoorItem: Sendable, Equatable {
    public let id: String
    public let member: String
    public let time: Timestamp
    public fileprivate(set) var door: Door
    /// As that of a remark.
    public let bringer: String?
    fileprivate var isGone = false
  }

  /// Each remark is followed by its answers.
  public let remarks: [Remark]
  /// In the order of the file, without those that are withdrawn.
  public let doors: [DoorItem]
  /// Lines that are no item, and items that fit no remark.
  public let strange: [String]
  /// Items beyond `mostItems`.
  public let unread: Int
  /// A sentence with the reason why names could not be compared; nil if they were, or nobody asked for it.
  public let uncompared: String?
  /// By their ids; the first of equal ids has it.
  private let items: [String: TalkItem]

  public static let mostBytes = 4 << 20
  static let mostItems = 10_000
  static let mostDoors = 200
  /// Deeper answers are shown there.
  static let mostDepth = 8

  public static let none = Talk([])

  /// A name that a file claims, and the other member who brought it.
  public static func claim(of member: String, broughtBy bringer: String?) -> String {
    bringer.map { "\(member)? brought by \($0)" } ?? member
  }

  /// Bounded by the caller: `mostBytes`.
  /// - Parameters:
  ///   - authors: of each first line of an item, in their order; nil for an unknown one.
  ///   - failure: the error of finding the authors.
  public init(_ bytes: [UInt8], authors: [String: [String?]] = [:], failure: StoreError? = nil) {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var (items, strange, unread): ([(TalkItem, author: String?)], [String], Int) = ([], [], 0)
    var found: [String: Int] = [:]
    var place = lines.startIndex
    while place < lines.endIndex {
      let end = Talk.end(ofItemAt: place, in: lines)
      defer { place = end }
      let line = lines[place]
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix(Talk.firstWords) { continue }
      if items.count >= Talk.mostItems {
        unread += 1
      } else if let item = TalkItem(lines: lines[place..<end]) {
        var author: String?
        if let known = authors[String(line)] {
          let number = found[String(line), default: 0]
          found[String(line)] = number + 1
          author = known.indices.contains(number) ? known[number] : nil
        }
        items.append((item, author))
      } else {
        strange += lines[place..<end].map { String($0) }
      }
    }
    self.init(items, strange, unread, failure.map { "Names are not compared: \($0.message)" })
  }

  private init(
    _ items: [(item: TalkItem, author: String?)], _ others: [String], _ unread: Int = 0, _ uncompared: String? = nil
  ) {
    var (remarks, strange): ([Remark], [String]) = ([], others)
    /// The first of equal ids has it.
    var places: [String: Int] = [:]
    var known: [String: TalkItem] = [:]
    var changes: [(item: TalkItem, author: String?)] = []
    var (doors, doorPlaces): ([DoorItem], [String: Int]) = ([], [:])
    for (item, author) in items {
      if known[item.id]?.isRepeated(by: item) == true { continue }
      if known[item.id] == nil { known[item.id] = item }
      switch item.aim {
      case .correction, .withdrawal, .agreement: changes.append((item, author))
      case .whole, .direction, .words, .reply:
        if places[item.id] == nil { places[item.id] = remarks.count }
        remarks.append(Remark(item: item, text: item.text, author: author, place: remarks.count))
      case .door(let door):
        if doorPlaces[item.id] == nil { doorPlaces[item.id] = doors.count }
        let bringer = author == item.member ? nil : author
        doors.append(DoorItem(id: item.id, member: item.member, time: item.time, door: door, bringer: bringer))
      }
    }
    var agreements: Set<String> = []
    for (change, author) in changes {
      guard let target = change.target, let place = places[target] else {
        let isOfDoor = change.target.flatMap { doorPlaces[$0] }.map { doors[$0].take(change) } ?? false
        if !isOfDoor { strange.append(Talk.line(change)) }
        continue
      }
      // A known author changes what the same author brought, or what others carried on under the author's name.
      let (before, now) = (remarks[place].author, author)
      let isOwn =
        remarks[place].member == change.member && (before == nil || now == nil || before == now || now == change.member)
      switch change.aim {
      case .agreement:
        if agreements.insert("\(place) \(change.member)").inserted { remarks[place].agreed.append(change.member) }
      case .correction where isOwn: (remarks[place].text, remarks[place].isCorrected) = (change.text, true)
      case .withdrawal where isOwn: remarks[place].isWithdrawn = true
      default: strange.append(Talk.line(change))
      }
    }
    (self.remarks, self.strange, self.unread, self.items) = (Talk.threaded(remarks, places), strange, unread, known)
    self.doors = Array(doors.filter { !$0.isGone }.prefix(Talk.mostDoors))
    self.uncompared = uncompared
  }

  private static func line(_ item: TalkItem) -> String { String(item.markdown.dropLast()) }

  /// The line after an item: lines that are indented belong to it, and empty ones between such.
  private static func end(ofItemAt place: Int, in lines: [Substring]) -> Int {
    var end = place + 1
    guard lines[place].hasPrefix("- ") else { return end }
    var next = end
    while next < lines.endIndex {
      if lines[next].hasPrefix("  ") || lines[next].hasPrefix("\t") {
        end = next + 1
      } else if !lines[next].isEmpty {
        break
      }
      next += 1
    }
    return end
  }

  /// Each remark, then its answers, by their order in the file. An answer to nothing stands alone; so does one of a circle.
  private static func threaded(_ remarks: [Remark], _ places: [String: Int]) -> [Remark] {
    var answers: [Int: [Int]] = [:]
    var roots: [Int] = []
    for place in remarks.indices {
      if let parent = remarks[place].answered.flatMap({ places[$0] }), parent != place {
        answers[parent, default: []].append(place)
      } else {
        roots.append(place)
      }
    }
    var (ordered, taken): ([Remark], Set<Int>) = ([], [])
    func take(_ root: Int) {
      var open = [(root, 0)]
      while let (place, depth) = open.popLast() {
        guard taken.insert(place).inserted else { continue }
        var remark = remarks[place]
        remark.depth = min(depth, mostDepth)
        ordered.append(remark)
        open += (answers[place] ?? []).reversed().map { ($0, depth + 1) }
      }
    }
    roots.forEach(take)
    for place in remarks.indices where !taken.contains(place) { take(place) }
    return ordered
  }

  /// The remarks that are not withdrawn.
  public var count: Int { remarks.count { !$0.isWithdrawn } }

  public func item(_ id: String) -> TalkItem? { items[id] }

  public func remark(_ id: String) -> Remark? { remarks.first { $0.id == id } }

  public func door(_ id: String) -> DoorItem? { doors.first { $0.id == id } }
}

extension Talk.DoorItem {
  /// False for a change that fits no door.
  fileprivate mutating func take(_ change: TalkItem) -> Bool {
    switch change.aim {
    case .withdrawal where change.member == member: isGone = true
    case .correction:
      guard let corrected = door.corrected(change.text) else { return false }
      door = corrected
    default: return false
    }
    return true
  }
}

extension Talk {
  private static let firstWords = "# Remarks on "
  private static let ending = Array(".talk.md".utf8)

  /// The first line of a new talk file, and an empty one.
  public static func head(of thing: StorePath) -> String {
    let name = String(decoding: thing.name, as: UTF8.self).unicodeScalars.map { $0.isHostile ? "\u{FFFD}" : $0 }
    return firstWords + String(String.UnicodeScalarView(name)) + "\n\n"
  }

  public static func filePath(of thing: StorePath) -> StorePath {
    thing.parent.descending((Array(thing.name) + ending)[...])
  }

  /// - Throws: `badName` if the name is too long.
  public static func path(of thing: StorePath) throws(StoreError) -> StorePath {
    try thing.parent.appending(Array(thing.name) + ending)
  }

  /// Cheap enough for each name of a large listing.
  static func isNamed(_ path: StorePath) -> Bool {
    let bytes = path.bytes
    guard bytes.count > ending.count, bytes[bytes.count - 4] == ending[4] else { return false }
    return bytes.suffix(ending.count).elementsEqual(ending)
  }

  /// The note or photo of a talk file, by its name; nil for other files.
  public static func thing(of path: StorePath) -> StorePath? {
    guard isNamed(path), path.name.count > ending.count else { return nil }
    return path.parent.descending(path.name.dropLast(ending.count))
  }

  /// True if the file begins as talk files do.
  public static func isTalk(_ start: some Collection<UInt8>) -> Bool { start.starts(with: firstWords.utf8) }
}
