import Basics
import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// The command line at the bottom.
@Suite struct CommandLineTests {
  @Test(arguments: [
    ("note edit a.md", "run edit outside a.md"), ("note edit a", "run edit outside a.md"),
    ("note rm a.md 'b c.md'", "run trash a.md b c.md"), ("note rm b\\ c.md", "run trash b c.md"),
    ("note mv a.md \"z z.md\"", "run rename a.md to z z.md"), ("note cat a", "run open a.md to read [notes.open]"),
    ("photo get hall/x.jpg --to ~/in", "run download photos/hall/x.jpg to ~/in"),
    ("photo get hall/x.jpg y.jpg", "run download photos/hall/x.jpg photos/y.jpg to ~/Downloads"),
    ("photo put ~/a.jpg ~/b.jpg", "run upload ~/a.jpg ~/b.jpg"),
    ("photo rm y.jpg", "run trash photos/y.jpg"), ("photo mv y.jpg z.jpg", "run rename photos/y.jpg to z.jpg"),
    ("photo info y.jpg", "run info photos/y.jpg [photos.info]"),
    ("photo view y.jpg", "run view photos/y.jpg [photos.view]"), ("quit", "quit"), ("q", "quit"),
  ])
  func `a verb does what its key does`(line: String, command: String) {
    for tab in ["1", "2"] {
      let robot = robot()
      robot.press(tab)
      robot.take()
      enter(line, robot)
      #expect(robot.take().last == command)
      #expect(robot.state.line == nil && robot.state.frame.notice == nil)
    }
  }

  @Test(arguments: [
    ("trash ls", "\"trash ls\" works in a shell only: type \"byteclub trash ls\" there. Tab shows what works here."),
    (
      "photo put a.jpg --quality 3",
      "\"photo put a.jpg --quality 3\" works in a shell only: type \"byteclub photo put a.jpg --quality 3\" there. "
        + "Tab shows what works here."
    ),
    ("20", "byteclub has no command \"20\". Tab shows what works here."),
    ("wq", "byteclub has no command \"wq\". Tab shows what works here."),
    ("note edit", "Usage: note edit NAME"), ("note mv a.md", "Usage: note mv NAME NEW-NAME, note mv NAME... FOLDER/"),
    ("photo get y.jpg --to", "Usage: photo get NAME... --to DIR"),
    ("photo get --to x", "Usage: photo get NAME... --to DIR"), ("search", "Usage: search WORDS"),
    ("note rm a.md gone.md", "The club has no note called \"gone.md\"."),
    ("photo info gone.jpg", "The club has no photo called \"gone.jpg\"."),
  ])
  func `what cannot be done is reported, and nothing is done`(line: String, sentence: String) {
    let robot = robot()
    enter(line, robot)
    #expect(robot.notice == sentence && robot.take().isEmpty)
  }

  @Test func `photos that were never listed are said to be`() {
    let robot = Robot(notes: ["a.md"])
    enter("photo rm x.jpg", robot)
    #expect(robot.notice == "The list of photos is not loaded yet. Open their tab, then try again.")
  }

  @Test func `an empty line does nothing`() {
    let robot = robot()
    enter("  ", robot)
    #expect(robot.take().isEmpty && robot.notice == nil && robot.state.history.isEmpty)
  }

  @Test func `search asks for names and texts, shows what was found, and Esc shows all`() throws {
    let robot = robot(["a.md", "b c.md", "d.md"])
    enter("search pier", robot)
    #expect(robot.take().last == "run search pier [notes.search]")
    #expect(robot.notice == "Searching names and texts for \"pier\". Esc stops.")
    #expect(robot.rows.count == 3)
    let found = [FoundFile(try StorePath("d.md")), FoundFile(try StorePath("a.md"))]
    robot.happen(.files(.found("pier", found, total: 3, remark: " By name only: 1 not text.")))
    #expect(robot.rows == ["a.md", "d.md"])
    #expect(robot.notice == "2 of 3 notes have \"pier\" in name or text. By name only: 1 not text. Esc shows all.")
    robot.press("/")
    robot.type("d.")
    robot.press("Enter")
    #expect(robot.rows == ["d.md"])
    robot.press("Esc")
    #expect(robot.rows.count == 3)
  }

  @Test func `what an older search finds is not shown, and Esc stops a search`() throws {
    let robot = robot(["a.md", "b c.md", "d.md"])
    enter("search pier", robot)
    enter("search tide", robot)
    robot.happen(.files(.found("pier", [FoundFile(try StorePath("d.md"))], total: 3, remark: "")))
    #expect(robot.rows.count == 3)
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [notes.search]"])
    robot.happen(.files(.found("tide", [FoundFile(try StorePath("d.md"))], total: 3, remark: "")))
    #expect(robot.rows.count == 3)
    #expect(robot.notice == "The search has stopped.")
  }

  @Test func `a search that finds nothing says what was searched`() {
    let robot = robot(["a.md", "b c.md", "d.md"])
    enter("search pier", robot)
    robot.happen(.files(.found("pier", [], total: 3, remark: "")))
    #expect(robot.notice == "No note of 3 has \"pier\" in its name or text. Esc shows all.")
  }

