import Basics
import FileStores
import Testing

@testable import ClubServices

/// A search as a member types it: its words, filters and days, and the files that it lets pass.
@Suite struct NoteQueryTests {
  /// Sunday, 2026-11-29, 12:00 in UTC.
  private static let noon: Int64 = 1_795_953_600
  private static let clock = QueryClock(now: Timestamp(seconds: noon))

  private func query(_ text: String) -> NoteQuery { NoteQuery(text, Self.clock) }

  /// The parts of a search in words.
  private func parts(_ text: String) -> [String] {
    let query = query(text)
    return query.words + query.without.map { "without \($0)" }
      + query.terms.map { "\($0.isNegated ? "not " : "")\($0.filter.rawValue) \($0.value)" }
  }

  @Test(arguments: [
    ("red bicycle", ["red", "bicycle"]), ("\"low  tide\" pier", ["low tide", "pier"]), ("-boat", ["without boat"]),
    ("-\"low tide\"", ["without low tide"]), ("by:ann", ["by ann"]), ("BY:ann", ["by ann"]),
    ("by:\"Ann Lee\" x", ["x", "by Ann Lee"]), ("-by:ann", ["not by ann"]), ("tag:#oslo", ["tag oslo"]),
    ("is:new", ["is unread"]), ("has:photo", ["has photo"]), ("in:trips/2026", ["in trips/2026"]),
    // All of these are plain words.
    ("https://club.example", ["https://club.example"]), ("foo:bar", ["foo:bar"]), ("- a", ["-", "a"]),
    ("--json", ["--json"]), ("5\" pipe", ["5\"", "pipe"]), ("a-b", ["a-b"]), ("#oslo", ["#oslo"]), ("12:30", ["12:30"]),
    ("\"by:ann\"", ["by:ann"]), ("größe:1", ["größe:1"]),
    // Quotation marks that do not fit together.
    ("\"a \"b\" c\"", ["a", "b\"", "c\""]), ("\"low tide", ["low tide"]), ("\"\" -\"\"", []), ("\"", []), ("", []),
  ])
  func `a search is split into words, phrases and filters`(text: String, expected: [String]) {
    #expect(parts(text) == expected)
    #expect(query(text).problem == nil)
  }

  @Test(arguments: [
    ("red", true), ("\"low tide\"", true), ("red by:ann", false), ("-red", false), ("foo:bar", true), ("--x", true),
  ])
  func `words alone are a plain search`(text: String, isPlain: Bool) {
    #expect(query(text).isPlain == isPlain)
  }

  @Test(arguments: [
    ("since:", "since: takes 7d, 2w"), ("since:soon", "\"soon\" is none of these."), ("before:2026-13", "takes 7d"),
    ("since:2026-02-30", "takes 7d"), ("since:-7d", "takes 7d"), ("since:99999d", "takes 7d"),
    ("by:", "by: takes a member's name"), ("is:red", "is: takes unread or pinned."), ("has:fun", "has: takes photo."),
    ("in:", "in: takes a folder"), ("tag:#", "tag: takes a tag"), ("since:\u{202E}7d", "none of these"),
  ])
  func `a filter of no use says what it takes, and the rest of the search stays`(text: String, said: String) {
    let query = query("pier \(text)")
    #expect(query.words == ["pier"] && query.terms.isEmpty)
    #expect(query.problem.map { "\($0)".contains(said) } == true)
    #expect(query.problem?.kind == .badInput)
  }

  // MARK: Days

  @Test(arguments: [
    ("today", "2026-11-29"), ("yesterday", "2026-11-28"), ("7d", "2026-11-22"), ("2w", "2026-11-15"),
    ("0d", "2026-11-29"), ("3m", "2026-08-29"), ("9m", "2026-02-28"), ("1y", "2025-11-29"), ("11m", "2025-12-29"),
    ("2026", "2026-01-01"), ("2026-11", "2026-11-01"), ("2026-1-2", "2026-01-02"), ("2024-02-29", "2024-02-29"),
    ("TODAY", "2026-11-29"), ("99y", "1927-11-29"),
  ])
  func `a day is understood from today`(text: String, day: String) throws {
    let moment = try #require(query("since:\(text)").terms.first?.moment)
    #expect(CivilTime(secondsSince1970: Int(moment.seconds)).utc == "\(day)T00:00:00Z")
  }

  @Test func `a day begins in the member's zone, also across a change of clocks`() throws {
    // One hour ahead of UTC, and two before the last Sunday of October.
    let summer = Int64(CivilDate(year: 2026, month: 10, day: 25).daysSince1970) * 86_400 + 3600
    let clock = QueryClock(now: Timestamp(seconds: Self.noon)) { $0.seconds < summer ? 7200 : 3600 }
    func start(_ text: String) -> String? {
      NoteQuery("since:\(text)", clock).terms.first?.moment.map { CivilTime(secondsSince1970: Int($0.seconds)).utc }
    }
    #expect(start("today") == "2026-11-28T23:00:00Z")
    #expect(start("2026-10-25") == "2026-10-24T22:00:00Z")
    #expect(start("2026-10-26") == "2026-10-25T23:00:00Z")
    let late = QueryClock(now: Timestamp(seconds: Self.noon + 11 * 3600 + 1800)) { _ in 3600 }
    #expect(NoteQuery("since:today", late).terms.first?.moment?.seconds == Self.noon + 11 * 3600)
  }

  // MARK: Facts

  private func admits(
    _ text: String, _ path: String = "trips/2026/oslo.md", ago days: Int64 = 3, author: String? = "Ann Lee",
    isUnread: Bool? = nil
  ) throws -> Bool {
    query(text).admits(
      NoteQuery.Facts(
        try StorePath(path), modified: Timestamp(seconds: Self.noon - days * 86_400), author: author,
        isUnread: isUnread))
  }

