import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The editor with vi's keys: modes, leaving, and the keys that the app keeps.
@Suite struct ViScreenTests {
  static func editing(
    _ text: String = "one two\nthree", size: Size = Size(80, 24), keys: EditorKeys = .vi
  ) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size, editorKeys: keys)
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("i")
    robot.take()
    return robot
  }

  @Test func `the editor begins in normal mode and shows the mode and the pending keys`() {
    let robot = Self.editing()
    #expect(robot.screen.contains("NORMAL  unchanged  line 1  column 1"))
    robot.type("2d")
    #expect(robot.screen.contains("NORMAL 2d  unchanged"))
    robot.type("w")
    #expect(robot.text == "\nthree" && robot.screen.contains("NORMAL  changed"))
    robot.type("ix")
    #expect(robot.screen.contains("INSERT  changed  line 1  column 2"))
    robot.press("Esc")
    #expect(robot.text == "x\nthree" && robot.screen.contains("NORMAL  changed  line 1  column 1"))
    robot.type("v")
    #expect(robot.screen.contains("VISUAL"))
  }

  @Test func `each edit goes to the draft at once`() {
    let robot = Self.editing("ab")
    robot.type("x")
    #expect(robot.take().contains { $0.contains("draft 1") })
    robot.type("ic")
    #expect(robot.take().count == 1)
    robot.press("Esc")
    robot.type("l")
    #expect(robot.take().isEmpty)
  }

  @Test func `Esc never closes the editor`() {
    let robot = Self.editing()
    robot.press("Esc", "Esc")
    #expect(robot.view == "editor" && robot.question == nil)
    robot.type("x")
    robot.press("Esc", "Esc")
    #expect(robot.view == "editor" && robot.question == nil && robot.text == "ne two\nthree")
    robot.press("i", "Esc", "Esc")
    #expect(robot.view == "editor" && robot.question == nil)
  }

  @Test func `Esc and a key right behind it, which come as Alt with the key, are two keys`() {
    let robot = Self.editing("ab cd")
    robot.type("ix")
    robot.press("Alt-w")
    #expect(robot.text == "xab cd" && robot.screen.contains("NORMAL  changed  line 1  column 5"))
    robot.type("3iy")
    robot.press("Alt-x")
    #expect(robot.text == "xab yycd")
    robot.type("A!")
    robot.press("Alt-:")
    robot.type("w\n")
    #expect(robot.take().contains { $0.contains("save") })
  }

  @Test func `Ctrl-C ends a mode, and otherwise says how to leave`() {
    let robot = Self.editing()
    robot.press("i", "Ctrl-C")
    #expect(robot.screen.contains("NORMAL") && robot.notice == nil)
    robot.press("Ctrl-C")
    #expect(robot.view == "editor" && robot.question == nil)
    #expect(robot.notice == ":q leaves the editor, :wq saves and leaves.")
  }

  @Test(arguments: [":w\n", "Ctrl-S"]) func `w saves and stays`(typed: String) {
    let robot = Self.editing("ab")
    robot.type("x")
    robot.take()
    if typed.hasPrefix("Ctrl") { robot.press(typed) } else { robot.type(typed) }
    #expect(robot.take().contains("run save a.md over r1: \"b\" draft 1"))
    #expect(robot.view == "editor" && robot.screen.contains("NORMAL"))
  }

  @Test(arguments: [":wq\n", ":x\n", "ZZ"]) func `these save and close`(typed: String) {
    let robot = Self.editing("ab")
    robot.type("x")
    robot.take()
    robot.type(typed)
    #expect(robot.take().contains("run save a.md over r1: \"b\" draft 1"))
    #expect(robot.view == "reader")
  }

  @Test(arguments: ["Ctrl-S", "Ctrl-Q"]) func `the keys for saving work while inserting`(key: String) {
    let robot = Self.editing("ab")
    robot.type("ix")
    robot.take()
    robot.press(key)
    #expect(robot.take().contains("run save a.md over r1: \"xab\" draft 1"))
    #expect(robot.view == (key == "Ctrl-S" ? "editor" : "reader"))
    guard key == "Ctrl-S" else { return }
    #expect(robot.screen.contains("INSERT"))
    robot.type("y")
    #expect(robot.text == "xyab")
  }

  @Test func `q asks if the text has changed`() {
    let robot = Self.editing("ab")
    robot.type("x:q\n")
    #expect(robot.question?.hasPrefix("Discard the text?") == true && robot.view == "editor")
    robot.press("n")
    #expect(robot.view == "editor" && robot.text == "b")
    robot.type(":q\n")
    robot.press("y")
    #expect(robot.view == "reader")
  }

  @Test func `q closes an unchanged text at once`() {
    let robot = Self.editing("ab")
    robot.type(":q\n")
    #expect(robot.view == "reader" && robot.question == nil)
  }

  @Test(arguments: [":q!\n", "ZQ"]) func `these discard the text without a question, and it waits for a week`(
    typed: String
  ) {
    let robot = Self.editing("ab")
    robot.type("x")
    robot.take()
    robot.type(typed)
    #expect(robot.view == "reader" && robot.question == nil)
    #expect(robot.take() == ["run drop draft 1"])
  }

  @Test func `a command that byteclub does not know is said to be so`() {
    let robot = Self.editing()
    robot.type(":set nu\n")
    #expect(robot.notice == "byteclub does not know \":set nu\". It knows :w :q :q! :wq :x and :NUMBER.")
    robot.type("Q")
    #expect(robot.notice == "vi's Q does nothing here. F1 shows the keys.")
  }

  @Test func `the open line is below the text, with the cursor`() {
    let robot = Self.editing()
    robot.type("/thr")
    #expect(robot.screen.contains("/thr"))
    #expect(robot.grid.cursor?.y == 21)
    robot.press("Enter")
    #expect(robot.screen.contains("line 2  column 1") && !robot.screen.contains("/thr"))
    robot.type(":")
    robot.press("Esc")
    #expect(robot.view == "editor" && robot.screen.contains("NORMAL"))
  }

  @Test func `yanked text goes to the terminal's clipboard and into other notes, lines as lines`() {
    let robot = Self.editing()
    robot.type("yy")
    #expect(robot.take() == ["copy one two\n"])
    #expect(robot.notice?.hasPrefix("Copied 8 ") == true)
    robot.type("ddp")
    #expect(robot.text == "three\none two")
    robot.type(":q!\n")
    robot.press("Esc")
    robot.happen(.asked(Samples.path("b.md")))
    robot.happen(.opened(Samples.note("b.md", "x"), .read))
    robot.press("i")
    robot.type("P")
    #expect(robot.text == "one two\nx")
  }

  @Test func `the help shows vi's keys first`() {
    let robot = Self.editing()
    robot.press("F1")
    #expect(robot.screen.contains("Editor with vi's keys"))
    robot.press("Esc")
    #expect(robot.view == "editor")
    let emacs = Self.editing(keys: .emacs)
    emacs.press("F1")
    #expect(!emacs.screen.contains("Editor with vi's keys"))
  }

  @Test func `find and replace opens while inserting`() {
    let robot = Self.editing()
    robot.press("i", "Ctrl-F")
    #expect(robot.screen.contains("Find:"))
    robot.press("Esc", "Esc", "Ctrl-F")
    #expect(!robot.screen.contains("Find:") && robot.screen.contains("NORMAL"))
  }

  @Test func `the text of a new note has vi's keys, its name has not`() {
    let robot = Robot(notes: ["a.md"], editorKeys: .vi)
    robot.press("n")
    robot.type("dd")
    robot.press("Tab")
    #expect(robot.screen.contains("NORMAL"))
    robot.type("ione")
    robot.press("Esc", "Esc")
    #expect(robot.view == "form" && robot.text == "one")
    robot.take()
    robot.type(":wq\n")
    #expect(robot.take().contains { $0.hasPrefix("run create dd: \"one\"") })
  }

  @Test func `the footer of an open line has its keys, and Esc closes the line alone`() {
    let robot = Self.editing()
    robot.type(":")
    #expect(robot.footer.contains("Enter run") && !robot.footer.contains("Tab"))
    robot.press("Esc")
    #expect(robot.footer.contains(":q Cancel"))
  }

  @Test func `emacs's keys are the default`() {
    let robot = Self.editing("ab", keys: .emacs)
    robot.type("x")
    #expect(robot.text == "xab" && !robot.screen.contains("INSERT"))
    robot.press("Esc")
    #expect(robot.question != nil)
  }
}
