import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct EditorTests {
  @Test func `Ctrl-Z in a sentence undoes, and suspends nothing`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press("i")
    robot.type("x")
    robot.take()
    robot.press("Ctrl-Z")
    #expect(!robot.take().contains("suspend") && robot.text == "text")
  }

  private func editing(_ text: String = "first\nsecond") -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("i")
    robot.take()
    return robot
  }

  @Test func `Enter opens at once, says that it loads, and reads`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    #expect(robot.take() == ["run open a.md to read [notes.open]"])
    #expect(robot.view == "opening")
    #expect(robot.screen.contains("Loading."))
    robot.happen(.opened(Samples.note("a.md", "the text"), .read))
    #expect(robot.view == "reader")
    #expect(robot.screen.contains("the text"))
  }

  @Test func `a note that comes after its view was closed is not shown`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter", "Esc")
    #expect(robot.take().last == "cancel [notes.open]")
    robot.happen(.opened(Samples.note("a.md", "late"), .read))
    #expect(robot.view.isEmpty)
  }

  @Test(arguments: ["i", "Enter"])
  func `editing begins at the first character`(key: String) {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "first\nsecond"), .read))
    robot.press(key)
    #expect(robot.view == "editor")
    #expect(robot.grid.cursor == Point(1, 2))
    #expect(robot.screen.contains("unchanged  line 1  column 1"))
  }

  @Test func `the draft begins with the first edit and gets each edit in order`() {
    let robot = editing("ab")
    robot.press("Right")
    #expect(robot.take().isEmpty)
    robot.type("xy")
    robot.press("Backspace", "Enter")
    #expect(
      robot.take() == [
        "post begin draft 1 of a.md \"a.md\" over r1: \"ab\"", "post edits 1 1-0+\"x\"", "post edits 1 2-0+\"y\"",
        "post edits 1 2-1+\"\"", "post edits 1 2-0+\"\n\"",
      ])
    #expect(robot.text == "ax\nb")
  }

  @Test func `Done saves over the revision that was read, and closes`() {
    let robot = editing("ab")
    robot.type("x")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r1: \"xab\" draft 1"])
    #expect(robot.view == "reader")
    #expect(robot.screen.contains("xab"))
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    #expect(robot.notice == "Saved \"a.md\".")
    robot.press("i")
    robot.type("y")
    robot.press("Ctrl-Q")
    #expect(robot.take().last == "run save a.md over r2: \"yxab\" draft 2")
  }

  @Test func `the reader below a conflict knows the revision that the choice made`() {
    let robot = editing("ab")
    robot.type("x")
    robot.press("Ctrl-Q")
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md", mine: "xab")), session: 1))
    robot.press("m", "Ctrl-S")
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r3")), session: 1))
    #expect(robot.take().last == "run open a.md to reread [notes.open]")
    robot.happen(.opened(Samples.note("a.md", "xab", revision: "r3"), .reread))
    robot.press("i")
    robot.type("y")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r3: \"yxab\" draft 2"])
  }

  @Test func `the note is marked until the store has it`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-Q", "Esc")
    #expect(robot.grid.text(ofRow: 2).contains("saving"))
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    #expect(!robot.grid.text(ofRow: 2).contains("saving"))
  }

  @Test func `a text that could not be sent is kept, marked and reported`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-Q", "Esc")
    robot.happen(
      .saved(Samples.path("a.md"), .kept(3, StoreError(.offline, "The store cannot be reached.")), session: 1))
    #expect(robot.notice == "Your text is kept on this machine, not yet in the club. The store cannot be reached.")
    #expect(robot.take().last == "run look waiting [notes.waiting]")
    robot.happen(.waiting([Samples.unsent("a.md")]))
    #expect(robot.grid.text(ofRow: 2).contains("to send"))
  }

  @Test func `the notice of a text that waits ends when the text is sent, not before`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-Q", "Esc")
    robot.happen(
      .saved(Samples.path("a.md"), .kept(3, StoreError(.offline, "The store cannot be reached.")), session: 1))
    robot.happen(.waiting([Samples.unsent("a.md"), Samples.unsent("b.md")]))
    // Troubles that come by themselves leave it.
    robot.happen(.files(.watchInterrupted(StoreError(.offline, "No."))))
    robot.happen(.sent(Samples.path("b.md"), .saved(Samples.entry("b.md", revision: "r2"))))
    #expect(robot.notice?.hasPrefix("Your text is kept") == true)
    robot.happen(.sent(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2"))))
    #expect(robot.notice == "Saved \"a.md\".")
    robot.happen(.sentAll(nil, []))
    #expect(robot.notice == "Saved 2: \"b.md\", \"a.md\".")
  }

  @Test func `Done without a change saves nothing`() {
    let robot = editing()
    robot.press("Down", "Ctrl-Q")
    #expect(robot.take().isEmpty)
    #expect(robot.view == "reader")
  }

  @Test func `Done after a change that was undone saves nothing and drops the draft`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-_")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run delete draft 1"])
    #expect(robot.view == "reader")
  }

  @Test(arguments: ["Esc", "Ctrl-C"])
  func `Cancel without a change closes, and asks when text would be lost`(key: String) {
    let robot = editing()
    robot.press(key)
    #expect(robot.view == "reader" && robot.question == nil)
    robot.press("i")
    robot.type("x")
    robot.press(key)
    #expect(robot.question == "Discard the text? It stays in :waiting for a week.")
    robot.press(key)
    #expect(robot.view == "editor" && robot.question == nil && robot.text == "xfirst\nsecond")
    robot.press(key)
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run drop draft 2"])
    #expect(robot.view == "reader")
  }

  @Test func `a question is not answered by what happens elsewhere`() {
    let robot = editing()
    robot.type("x")
    robot.press("Esc")
    robot.happen(.reported("Opened."))
    robot.happen(.saved(Samples.path("b.md"), .saved(Samples.entry("b.md")), session: 9))
    #expect(robot.question != nil)
    let photos = Robot(photos: ["a.jpg"])
    photos.press("D")
    photos.happen(photos: .reported("Opened."))
    #expect(photos.question != nil)
  }

  @Test(arguments: ["Ctrl-A", "Ctrl-E", "Ctrl-K", "Ctrl-Y", "Ctrl-W", "Alt-B", "Alt-F", "Home", "End"])
  func `emacs's keys work on the text`(key: String) {
    let robot = editing("one two")
    robot.press("Right", "Right", "Right", "Right", "Right")
    robot.press("Ctrl-K")
    let before = (robot.text, robot.grid.cursor)
    robot.press(key)
    let isSame = robot.text == before.0 && robot.grid.cursor == before.1
    #expect(isSame == (["Ctrl-E", "Ctrl-K", "End", "Alt-F"].contains(key)))
  }

  @Test func `a note that is no text is shown and not edited`() {
    let robot = Robot(notes: ["a.bin"])
    robot.press("Enter")
    robot.happen(.opened(OpenNote(entry: Samples.entry("a.bin"), bytes: [0x61, 0, 0xFF], draft: nil), .read))
    robot.press("i")
    #expect(robot.view == "reader")
    #expect(robot.notice?.contains("is not UTF-8 text") == true)
    #expect(robot.grid.text(ofRow: 1).contains("read-only"))
  }

  @Test(arguments: [Array("caf".utf8) + [0xE9], [0xFF, 0xFE, 0x63, 0, 0x61, 0, 0x66, 0, 0xE9, 0]])
  func `a text in another encoding is edited in UTF-8, if the member agrees`(bytes: [UInt8]) {
    let robot = Robot(notes: ["a.txt"])
    robot.press("Enter")
    robot.happen(.opened(OpenNote(entry: Samples.entry("a.txt"), bytes: bytes, draft: nil), .read))
    #expect(robot.notice == "\"a.txt\" is not UTF-8 text. i edits it as UTF-8.")
    robot.press("i")
    #expect(robot.question == "Edit \"a.txt\" as UTF-8?")
    robot.press("n")
    #expect(robot.view == "reader" && robot.question == nil)
    robot.press("i", "y")
    #expect(robot.view == "editor" && robot.text == "caf\u{E9}")
  }

  @Test func `a note that changes while it is read is read anew, where it was`() {
    let robot = Robot(notes: ["a.md"])
    let text = (0..<200).map { "line \($0)\n" }.joined()
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("PgDn")
    let top = robot.grid.text(ofRow: 2)
    robot.take()
    robot.happen(
      .changed(ChangeSet(changes: [.present(Samples.entry("a.md", revision: "r2"))], cursor: ChangeCursor("1"))))
    #expect(robot.take() == ["run open a.md to reread [notes.open]"])
    robot.happen(.opened(Samples.note("a.md", text + "more", revision: "r2"), .reread))
    #expect(robot.grid.text(ofRow: 2) == top)
    #expect(robot.notice == "\"a.md\" has changed. This is the new text.")
  }

  @Test(
    arguments: [
      (NoteWriter.member("ann"), "ann changed", "ann's words came in: 1 line."),
      (.own(isHere: false), "You, on another machine, changed", "Your words on another machine came in: 1 line."),
      (.own(isHere: true), "You, in another window, changed", "Your words in another window came in: 1 line."),
    ] as [(NoteWriter, String, String)])
  func `a member is no other one to the reader and the editor`(writer: NoteWriter, words: String, came: String) {
    let reading = Robot(notes: ["a.md"])
    reading.press("Enter")
    reading.happen(.opened(Samples.note("a.md", "old"), .read))
    var note = Samples.note("a.md", "new", revision: "r2")
    note.writer = writer
    reading.happen(.opened(note, .reread))
    #expect(reading.notice == "\(words) \"a.md\". This is the new text.")
    let robot = editing("first\n\nsecond\n")
    robot.type("x")
    robot.take()
    let entry = Samples.entry("a.md", revision: "r2", member: "ray")
    robot.happen(.changed(ChangeSet(changes: [.present(entry)], cursor: ChangeCursor("1"))))
    #expect(
      robot.take().filter { !$0.hasPrefix("run details") } == [
        "run read newer a.md over r1: \"first\n\nsecond\n\" draft 1"
      ])
    let old = Array("first\n\nsecond\n".utf8)
    let newer = NewerNote(entry, text: Array("first\n\nsecond!\n".utf8), writer: writer, base: old)
    robot.happen(.newerRead(newer, over: Revision("r1"), session: 1))
    #expect(robot.notice == came)
    #expect(robot.text == "xfirst\n\nsecond!\n")
  }

  @Test func `what is typed in an editor over it stays when the note changes`() {
    let robot = editing()
    robot.type("x")
    robot.take()
    robot.happen(
      .changed(ChangeSet(changes: [.present(Samples.entry("a.md", revision: "r2"))], cursor: ChangeCursor("1"))))
    #expect(robot.text == "xfirst\nsecond" && robot.notice == nil)
    robot.press("Ctrl-Q")
    #expect(robot.take().last == "run save a.md over r1: \"xfirst\nsecond\" draft 1")
  }

  @Test func `what others do to other notes, and what is known already, is not reported in an editor`() {
    let robot = editing()
    let news: [ChangeSet.Change] = [
      .present(Samples.entry("b.md", revision: "r2")), .present(Samples.entry("a.md", revision: "r1")),
      .absent(Samples.path("c.md")),
    ]
    robot.happen(.changed(ChangeSet(changes: news, cursor: ChangeCursor("1"))))
    #expect(robot.notice == nil)
    robot.happen(.changed(ChangeSet(changes: [.absent(Samples.path("a.md"))], cursor: ChangeCursor("2"))))
    #expect(robot.notice?.hasPrefix("\"a.md\" was deleted or renamed in the meantime.") == true)
  }

  @Test func `a resized editor keeps text and cursor`() {
    let robot = editing(String(repeating: "word ", count: 100))
    robot.press("End")
    robot.type("!")
    robot.resize(40, 12)
    #expect(robot.grid.cursor != nil)
    #expect(robot.screen.contains("!"))
    robot.resize(20, 5)
    robot.type("?")
    robot.resize(80, 24)
    #expect(robot.text?.hasSuffix("!?") == true)
  }
}
