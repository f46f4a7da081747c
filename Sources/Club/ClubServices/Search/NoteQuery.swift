public import Basics
public import FileStores

/// A search as a member types it: words, `"phrases"`, filters such as `by:ann since:7d`, and all of them negated by `-`.
///
/// A word before a colon that names no filter is a part of a plain word, as in `https://club.example`. A filter whose value
/// is of no use is left out, and `problem` says what it takes.
public struct NoteQuery: Sendable, Hashable {
  public enum Filter: String, Sendable, Hashable, CaseIterable {
    case by, since, before, `in`, tag, `is`, has

    /// Describes the values that it takes, for the sentence about another one.
    var takes: String {
      switch self {
      case .by: "a member's name, such as by:ann or by:\"Ann Lee\""
      case .since, .before:
        "7d, 2w, 3m, 1y, a year, a month such as 2026-11, a day such as 2026-11-29, today or yesterday"
      case .in: "a folder, such as in:trips; in:/ is the top"
      case .tag: "a tag, such as tag:oslo"
      case .is: "unread or pinned"
      case .has: "photo"
      }
    }

    /// Facts of a list answer the filter, without a text.
    var needsText: Bool { self == .tag || self == .has }

    /// The values that are words of the filter.
    public var values: [String] {
      switch self {
      case .since, .before: ["today", "yesterday", "7d", "2w", "3m", "1y"]
      case .is: ["unread", "pinned"]
      case .has: ["photo"]
      case .by, .in, .tag: []
      }
    }
  }

  public struct Term: Sendable, Hashable {
    public let filter: Filter
    /// As typed, without quotes.
    public let value: String
    public let isNegated: Bool
    /// The form in which it is compared (`SearchFold`).
    let folded: [UInt8]
    /// The start of the day of `since` and `before`.
    public let moment: Timestamp?
  }

  /// Longer texts are no search.
  public static let mostBytes = 16 << 10
  static let mostTerms = 200

  /// Words and phrases, all of which a note has in its name or text.
  public private(set) var words: [String] = []
  /// Words and phrases that a note has in neither.
  public private(set) var without: [String] = []
  public private(set) var terms: [Term] = []
  /// The error says which values the first wrong filter takes, or that the search is too long.
  public private(set) var problem: StoreError?

  public init(_ text: String, _ clock: QueryClock) {
    guard text.utf8.count <= NoteQuery.mostBytes else {
      problem = StoreError(
        .badInput, "The search is longer than 16 KiB.", remedy: "Search for fewer words.")
      return
    }
    var reader = QueryReader(text)
    while let part = reader.next() {
      if let filter = part.filter {
        add(filter, part, clock)
      } else if !SearchFold.folded(part.text).isEmpty {
        if part.isNegated { without.append(part.text) } else { words.append(part.text) }
      }
      guard words.count + without.count + terms.count > NoteQuery.mostTerms else { continue }
      (words, without, terms) = ([], [], [])
      problem = StoreError(
        .badInput, "The search has more than \(NoteQuery.mostTerms) words and filters.",
        remedy: "Search for fewer words.")
      return
    }
  }

  /// Words alone, as `TextFinder` splits them: nothing in them is a filter.
  public init(plain text: String) { words = text.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// The words of a search, to be marked in what it found; its tags without any.
  public static func marked(in text: String) -> [String] { NoteQuery(text, .utc).marked }

  var marked: [String] {
    words.isEmpty ? terms.filter { $0.filter == .tag && !$0.isNegated }.map { "#\($0.value)" } : words
  }

  /// True without anything to look for.
  public var isEmpty: Bool { words.isEmpty && without.isEmpty && terms.isEmpty }

  /// True if facts of the list and names do not decide without the texts.
  public var asksTexts: Bool { !without.isEmpty || terms.contains { $0.filter.needsText } }

  /// True for words alone: the search of earlier versions.
  public var isPlain: Bool { without.isEmpty && terms.isEmpty }

  /// The words of the search.
  public var finder: TextFinder { TextFinder(phrases: words, without: without) }

  private mutating func add(_ filter: Filter, _ part: QueryReader.Part, _ clock: QueryClock) {
    var value = part.text
    if filter == .tag, value.hasPrefix("#") { value.removeFirst() }
    if filter == .is, value.lowercased() == "new" { value = "unread" }
    let folded = SearchFold.folded(value)
    var moment: Timestamp?
    let isUsable: Bool
    switch filter {
    case .by, .in, .tag: isUsable = !folded.isEmpty
    case .since, .before:
      moment = clock.moment(of: value)
      isUsable = moment != nil
    case .is, .has: isUsable = filter.values.contains(value.lowercased())
    }
    guard isUsable else {
      let found = value.isEmpty ? "" : " \"\(value.prefix(40))\" is none of these."
      if problem == nil { problem = StoreError(.badInput, "\(filter.rawValue): takes \(filter.takes).\(found)") }
      return
    }
    terms.append(Term(filter: filter, value: value, isNegated: part.isNegated, folded: folded, moment: moment))
  }
}

/// Splits a search at its spaces.
struct QueryReader {
  struct Part: Equatable {
    var filter: NoteQuery.Filter?
    var isNegated: Bool
    /// A word, a phrase with single spaces, or the value of a filter.
    var text: String
  }

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  mutating func next() -> Part? {
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    guard let first = rest.first else { return nil }
    var part = Part(filter: nil, isNegated: false, text: "")
    // A minus alone is a word, and so is an option such as `--json`.
    if first == "-", let second = rest.dropFirst().first, second != "-", !second.properties.isWhitespace {
      part.isNegated = true
      rest.removeFirst()
    }
    if let colon = rest.firstIndex(where: { !$0.isASCII || !$0.properties.isAlphabetic }), rest[colon] == ":",
      let filter = NoteQuery.Filter(rawValue: String(rest[..<colon]).lowercased())
    {
      part.filter = filter
      rest = rest[rest.index(after: colon)...]
    }
    part.text = rest.first == "\"" ? phrase() : word()
    return part
  }

  private mutating func word() -> String {
    let end = rest.firstIndex { $0.properties.isWhitespace } ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  /// Up to the next quotation mark, or to the end.
  private mutating func phrase() -> String {
    rest.removeFirst()
    let end = rest.firstIndex(of: "\"") ?? rest.endIndex
    defer { rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...] }
    return String(rest[..<end]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
