import Basics
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct TalkTests {
  /// 2026-11-26 18:04.
  private static let time = Timestamp(seconds: 1_795_716_240)

  private static func talk(_ lines: String...) -> Talk { Talk(Array(lines.joined(separator: "\n").utf8)) }

  private static func item(_ id: String, _ aim: String = "", by member: String = "ann", _ text: String = "x") -> String
  {
    "- **\(member)** 2026-11-26 18:04Z \(id)\(aim): \(text)"
  }

  static let forms: [(TalkItem.Aim, String, String)] = [
    (.whole, "That is the vice.", ": That is the vice."),
    (.direction(yaw: 132, pitch: -8.5), "That is the vice.", " @132.0,-8.5: That is the vice."),
    (.direction(yaw: -0.04, pitch: 0.05), "x", " @0.0,0.1: x"),
    (.words("over \"the\" sand: now"), "Low tide.", #" on "over \"the\" sand: now": Low tide."#),
    (.reply(to: "aaaaaaa1"), "Yes: always.", " re aaaaaaa1: Yes: always."),
    (.correction(of: "aaaaaaa1"), "No.", " fix aaaaaaa1: No."),
    (.withdrawal(of: "aaaaaaa1"), "", " gone aaaaaaa1"),
    (.agreement(with: "aaaaaaa1"), "", " +1 aaaaaaa1"),
    (.whole, "one\n\n  two\nthree", ": one\n\n    two\n  three"),
  ]

  @Test("An item is written in one form, and read as it was", arguments: forms)
  func itemsAreRead(_ aim: TalkItem.Aim, _ text: String, _ written: String) {
    let item = TalkItem(member: "ann", time: Self.time, id: "k3f9q2xa", aim: aim, text: text)
    #expect(item.markdown == "- **ann** 2026-11-26 18:04Z k3f9q2xa\(written)\n")
    let read = TalkItem(lines: item.markdown.dropLast().split(separator: "\n", omittingEmptySubsequences: false)[...])
    #expect(read?.text == text && read?.id == item.id && read?.time == item.time && read?.member == "ann")
    if case .direction = aim { return }
    #expect(read == item)
  }

  @Test(
    "A name that would end its marks, or drive a terminal, is kept on one line",
    arguments: [
      ("a*b**c\\d", "a*b**c\\d"), ("ann\n- **eve**", "ann - **eve**"), ("\u{1B}[2J", "[2J"), ("", "someone"),
    ])
  func namesAreKept(_ name: String, _ shown: String) {
    let item = TalkItem(member: name, time: Self.time, id: "k3f9q2xa", aim: .whole, text: "x")
    #expect(item.member == shown)
    #expect(Talk(Array(item.markdown.utf8)).remarks.map(\.member) == [shown])
  }

  @Test(
    "A line of another form is kept as it is",
    arguments: [
      "- ann: hello", "- **ann** k3f9q2xa: no time", "- **ann** 2026-13-26 18:04Z k3f9q2xa: no month",
      "- **ann** 2026-11-26 18:04Z K3F9Q2XA: capitals", "- **ann** 2026-11-26 18:04Z k3f9q2: short",
      "- **ann** 2026-11-26 18:04Z k3f9q2xa @400,0: beyond", "- **ann** 2026-11-26 18:04Z k3f9q2xa @nan,0: no number",
      "- **ann** 2026-11-26 18:04Z k3f9q2xa re me: no id", "- **ann** 2026-11-26 18:04Z k3f9q2xa on \"open: x",
      "- **ann** 2026-11-26 18:04Z k3f9q2xa no colon", "- ** 2026-11-26 18:04Z k3f9q2xa: x", "<script>", "-",
    ])
  func strangeLinesAreKept(_ line: String) {
    let talk = Self.talk("# Remarks on walk.md", "", line, Self.item("aaaaaaa1"))
    #expect(talk.strange == [line])
    #expect(talk.remarks.map(\.id) == ["aaaaaaa1"])
  }

  @Test func `answers follow what they answer, also when the file has them before it`() {
    let talk = Self.talk(
      Self.item("aaaaaaa1"), Self.item("aaaaaaa2"), Self.item("aaaaaaa3", " re aaaaaaa1"),
      Self.item("aaaaaaa4", " re aaaaaaa3"), Self.item("aaaaaaa5", " re aaaaaaa6"), Self.item("aaaaaaa6"),
      Self.item("aaaaaaa7", " re nothing1"))
    #expect(
      talk.remarks.map { "\($0.depth) \($0.id)" } == [
        "0 aaaaaaa1", "1 aaaaaaa3", "2 aaaaaaa4", "0 aaaaaaa2", "0 aaaaaaa6", "1 aaaaaaa5", "0 aaaaaaa7",
      ])
  }

  @Test func `answers in a circle are all shown`() {
    let talk = Self.talk(
      Self.item("aaaaaaa1", " re aaaaaaa2"), Self.item("aaaaaaa2", " re aaaaaaa1"),
      Self.item("aaaaaaa3", " re aaaaaaa3"))
    #expect(Set(talk.remarks.map(\.id)) == ["aaaaaaa1", "aaaaaaa2", "aaaaaaa3"])
    #expect(talk.remarks.count == 3)
  }

  @Test func `only its member corrects or withdraws a remark, and each member agrees once`() {
    let talk = Self.talk(
      Self.item("aaaaaaa1", "", by: "ann", "frist"), Self.item("aaaaaaa2", " fix aaaaaaa1", by: "ann", "first"),
      Self.item("aaaaaaa3", " fix aaaaaaa1", by: "eve", "worst"), Self.item("aaaaaaa4", "", by: "ann"),
      Self.item("aaaaaaa5", " gone aaaaaaa4", by: "eve", ""), Self.item("aaaaaaa6", " gone aaaaaaa4", by: "ann", ""),
      Self.item("aaaaaaa7", " +1 aaaaaaa1", by: "eve", ""), Self.item("aaaaaaa8", " +1 aaaaaaa1", by: "eve", ""),
      Self.item("aaaaaaa9", " +1 nothing1", by: "eve", ""))
    #expect(talk.remarks.map(\.text) == ["first", "x"])
    #expect(talk.remarks.map(\.isCorrected) == [true, false])
    #expect(talk.remarks.map(\.isWithdrawn) == [false, true])
    #expect(talk.remarks.map(\.agreed) == [["eve"], []])
    #expect(talk.strange.count == 3)
  }

  @Test func `a name is compared with the author of the version that brought the line`() {
    let (mine, forged) = (Self.item("aaaaaaa1"), Self.item("aaaaaaa2"))
    let versions = ["eve", "ann"].map { member in
      FileEntry(path: .root, kind: .file, member: member)
    }
    let head = "# Remarks on walk.md\n\n\(mine)\n"
    let whole = head + "\(forged)\n" + Self.item("aaaaaaa3", " fix aaaaaaa1", "worst") + "\n"
    let blame = NotesService.blame(
      .root, versions, [Array((whole + "\(mine)\n").utf8), Array(head.utf8)], isCut: false)
    let talk = Talk(Array(whole.utf8), authors: blame.authors)
    #expect(talk.remarks.map(\.bringer) == [nil, "eve"])
    #expect(talk.remarks.map(\.text) == ["x", "x"])
    #expect(talk.strange.count == 1)
    // Lines of the oldest version that was read may come from an older one.
    let cut = NotesService.blame(.root, versions, [Array(whole.utf8), Array(head.utf8)], isCut: true)
    #expect(Talk(Array(whole.utf8), authors: cut.authors).remarks.map(\.author) == [nil, "eve"])
    #expect(
      NotesService.blame(.root, [FileEntry(path: .root, kind: .file)], [Array(head.utf8)], isCut: false).authors.isEmpty
    )
  }

  @Test(
    "A remark mentions a member by the whole name",
    arguments: [
      ("@ray look", true), ("look, @Ray!", true), ("@rays", false), ("ray", false), ("a@ray", true), ("", false),
    ])
  func membersAreMentioned(_ text: String, _ isMentioned: Bool) {
    let talk = Self.talk(Self.item("aaaaaaa1", "", text))
    #expect(talk.remarks.map { $0.mentions("ray") } == [isMentioned])
    #expect(talk.remarks.map { $0.mentions("") } == [false])
  }

  @Test func `of two remarks with one id both are shown, and the first is the one that is named`() {
    let talk = Self.talk(
      Self.item("aaaaaaa1", "", by: "ann", "one"), Self.item("aaaaaaa1", "", by: "eve", "two"),
      Self.item("aaaaaaa1", "", by: "ann", "one"))
    #expect(talk.remarks.map(\.text) == ["one", "two"])
    #expect(talk.remark("aaaaaaa1")?.text == "one")
  }

  @Test func `a file of 100,000 remarks is read up to its bound, and the rest counted`() {
    let lines = (0..<100_000).map { "- **ann** 2026-11-26 18:04Z \(String($0 + 10_000_000)): x" }
    let talk = Talk(Array(lines.joined(separator: "\n").utf8))
    #expect(talk.remarks.count == Talk.mostItems)
    #expect(talk.unread == 90_000)
  }

  @Test func `any bytes are read, and no line is lost`() {
    var random = SeededNumbers(38)
    let pieces = [
      "- **ann** 2026-11-26 18:04Z aaaaaaa1", ": ", " re aaaaaaa1", "**", "\\", "\"", " @1,2", "\n", "  ", "\u{1B}",
      "- ",
    ]
    for _ in 0..<2000 {
      let text: String = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let talk = Talk(Array(text.utf8))
      let isBlank = text.allSatisfy { $0.isWhitespace }
      #expect(isBlank || !talk.remarks.isEmpty || !talk.strange.isEmpty, "\(text)")
    }
  }

  @Test(
    "A forged or impossible claim is kept as it is, or shown as a claim",
    arguments: [
      ("- **ann** 1969-12-31 23:59Z aaaaaaa1: x", false), ("- **ann** 9999-12-31 23:59Z aaaaaaa1: x", false),
      ("- **ann** 2199-12-31 23:59Z aaaaaaa1: x", true),
      ("- **ann** 2026-02-30 18:04Z aaaaaaa1: x", false), ("- **ann** 2026-11-26 24:00Z aaaaaaa1: x", false),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @360,90: x", true),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @0,90.1: x", false),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @inf,0: x", false),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @1e9,0: x", false),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @,: x", false), ("- **ann** 2026-11-26 18:04Z aaaaaaa1 @1,2,3: x", false),
      ("- **\u{1B}[2J** 2026-11-26 18:04Z aaaaaaa1: x", true),
      ("- **\u{202E}nna** 2026-11-26 18:04Z aaaaaaa1: x", true),
      ("- **ann** 2026-11-26 18:04Z aaaaaaa1:", true), ("- **ann** ２０２６-11-26 18:04Z aaaaaaa1: x", false),
    ])
  func claimsAreChecked(_ line: String, _ isRemark: Bool) {
    let talk = Self.talk(line)
    #expect(talk.remarks.count == (isRemark ? 1 : 0) && talk.strange == (isRemark ? [] : [line]))
    #expect(!talk.remarks.contains { $0.member.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" } })
  }

  @Test func `ten thousand answers to each other, and agreements by as many names, are shown once each`() {
    let chain = (0..<5000).map { number in
      "- **ann** 2026-11-26 18:04Z \(10_000_000 + number) re \(10_000_000 + (number + 1) % 5000): x"
    }
    let agreements = (0..<5000).map { number in
      "- **member \(number)** 2026-11-26 18:04Z \(20_000_000 + number) +1 10000000"
    }
    let talk = Talk(Array((chain + agreements).joined(separator: "\n").utf8))
    #expect(talk.remarks.count == 5000 && talk.strange.isEmpty && talk.unread == 0)
    #expect(talk.remark("10000000")?.agreed.count == 5000)
    #expect(talk.remarks.allSatisfy { $0.depth <= Talk.mostDepth })
  }

  @Test func `a talk file is named after its thing, and begins as such`() throws {
    let thing = try StorePath("photos/pier.jpg")
    let path = try Talk.path(of: thing)
    #expect("\(path)" == "photos/pier.jpg.talk.md")
    #expect(Talk.thing(of: path) == thing)
    #expect(try Talk.thing(of: StorePath("walk.md")) == nil)
    #expect(try Talk.thing(of: StorePath("photos/.talk.md")) == nil)
    #expect(Talk.isTalk(Array(Talk.head(of: thing).utf8)))
    #expect(Talk.head(of: thing) == "# Remarks on pier.jpg\n\n")
  }
}