  @Test func `photos are searched by their names and captions`() throws {
    let robot = robot()
    robot.press("2")
    enter("search hall", robot)
    #expect(robot.notice == "Searching names and captions for \"hall\". Esc stops.")
    let found = [FoundFile(try StorePath("photos/hall/x.jpg"))]
    robot.happen(.photos(.files(.found("hall", found, total: 2, remark: ""))))
    #expect(robot.rows == ["hall/x.jpg"])
    #expect(robot.notice == "1 of 2 photos has \"hall\" in name or caption. Esc shows all.")
  }

  @Test(arguments: ["cafe", "CAFE\u{301}", "café"])
  func `find takes letters with and without accents for the same`(typed: String) {
    let robot = robot(["a.md", "cafe\u{301}.md", "Café 2.md", "cafe 3.md"])
    robot.press("/")
    robot.type(typed)
    #expect(robot.rows.count == 3)
  }

  @Test func `help opens the help, and quit asks while a transfer runs`() {
    let robot = robot()
    enter("help", robot)
    #expect(robot.state.help != nil)
    robot.press("Esc")
    enter("photo put ~/a.jpg", robot)
    robot.take()
    enter("quit", robot)
    #expect(robot.take() == ["run ask to leave [transfers.leave]"])
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    #expect(robot.question == "A transfer is under way. Quit?" && robot.take().isEmpty)
  }

  @Test(arguments: [
    ("no", "note "), ("n", "n"), ("note e", "note edit "), ("photo ", "photo "), ("note edit a", "note edit a.md "),
    ("note edit b", "note edit \"b c.md\" "), ("note edit \"b", "note edit \"b c.md\" "),
    ("photo get h", "photo get hall/x.jpg "), ("photo get hall/x.jpg y", "photo get hall/x.jpg y.jpg "),
    ("note mv a.md b", "note mv a.md b"), ("photo put y", "photo put y"), ("trash ", "trash "), ("zz", "zz"),
    ("note edit c", "note edit cafe\u{301}.md "), ("note edit caf\u{E9}", "note edit caf\u{E9}"),
  ])
  func `Tab completes nouns, verbs and names`(typed: String, completed: String) {
    let robot = robot(["a.md", "b c.md", "cafe\u{301}.md"])
    robot.press(":")
    robot.type(typed)
    robot.press("Tab")
    #expect(robot.state.line.map { Array($0.field.bytes) } == Array(completed.utf8))
  }

  @Test func `what several names share is completed, and then they are shown`() {
    let robot = robot(["my note 1.md", "my note 2.md", "other.md"])
    robot.press(":")
    robot.type("note rm m")
    robot.press("Tab")
    #expect(robot.state.line?.field.string == "note rm \"my note ")
    robot.press("Tab")
    #expect(robot.notice == "my note 1.md  my note 2.md")
    robot.type("2")
    robot.press("Tab", "Enter")
    #expect(robot.take().last == "run trash my note 2.md")
  }

  @Test func `arrows go through what was typed before, and back to what is being typed`() {
    let robot = robot()
    enter("search a", robot)
    enter("search b", robot)
    enter("search b", robot)
    robot.press(":")
    robot.type("half")
    let shown = ["Up", "Up", "Up", "Down", "Down", "Down"].map { key in
      robot.press(key)
      return robot.state.line?.field.string ?? ""
    }
    #expect(shown == ["search b", "search a", "search a", "search b", "half", "half"])
  }

  @Test func `keys and pasted text are text in the line; Esc and Ctrl-C close it`() {
    let robot = robot()
    for key in ["Esc", "Ctrl-C"] {
      robot.press(":")
      robot.type("q?1/x:")
      robot.paste(" D")
      #expect(robot.state.line?.field.string == "q?1/x: D" && robot.screen.contains(":q?1/x: D"))
      robot.press(key)
      #expect(robot.state.line == nil && robot.question == nil && robot.take().isEmpty)
    }
    #expect(robot.grid.text(ofRow: 22) == "")
  }

  @Test func `the line opens over a view, and the mouse and a click on a tab wait for it`() {
    let robot = robot()
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press(":")
    robot.mouse(.press, 16, 0)
    #expect(robot.state.tab == .notes && robot.view == "reader" && robot.state.line != nil)
    robot.type("note cat b\\ c")
    robot.press("Enter")
    #expect(robot.view == "opening")
    robot.press("Esc", "Esc")
    #expect(robot.view.isEmpty)
  }

  @Test(arguments: [
    ("a b", ["a", "b"]), ("  a  ", ["a"]), ("'a b'c", ["a bc"]), ("\"a'b\" 'c\"d'", ["a'b", "c\"d"]),
    ("a\\ b \\\"", ["a b", "\""]), ("'a\\b'", ["a\\b"]), ("''", [""]), ("\"open", ["open"]), ("", []),
  ])
  func `words are split as a shell does`(line: String, words: [String]) {
    #expect(TypedWords(line).words == words)
  }

  @Test(arguments: ["plain", "two words", "it's", "say \"x\"", "back\\slash", "漢字 👩‍👩‍👧"])
  func `a quoted word is read as the word`(word: String) {
    #expect(TypedWords(TypedWords.quoted(word)).words == [word])
  }

  private func robot(_ notes: [String] = ["a.md", "b c.md", "d.md"]) -> Robot {
    let robot = Robot(notes: notes)
    robot.press("2")
    robot.happen(photos: .listed(Samples.table(["hall/x.jpg", "y.jpg"], folder: "photos")))
    robot.press("1")
    robot.take()
    return robot
  }

  private func enter(_ line: String, _ robot: Robot) {
    robot.press(":")
    robot.type(line)
    robot.press("Enter")
  }
}
