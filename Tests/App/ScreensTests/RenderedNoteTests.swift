import ClubServices
import Testing
import TextUI

@testable import Screens

/// Markdown notes are read rendered.
@Suite struct RenderedNoteTests {
  /// 100 paragraphs, each of two lines of the source.
  private static let long = (1...100).map { "Paragraph \($0) begins here\nand *ends* there.\n\n" }.joined()

  private func reading(
    _ text: String, _ name: String = "a.md", size: Size = Size(80, 24), changes: LineDiff? = nil
  ) -> Robot {
    let robot = Robot(notes: [name, "b.md"], size: size)
    robot.happen(.asked(Samples.path(name)))
    robot.happen(.opened(Samples.note(name, text), .read, changes: changes))
    robot.take()
    return robot
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `a Markdown note is rendered, and m shows its raw text and back, at the same place`(size: Size) {
    let robot = reading("# Title\n\n- [ ] a **bold** task\n", size: size)
    let rendered = robot.screen
    #expect(robot.screen.contains(" Title") && robot.screen.contains("☐ a bold task"))
    #expect(!robot.screen.contains("**"))
    robot.press("m")
    #expect(robot.screen.contains("- [ ] a **bold** task") && robot.screen.contains("raw"))
    robot.press("m")
    #expect(robot.screen == rendered)

    let long = reading(Self.long, size: size)
    long.press("PgDn", "PgDn")
    let top = long.grid.text(ofRow: 2)
    long.press("m")
    let raw = (2..<5).map { long.grid.text(ofRow: $0) }.joined(separator: " ")
    let words = top.split(separator: " ").prefix(2).joined(separator: " ")
    #expect(top.isEmpty || raw.contains(words))
    long.press("m")
    #expect(long.grid.text(ofRow: 2) == top)
  }

  @Test(arguments: [
    ("a.md", true), ("a.MARKDOWN", true), ("a.txt", false), ("a.md.bak", false), ("README", true), ("plain", false),
  ])
  func `the name says what is Markdown, or the text where the name has no ending`(name: String, isRendered: Bool) {
    let robot = reading(name == "plain" ? "all *plain*" : "# Title\n\nsome *words*", name)
    #expect(robot.screen.contains("*") != isRendered)
    robot.press("m")
    #expect(robot.screen.contains("*"))
    if !isRendered { #expect(robot.notice == "\"\(name)\" is plain text.") }
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a line is at the same cells when it is read, read raw and written`(size: Size) {
    let robot = reading("A line of plain words, long enough to be wrapped at forty columns.\n", size: size)
    let rows = (2..<4).map { robot.grid.text(ofRow: $0) }
    #expect(rows[0].hasPrefix(" A line"))
    robot.press("m")
    #expect((2..<4).map { robot.grid.text(ofRow: $0) } == rows)
    robot.press("m", "i")
    #expect(robot.view == "editor" && (2..<4).map { robot.grid.text(ofRow: $0) } == rows)
  }

  @Test(arguments: ["a.md", "a.txt"]) func `a note without a byte says so`(name: String) {
    #expect(reading("", name).grid.text(ofRow: 2) == " This note is empty.")
  }

  @Test func `bytes that are not text are never rendered`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(
      .opened(OpenNote(entry: Samples.entry("a.md"), bytes: Array("# a\n".utf8) + [0, 0xFF], draft: nil), .read))
    #expect(robot.screen.contains("# a") && robot.screen.contains("read-only"))
  }

  @Test func `keys and the wheel scroll a rendered note, and its position is shown`() {
    let robot = reading(Self.long)
    #expect(robot.screen.contains("0 %"))
    robot.mouse(.wheelDown, 5, 5)
    #expect(
      robot.grid.text(ofRow: 2).isEmpty && robot.grid.text(ofRow: 3) == " Paragraph 3 begins here and ends there.")
    robot.mouse(.wheelUp, 5, 5)
    #expect(robot.grid.text(ofRow: 2) == " Paragraph 1 begins here and ends there.")
    robot.press("j", "j")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 2 "))
    robot.press("G")
    #expect(robot.screen.contains("Paragraph 100 ") && robot.screen.contains("100 %"))
    robot.press("g", "Space")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 11 ") || robot.grid.text(ofRow: 3).contains("Paragraph 11 "))
    robot.press("Home")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 1 "))
  }

  @Test func `another width keeps the first line in view`() {
    let robot = reading(Self.long)
    for _ in 0..<60 { robot.press("j") }
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 31 "))
    robot.resize(44, 12)
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 31 "))
    robot.resize(120, 40)
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 31 "))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `find goes to matches in a rendered note and marks them, and Esc goes back`(size: Size) throws {
    let robot = reading(Self.long.replacing("Paragraph 50 begins", with: "Paragraph **Café** begins"), size: size)
    let before = robot.screen
    robot.press("/")
    robot.type("cafe")
    #expect(robot.screen.contains("Find: cafe") && robot.screen.contains("1 of 1"))
    let y = try #require((0..<size.height).first { robot.grid.text(ofRow: $0).contains("Paragraph Café begins") })
    let found = robot.grid[11, y].style
    #expect(found == robot.state.frame.theme[.found].with(.bold))
    #expect(robot.grid[10, y].style != found && robot.grid[15, y].style != found)
    robot.press("Enter", "n")
    #expect(robot.screen.contains("Café") && robot.notice == "Past the end: on from the top.")
    robot.press("Esc")
    #expect(robot.screen == before && robot.view == "reader")
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `changed lines carry a mark in a rendered note, and the dot goes from one to the next`() throws {
    let old = Self.long.replacing("Paragraph 30 begins", with: "Paragraph 30 began").replacing(
      "Paragraph 31 ", with: "P ")
    let new = Self.long + "the last line"
    let robot = reading(new, changes: LineDiff(from: Array(old.utf8), to: Array(new.utf8)))
    func marked() -> [String] {
      (2..<robot.grid.size.height).filter { robot.grid[0, $0].base == UInt32(UInt8(ascii: "+")) }
        .map { robot.grid.text(ofRow: $0).dropFirst().split(separator: " ").prefix(2).joined(separator: " ") }
    }
    #expect(marked() == [])
    robot.press(".")
    #expect(marked() == ["Paragraph 30", "Paragraph 31"])
    robot.press(".")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 31 "))
    robot.press(".")
    #expect(marked() == ["the last"])
    robot.press(".")
    #expect(robot.notice == "No changed line below.")
    robot.press(",")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 31 "))
    robot.press(",")
    #expect(robot.grid.text(ofRow: 2).contains("Paragraph 30 "))
    robot.press(",")
    #expect(robot.notice == "No changed line above.")
  }

  @Test func `a changed first line is reached from the top`() {
    let robot = reading(
      "new\nold\n", "a.txt", changes: LineDiff(from: Array("old\n".utf8), to: Array("new\nold\n".utf8)))
    robot.press(".")
    #expect(robot.notice == "The next changed line is in view.")
    robot.press(".")
    #expect(robot.notice == "No changed line below.")
  }

  @Test(arguments: ["a.txt", "a.md"]) func `the marks of changed lines cover no letter of a raw text`(name: String) {
    let text = String(repeating: "abcdefghi ", count: 30) + "\n"
    let robot = reading(text, name, changes: LineDiff(from: [], to: Array(text.utf8)))
    if name == "a.md" { robot.press("m") }
    let rows = (2..<8).map { robot.grid.text(ofRow: $0) }.filter { $0.contains("abc") }
    #expect(rows.count > 1 && rows.allSatisfy { $0.hasPrefix("+") })
    #expect(rows.joined().split { !$0.isLetter }.allSatisfy { $0 == "abcdefghi" })
    robot.resize(41, 12)
    let narrow = (2..<10).map { robot.grid.text(ofRow: $0) }.filter { $0.contains("abc") }
    #expect(narrow.joined().split { !$0.isLetter }.allSatisfy { $0 == "abcdefghi" })
  }

  @Test(arguments: ["J\u{FC}rgen", "\u{6F22}\u{5B57}\u{6F22}\u{5B57}", "Ann"])
  func `the facts of a note end at the right edge, whatever the letters of the member's name`(member: String) {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.asked(Samples.path("a.md")))
    let entry = Samples.entry("a.md", size: 4, member: member)
    robot.happen(.opened(OpenNote(entry: entry, bytes: Array("text".utf8), draft: nil), .read))
    let row = robot.grid.text(ofRow: 1)
    #expect(row.contains("\(member)  4 B  2 h"))
    #expect(GlyphReader.columns(of: row) == 79)
  }

  @Test func `a rendered note that others change keeps its place, and one shown raw stays raw`() {
    let robot = reading(Self.long)
    for _ in 0..<60 { robot.press("j") }
    let top = robot.grid.text(ofRow: 2)
    robot.happen(.opened(Samples.note("a.md", Self.long + "more", revision: "r2"), .reread))
    #expect(robot.grid.text(ofRow: 2) == top && robot.notice == "\"a.md\" has changed. This is the new text.")
    robot.press("m")
    robot.happen(.opened(Samples.note("a.md", Self.long + "yet more", revision: "r3"), .reread))
    #expect(robot.screen.contains("*ends*"))
  }

  @Test func `editing begins at the first line in view, and the note is read there after the save`() {
    let robot = reading(Self.long)
    for _ in 0..<60 { robot.press("j") }
    robot.press("i")
    #expect(robot.grid.text(ofRow: 2) == " Paragraph 31 begins here")
    robot.type("new ")
    robot.press("Ctrl-Q")
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " new Paragraph 31 begins here and ends there.")
  }
}