@Suite struct PlacedTalkTests {
  private static func place(_ words: String, in text: String) -> PlacedTalk.Place {
    let item = TalkItem(member: "ann", time: Timestamp(seconds: 0), id: "aaaaaaa1", aim: .words(words), text: "x")
    return PlacedTalk(Talk(Array(item.markdown.utf8)), in: Array(text.utf8)).places[0]
  }

  @Test(
    "Quoted words are found over line breaks and marks of emphasis",
    arguments: [
      ("the sand", "over the sand.", PlacedTalk.Place.after(13)), ("the sand", "over the\n  **sand**.", .after(17)),
      ("*the* sand", "over the sand", .after(13)), ("The sand", "over the sand", .lost), ("sand", "", .lost),
      ("**", "over ** it", .below), ("é", "café", .after(5)),
    ])
  func wordsAreFound(_ words: String, _ text: String, _ place: PlacedTalk.Place) {
    #expect(Self.place(words, in: text) == place)
  }

  @Test func `in a note above the bound no words are looked for`() {
    let text = String(repeating: "x", count: PlacedTalk.mostBytes + 1)
    #expect(Self.place("sand", in: text) == .below)
  }
}

@Suite struct QuoteSearchTests {
  /// Quotes of few letters, so that many overlap, end in one another, and are not there.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `each quote is found where a search for it alone finds it first`(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    func letters(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(ascii: "a") + UInt8(numbers.below(3)) } }
    let text = letters(400)
    let quotes = (0..<200).map { _ in letters(1 + Int(numbers.below(9))) }
    var search = QuoteSearch()
    let places = quotes.map { search.add($0) }
    let found = search.lastBytes(in: text)
    for (quote, place) in zip(quotes, places) {
      let alone = ByteSearch(quote).first(in: text[...]).map { $0 + quote.count - 1 }
      #expect(found[try #require(place)] == alone)
    }
    #expect(search.lastBytes(in: text) == found, "a second search finds the same")
    #expect(search.lastBytes(in: []).allSatisfy { $0 == nil })
  }

  @Test func `a thousand quotes cost one pass over the text, also those that it nearly has`() {
    let text =
      (0..<5000).map { "the sand of day \($0) " }.joined().utf8.map { $0 } + Array(repeating: 0x61, count: 50_000)
    func steps(_ quotes: [String]) -> Int {
      var search = QuoteSearch()
      for quote in quotes { _ = search.add(Array(quote.utf8)) }
      _ = search.lastBytes(in: text)
      return search.steps
    }
    // The last quote is not there, so that each search reads all of the text.
    #expect(steps(["no such words"]) <= 2 * text.count)
    #expect(steps((0..<1000).map { "the sand of day \($0 * 5)!" } + ["no such words"]) <= 2 * text.count)
    let nearly = (1...500).map { String(repeating: "a", count: $0 * 2) + "b" }
    #expect(steps(nearly) <= 2 * text.count)
  }

  @Test func `equal quotes share their place, and quotes beyond the limit have none`() {
    var search = QuoteSearch(mostBytes: 12)
    #expect(search.add(Array("sand".utf8)) == 0 && search.add(Array("sea".utf8)) == 1)
    #expect(search.add(Array("sand".utf8)) == 0)
    #expect(search.add(Array("a long quote".utf8)) == nil && search.add([]) == nil)
    #expect(search.lastBytes(in: Array("sea and sand".utf8)) == [11, 2])
  }
}
