import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Selecting, the clipboard, find and replace, the mouse, and the words in the status line.
@Suite struct EditorToolsTests {
  private func editing(_ text: String, size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("i")
    robot.take()
    return robot
  }

  @Test(arguments: ["Alt-W", "Ctrl-C"])
  func `a selection is copied to the terminal's clipboard and pasted, in another note, too`(key: String) {
    let robot = editing("one two")
    robot.press("Ctrl-Shift-Right", key)
    #expect(robot.take() == ["copy one"])
    #expect(robot.notice?.hasPrefix("Copied 3 ") == true && robot.view == "editor" && robot.question == nil)
    robot.press("Esc", "Esc")
    robot.happen(.asked(Samples.path("b.md")))
    robot.happen(.opened(Samples.note("b.md", "x"), .read))
    robot.press("i", "Ctrl-V")
    #expect(robot.text == "onex")
  }

  @Test func `cut takes the selection, typing and pasting replace it`() {
    let robot = editing("one two")
    robot.press("Shift-End", "Ctrl-X")
    #expect(robot.take().last == "copy one two" && robot.text == "")
    robot.press("Ctrl-Y", "Ctrl-Shift-Left")
    robot.type("3")
    #expect(robot.text == "one 3")
    robot.press("Shift-Home")
    robot.paste("all")
    #expect(robot.text == "all")
    robot.press("Ctrl-_", "Ctrl-_")
    #expect(robot.text == "one two")
  }

  @Test func `a text that is too long for a terminal's clipboard is copied inside byteclub`() {
    let robot = editing(String(repeating: "x", count: 80_000))
    robot.press("Shift-End", "Alt-W")
    #expect(robot.take().isEmpty && robot.notice?.hasPrefix("Copied inside byteclub") == true)
    robot.press("End", "Ctrl-Y")
    #expect(robot.text?.count == 160_000)
  }

  @Test func `the mouse puts the cursor, selects by dragging, and a word by a second click`() {
    let robot = editing("one two\nthree")
    robot.mouse(.press, 2, 2)
    robot.mouse(.drag, 3, 3)
    robot.mouse(.release, 3, 3)
    robot.press("Alt-W")
    #expect(robot.take() == ["copy ne two\nth"])
    robot.mouse(.press, 6, 2)
    robot.mouse(.release, 6, 2)
    robot.mouse(.press, 6, 2)
    robot.press("Ctrl-X")
    #expect(robot.text == "one \nthree")
  }

  @Test func `find selects each match, Esc returns to the text`() {
    let robot = editing("a tree, a Tree\nand a tree")
    robot.press("Ctrl-F")
    robot.type("tree")
    #expect(robot.screen.contains("Find: tree") && robot.screen.contains("1 of 3"))
    robot.press("Enter")
    #expect(robot.screen.contains("2 of 3"))
    robot.press("Up", "Up")
    #expect(robot.screen.contains("3 of 3") && robot.notice == "Past the top: on from the end.")
    robot.press("Esc")
    robot.type("X")
    #expect(robot.text == "a tree, a Tree\nand a X")
  }

  @Test func `replacing goes from match to match, and all are one step to undo`() {
    let robot = editing("a b a b a")
    robot.press("Ctrl-F")
    robot.type("a")
    robot.press("Tab")
    robot.type("XX")
    robot.take()
    robot.press("Enter")
    #expect(robot.text == "XX b a b a")
    #expect(robot.take() == ["post begin draft 1 of a.md \"a.md\" over r1: \"a b a b a\"", "post edits 1 0-1+\"XX\""])
    robot.press("Alt-A")
    #expect(robot.text == "XX b XX b XX" && robot.notice == "Replaced 2. Ctrl-_ undoes.")
    robot.press("Esc", "Ctrl-_")
    #expect(robot.text == "XX b a b a")
    robot.press("Ctrl-R")
    #expect(robot.text == "XX b XX b XX")
  }

  @Test func `new words and a new replacement take the place of the earlier ones`() {
    let robot = editing("one two three")
    robot.press("Ctrl-F")
    robot.type("two")
    robot.press("Tab")
    robot.type("OK")
    robot.press("Esc", "Ctrl-F")
    #expect(robot.screen.contains("Find: two"))
    robot.type("three")
    #expect(robot.screen.contains("Find: three") && robot.screen.contains("1 of 1"))
    robot.press("Tab")
    #expect(robot.screen.contains("Replace by: OK"))
    robot.type("X")
    robot.press("Enter")
    #expect(robot.text == "one two X")
    robot.press("Esc", "Home", "Ctrl-F", "End")
    robot.type("s")
    #expect(robot.screen.contains("Find: threes"))
    robot.press("Tab", "Right")
    robot.type("Y")
    #expect(robot.screen.contains("Replace by: XY"))
  }