  @Test(arguments: [
    ("by:ann", true), ("by:lee", true), ("by:\"ann lee\"", true), ("by:an", false), ("by:ray", false),
    ("by:ray by:ann", true), ("-by:ann", false), ("-by:ray", true), ("since:7d", true), ("since:2d", false),
    ("before:2d", true), ("-since:7d", false), ("since:7d before:2d", true), ("since:2d before:7d", false),
    ("in:trips", true), ("in:trips/2026", true), ("in:2026", true), ("in:/trips", true), ("in:/2026", false),
    ("in:trip", false), ("in:TRIPS/", true), ("in:oslo.md", false), ("in:/", false), ("-in:trips", false),
    ("in:home in:trips", true), ("by:ann in:home", false), ("pier", true),
  ])
  func `facts of the list decide first`(text: String, isAdmitted: Bool) throws {
    #expect(try admits(text) == isAdmitted)
  }

  @Test func `news decide where they are known, and an unknown author is nobody`() throws {
    #expect(try admits("is:unread", isUnread: true) && !admits("is:unread", isUnread: false))
    #expect(try admits("is:unread") && admits("-is:unread", isUnread: false))
    #expect(try !admits("by:ann", author: nil) && admits("-by:ann", author: nil))
    #expect(try admits("in:/", "walk.md") && admits("by:ann", author: "ann@club.example"))
  }

  // MARK: Texts

  private func lines(_ text: String, _ note: String, name: String = "walk.md") -> [Int]? {
    query(text).match(name, text: Array(note.utf8))?.lines.map(\.number)
  }

  @Test func `words, phrases and exclusions are looked for in name and text`() {
    #expect(lines("low tide", "tide\nlow\n") == [1, 2])
    #expect(lines("\"low tide\"", "tide\nlow\n") == nil)
    #expect(lines("\"LOW tide\" walk", "at low tide\n") == [1])
    #expect(lines("low -boat", "low\nBoats\n") == nil && lines("low -boat", "low\n") == [1])
    #expect(lines("low -walk", "low\n") == nil)
    #expect(lines("-boat", "low\n") == [])
  }

  @Test(arguments: [
    ("a #oslo b", true), ("#Oslo", true), ("(#oslo)", true), ("#oslo/harbour", true), ("#oslos", false),
    ("#oslo-2", false), ("a#oslo", false), ("oslo", false), ("---\ntags: [bergen, oslo]\n---\n", true),
    ("---\ntags:\n  - oslo\n---\n", true), ("---\ntags: bergen\n---\noslo\n", false), ("---\ntags: [oslo]\n", false),
    ("---\r\ntags: \"#oslo\"\r\n---\r\n", true), ("---\ntitle: oslo\n---\n", false),
  ])
  func `a tag stands in the text or in its front matter`(note: String, hasTag: Bool) {
    #expect((lines("tag:oslo", note) != nil) == hasTag)
    #expect((lines("-tag:oslo", note) != nil) != hasTag)
  }

  @Test(arguments: [
    ("![pier](photos/pier.jpg)", true), ("![](../a.PNG \"t\")", true), ("![[pier.heic|300]]", true),
    ("![[note]]", false), ("[pier](pier.jpg)", false), ("![a](b.md)", false), ("![", false), ("![[", false),
  ])
  func `a note has a photo if it shows one`(note: String, hasPhoto: Bool) {
    #expect((lines("has:photo", note) != nil) == hasPhoto)
  }

  // MARK: Hostile input

  @Test func `a text that is too long is no search, and says so`() {
    let long = query(String(repeating: "tide ", count: 250_000))
    #expect(long.isEmpty && long.problem?.message == "The search is longer than 16 KiB.")
    let many = query(String(repeating: "-a ", count: 5000))
    #expect(many.isEmpty && many.problem?.message == "The search has more than 200 words and filters.")
    #expect(query(String(repeating: "\"", count: 16_000)).isEmpty)
    #expect(query(String(repeating: "by:", count: 5000)).terms.count == 1)
  }

  @Test func `control characters are letters like others`() {
    #expect(parts("a\u{1B}[31m -\u{0}") == ["a\u{1B}[31m", "without \u{0}"])
    #expect(parts("a\nb\tc\u{A0}d") == ["a", "b", "c", "d"])
  }

  // MARK: Completion

  private func offers(_ text: String, isAsked: Bool = false) -> [String] {
    QueryOffers(text, filters: NoteQuery.Filter.allCases, isAsked: isAsked) { filter in
      switch filter {
      case .by: ["ray", "Ann Lee", "anna"]
      case .in: ["trips", "trips/2026"]
      case .tag: ["oslo"]
      default: []
      }
    }?.texts ?? []
  }

  @Test(arguments: [
    ("b", ["by:", "before:"]), ("pier si", ["since:"]), ("-t", ["tag:"]), ("x", []), ("", []), ("pier ", []),
    ("by:", ["\"Ann Lee\" ", "anna ", "ray "]), ("by:an", ["\"Ann Lee\" ", "anna "]),
    ("by:\"ann", ["\"Ann Lee\" ", "anna "]),
    ("-in:tr", ["trips ", "trips/2026 "]), ("is:u", ["unread "]), ("since:to", ["today "]), ("\"b", []),
    ("by:\"Ann Lee\"", []), ("tag:#", []),
  ])
  func `the last word goes on with filters and their values`(text: String, texts: [String]) {
    #expect(offers(text) == texts)
  }

  @Test func `all filters are offered when they are asked for`() {
    #expect(offers("", isAsked: true).count == NoteQuery.Filter.allCases.count)
    #expect(offers("pier ", isAsked: true).first == "by:")
  }
}
