import FileStores
import Testing

@testable import ClubServices

@Suite struct NoteNameTests {
  private let limits = StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false)

  @Test(arguments: [
    ("challenge", "challenge.md"), ("  challenge for ray  ", "challenge for ray.md"), ("a.txt", "a.txt"),
    ("v1.2", "v1.2.md"), ("Mr. Smith", "Mr. Smith.md"), ("日本", "日本.md"), ("e\u{301}", "e\u{301}.md"),
    ("-rf", "-rf.md"), ("~", "~.md"), ("a\\b", "a\\b.md"), ("%2e%2e", "%2e%2e.md"), ("C:", "C:.md"),
    ("👩‍👩‍👧", "👩‍👩‍👧.md"), ("end.", "end.md"), ("end...", "end.md"), ("a.README", "a.README"),
  ])
  func `a new note is named as typed, with an ending`(typed: String, name: String) throws {
    #expect(Array(try NoteName.new(typed, limits).bytes) == Array(name.utf8))
  }

  @Test(
    arguments: [
      ("r\u{E9}sum\u{E9}", ["a.md", "re\u{301}sume\u{301}.md"], 1),
      ("re\u{301}sume\u{301}.md", ["r\u{E9}sum\u{E9}.md"], 0),
      ("THE BRIEF", ["the brief.md", "the briefs.md"], 0), ("the brief", ["The Brief.md", "THE BRIEF.md"], nil),
      ("\u{C9}t\u{E9}", ["e\u{301}te\u{301}.md"], 0), ("e\u{301}", ["\u{C9}.md", "\u{E9}.md"], 1),
      ("brief", ["the brief.md"], nil), ("cafe", ["caf\u{E9}.md"], nil), ("a.txt", ["a.txt.md", "A.TXT"], 1),
      ("", [], nil),
    ] as [(String, [String], Int?)])
  func `a name that no note has means the only one in another form, or else in another case`(
    typed: String, names: [String], meant: Int?
  ) {
    let bytes = names.map { Array($0.utf8)[...] }
    #expect(NotesService.meant(by: typed, of: names.count) { bytes[$0] } == meant)
  }

  @Test func `letter case counts where a text would be replaced`() {
    #expect(NotesService.meant(by: "A", of: 1, ignoresCase: false) { _ in Array("a.md".utf8)[...] } == nil)
  }

  @Test(arguments: [
    ("a", "a.md"), ("a/b.md", "a_b.md"), ("..", "note.md"), ("", "note.md"), (" . hidden", "hidden.md"),
    ("a\u{1B}[31m", "a_[31m.md"), ("a\u{0}", "a_.md"), ("../p.jpg.md", "_p.jpg.md"), ("\u{FFFD}", "_.md"),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 252) + ".md"),
  ])
  func `a name that no note can have makes one that it can have`(typed: String, name: String) throws {
    #expect(try NoteName.made(from: typed, limits) == StorePath(name))
  }

  @Test(arguments: [
    ("Old.md", "new", "new.md"), ("Old.md", "line.", "line.md"), ("Old.md", "new.txt", "new.txt"),
    ("old.txt", "v1.2", "v1.2.txt"), ("README", "notes", "notes"), ("v1.2", "v1.3", "v1.3"), ("a.md", " b ", "b.md"),
  ])
  func `another name without an ending gets the one that the note had`(old: String, typed: String, name: String) throws
  {
    let path = try NoteName.renamed(typed, from: try StorePath(old), limits)
    #expect(path == (try StorePath(name)))
  }

  @Test(arguments: [
    "", "   ", ".", "..", ".hidden", "a/b", "/etc/passwd", "../x", "a\u{0}b", "a\nb", "a\u{1B}[31m", "a\u{7F}",
    "a\u{9B}m", "a\u{202E}b", "bad\u{FFFD}", "a\u{2066}b", "a\u{2028}b", String(repeating: "x", count: 256),
    String(repeating: "日", count: 86), " .byteclub",
  ])
  func `a hostile or impossible name is refused in a sentence that is safe to show`(typed: String) {
    let error = #expect(throws: StoreError.self) { try NoteName.checked(typed, limits) }
    #expect(error?.kind == .badName)
    #expect(error?.message.hasSuffix(".") == true && error?.remedy.isEmpty == false)
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) } == true)
    #expect((error?.message.count ?? 1000) < 200)
  }

  @Test(arguments: [
    ("a.md", 1, "a (ann's version, 2031-01-09).md"), ("a.md", 2, "a (ann's version, 2031-01-09) 2.md"),
    ("README", 1, "README (ann's version, 2031-01-09)"), ("a.tar.gz", 1, "a.tar (ann's version, 2031-01-09).gz"),
  ])
  func `a text in conflict gets a name beside the note`(name: String, number: Int, expected: String) throws {
    let path = try NoteName.conflict(
      of: try StorePath(name), member: "ann", at: noon, number: number, limits)
    #expect(path == (try StorePath(expected)))
  }

  // 9 January 2031, noon, which is that day in all time zones but the eastern-most.
  private var noon: Timestamp { Timestamp(seconds: 1_925_726_400) }

  @Test(arguments: [255, 143])
  func `a conflict's name fits the store, ends between characters, and holds nothing hostile`(longest: Int) throws {
    let limits = StoreLimits(nameBytes: longest, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false)
    let long = try StorePath(String(repeating: "日", count: 84) + ".md")
    let path = try NoteName.conflict(
      of: long, member: "a/b\u{1B}\u{202E}", at: noon, number: 12, limits)
    #expect(path.bytes.count <= longest && path.bytes.count > longest - 15)
    #expect(String(validating: path.bytes, as: UTF8.self)?.hasSuffix("(a-b--'s version, 2031-01-09) 12.md") == true)
  }

  @Test(
    arguments: [
      ("# The wall\n\ntext", "The wall.md"), ("\n\n  \n- [ ] buy **paint**\r\nmore", "buy paint.md"),
      ("Dear Ray,\n", "Dear Ray.md"), ("see [[packing list]]: now.", "see packing list: now.md"),
      ("../../etc/passwd", "_.._etc_passwd.md"), ("a\u{1B}[31mb", "a_31mb.md"), ("---\n***\n", nil), ("", nil),
      (
        "one two three four five six seven eight nine ten eleven twelve thirteen",
        "one two three four five six seven eight nine ten eleven.md"
      ),
      ("漢字", "漢字.md"),
    ] as [(String, String?)])
  func `a note without a name takes the words of its first line`(text: String, name: String?) {
    #expect(NotesService.name(ofText: Array(text.utf8), isTaken: { _ in false }) == name)
  }

  @Test func `a taken first line gets the first free number`() {
    let taken = ["plan.md", "plan (2).md"]
    #expect(NotesService.name(ofText: Array("plan".utf8), isTaken: { taken.contains("\($0)") }) == "plan (3).md")
    #expect(NotesService.name(ofText: Array("plan".utf8), isTaken: { _ in true }) == nil)
  }
}