  @Test func `a selection is offered to find, and the first letter replaces it`() {
    let robot = editing("agreed, all agreed")
    robot.press("Ctrl-Shift-Right", "Ctrl-F")
    #expect(robot.screen.contains("Find: agreed"))
    robot.type("all")
    #expect(robot.screen.contains("Find: all") && robot.screen.contains("1 of 1"))
  }

  @Test func `find in the part of a conflict says where it works, and the part stays`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: 9))
    robot.press("e")
    robot.type("mine ")
    let text = robot.text
    for key in ["Ctrl-F", "Ctrl-G"] {
      robot.press(key)
      #expect(robot.view == "conflict" && robot.text == text && robot.notice?.contains("A part has no find.") == true)
    }
  }

  @Test func `a match that is not there, and replacing nothing, are said`() {
    let robot = editing("text")
    robot.press("Ctrl-F")
    robot.type("q")
    #expect(robot.screen.contains("not found"))
    robot.press("Enter")
    #expect(robot.notice == "This text does not contain \"q\".")
    robot.press("Alt-A")
    #expect(robot.text == "text" && robot.notice == "This text does not contain \"q\".")
  }

  @Test(arguments: ["Ctrl-G", "Alt-G"])
  func `a line is gone to by its number`(key: String) {
    let robot = editing((1...100).map { "line \($0)" }.joined(separator: "\n"))
    robot.press(key)
    robot.type("70")
    #expect(robot.screen.contains("line 70"))
    robot.press("Enter")
    #expect(robot.screen.contains("line 70  column 1"))
    robot.press(key)
    robot.type("900")
    robot.press("Enter")
    #expect(robot.screen.contains("line 100  column 1"))
  }

  @Test func `the status line counts words, and gives way on a narrow screen`() {
    let robot = editing("one two\nthree")
    #expect(robot.screen.contains("3 words"))
    robot.type("a ")
    #expect(robot.screen.contains("4 words"))
    #expect(!editing("one", size: Size(40, 12)).screen.contains("word"))
  }

  @Test func `the words of a long text are counted after the keys`() {
    let robot = editing(String(repeating: "word and\n", count: 400_000))
    #expect(!robot.screen.contains("words"))
    for _ in 0..<4 { robot.happen(.lookedOn) }
    #expect(robot.screen.contains("800,000 words"))
  }

  @Test func `typing after a pause is an undo step of its own`() {
    let robot = editing("")
    robot.type("ab")
    robot.wait(seconds: 3)
    robot.type("cd")
    robot.press("Ctrl-_")
    #expect(robot.text == "ab")
  }

  @Test func `the form has the editor's keys, and says what needs a saved note`() {
    let robot = Robot(notes: [])
    robot.press("n")
    robot.type("x")
    robot.press("Enter")
    robot.type("- one\ntwo")
    #expect(robot.text == "- one\n- two")
    robot.press("Shift-Home", "Ctrl-X", "Ctrl-V", "Ctrl-V")
    #expect(robot.text == "- one\n- two- two")
    robot.press("Ctrl-F")
    #expect(robot.notice == "Ctrl-S saves the note first; then you can find in it.")
  }

  @Test(arguments: [
    ("# Title\ntext", "0-7 heading1"), ("### t", "0-5 heading3"), ("> said", "0-6 quote"), ("---", "0-3 rule"),
    ("- [x] done", "0-1 bullet, 2-5 checkbox"), ("12. `a`", "0-3 bullet, 4-7 code"),
    ("**b** and _e_", "0-2 dim, 3-5 dim, 10-11 dim, 12-13 dim"),
    ("snake_case 2 * 3", ""), ("[a](b) [[n]] #tag", "0-6 link, 7-12 link, 13-17 tag"), ("\\*a\\*", ""),
    ("```\ncode *a*\n```\n*b*", "0-3 dim, 4-12 code, 13-16 dim, 17-18 dim, 19-20 dim"),
  ])
  func `Markdown is highlighted by its marks`(text: String, roles: String) {
    let buffer = TextBuffer(Array(text.utf8))
    let tint = MarkdownTint(buffer, 0..<buffer.count)
    #expect(
      tint.roles.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.role.name)" }.joined(separator: ", ")
        == roles)
  }

  @Test func `a part of a text is highlighted as within the whole`() {
    let text = Array("```\na\nb *c*\n```\n# d\n".utf8)
    #expect(MarkdownTint(TextBuffer(text), 6..<11).roles == [TextRole(6..<11, .code)])
    #expect(MarkdownTint(TextBuffer(text), 18..<19).roles.map(\.role) == [.heading1])
  }
}
