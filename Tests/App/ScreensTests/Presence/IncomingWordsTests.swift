import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// A note takes in what another member saves while it is edited.
@Suite struct IncomingWordsTests {
  private static let path = Samples.path("a.md")
  private static let text = "one\ntwo\nthree\n"
  private static let asked = "run read newer a.md over r1: \"one\ntwo\nthree\n\" draft 1"

  private func editing(_ text: String = text) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("i")
    robot.take()
    return robot
  }

  private func changed(_ robot: Robot, _ revision: String = "r2") {
    let entry = Samples.entry("a.md", revision: revision, member: "ann")
    robot.happen(.changed(ChangeSet(changes: [.present(entry)], cursor: ChangeCursor(revision))))
  }

  private func newer(
    _ robot: Robot, _ text: String, _ revision: String = "r2", base: String? = text, over: String = "r1",
    session: Int = 1
  ) {
    let newer = NewerNote(
      Samples.entry("a.md", revision: revision, member: "ann"), text: Array(text.utf8), writer: .member("ann"),
      base: base.map { Array($0.utf8) })
    robot.happen(.newerRead(newer, over: Revision(over), session: session))
  }

  /// The commands since the last call, without what the list asks for.
  private func commands(_ robot: Robot) -> [String] {
    robot.take().filter { !$0.hasPrefix("run details") && !$0.hasPrefix("run look on") }
  }

  @Test func `another member's save comes into the open text, and the draft goes on over it`() {
    let robot = editing()
    robot.press("Down", "Down")
    robot.type("x")
    robot.take()
    changed(robot)
    #expect(commands(robot) == [Self.asked] && robot.notice == nil)
    newer(robot, "ONE\nand more\ntwo\nthree\n")
    #expect(robot.text == "ONE\nand more\ntwo\nxthree\n")
    #expect(robot.notice == "ann's words came in: 2 lines.")
    #expect(robot.screen.contains("changed  line 4  column 2"))
    #expect(
      commands(robot) == [
        "post begin draft 2 of a.md \"a.md\" over r2: \"ONE\nand more\ntwo\nthree\n\"",
        "post edits 2 17-0+\"x\"", "run delete draft 1",
      ])
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r2: \"ONE\nand more\ntwo\nxthree\n\" draft 2")
  }

  @Test func `undo and redo change one's own words alone, and the log of the draft fits`() {
    let robot = editing()
    robot.press("Ctrl-End")
    robot.type("four")
    changed(robot)
    newer(robot, "zero\none\ntwo\nthree\n")
    robot.take()
    robot.press("Ctrl-_")
    #expect(robot.text == "zero\none\ntwo\nthree\n")
    #expect(commands(robot) == ["post edits 2 19-4+\"\""])
    robot.press("Alt-_")
    #expect(robot.text == "zero\none\ntwo\nthree\nfour")
    robot.press("Ctrl-_", "Ctrl-_")
    #expect(robot.text == "zero\none\ntwo\nthree\n" && robot.notice == "Nothing to undo.")
  }

  @Test func `a text without a change takes the newer one, begins no draft and stays unchanged`() {
    let robot = editing()
    changed(robot)
    newer(robot, "one\ntwo\n3\n")
    #expect(robot.text == "one\ntwo\n3\n" && robot.screen.contains("unchanged"))
    #expect(!robot.take().contains { $0.contains("draft 2") || $0.hasPrefix("post begin") })
    robot.type("x")
    #expect(robot.take().contains("post begin draft 1 of a.md \"a.md\" over r2: \"one\ntwo\n3\n\""))
    robot.press("Ctrl-_", "Esc")
    // The reader below has the newer text, too.
    #expect((robot.state.notes.views.last as? NoteReader)?.note.bytes == Array("one\ntwo\n3\n".utf8))
  }

  @Test func `places that both changed stay, and the editor's line says so until a save`() {
    let robot = editing()
    robot.type("my ")
    changed(robot)
    newer(robot, "her one\ntwo\n3\n")
    #expect(robot.text == "my one\ntwo\n3\n")
    let notice = "Both changed the same lines: your save will ask. ann's words came in: 1 line."
    #expect(robot.notice == notice && robot.screen.contains(notice))
    #expect(robot.screen.contains("both changed the same lines"))
    // Nothing more is asked about this version, and the save is over the one that both have seen.
    robot.take()
    changed(robot)
    #expect(commands(robot).isEmpty)
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r1: \"my one\ntwo\n3\n\" draft 2")
    robot.happen(
      .saved(Self.path, .saved(Samples.entry("a.md", revision: "r3")), session: 2))
    #expect(!robot.screen.contains("both changed"))
  }

  @Test func `a change of the same place alone is said, too`() {
    let robot = editing("one\n")
    robot.type("my ")
    changed(robot)
    newer(robot, "her one\n", base: "one\n")
    #expect(robot.text == "my one\n")
    #expect(robot.notice == "ann changed the same lines. Yours stay; your save will ask.")
  }

  @Test func `it waits for a question, a search, help and a menu, and comes afterwards`() {
    let openings: [(open: [String], close: [String])] = [
      (["Esc"], ["n"]), (["Ctrl-F"], ["Esc"]), (["F1"], ["Esc"]), (["Alt-I"], ["Esc"]),
    ]
    for (open, close) in openings {
      let robot = editing()
      robot.type("x")
      for key in open { robot.press(key) }
      robot.take()
      changed(robot)
      #expect(commands(robot).isEmpty, "\(open)")
      for key in close { robot.press(key) }
      #expect(robot.view == "editor" && commands(robot).contains(Self.asked), "\(open)")
    }
  }

  @Test func `it waits for the list of names at a link and for a save`() {
    let list = editing()
    list.type("[[b")
    list.take()
    changed(list)
    #expect(commands(list).isEmpty)
    list.press("Esc")
    #expect(list.view == "editor" && commands(list).contains(Self.asked))

    let saving = editing()
    saving.type("x")
    saving.press("Ctrl-S")
    saving.take()
    changed(saving)
    #expect(commands(saving).isEmpty)
    saving.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), StoreError(.quota, "Full.")))
    #expect(commands(saving).contains(Self.asked))
  }

  @Test func `a sentence that both changed asks for a look`() {
    let robot = editing("The old boat leaves at nine.\n")
    for _ in 0..<7 { robot.press("Right") }
    robot.press("Backspace", "Backspace", "Backspace")
    robot.type("new")
    changed(robot)
    let base = "The old boat leaves at nine.\n"
    newer(robot, "The old boat leaves at ten.\n", base: base)
    #expect(robot.text == "The new boat leaves at ten.\n")
    #expect(robot.notice == "Both changed one sentence: read it again. ann's words came in: 1 line.")
  }

  @Test func `a removal is no word that came in`() {
    let robot = editing()
    changed(robot)
    newer(robot, "one\nthree\n")
    #expect(robot.text == "one\nthree\n" && robot.notice == "ann changed 1 line here.")
  }

  @Test func `a text that could not be read is no change, unless one was reported`() {
    let robot = editing()
    robot.happen(.notes(.reconnected))
    #expect(commands(robot).contains(Self.asked))
    robot.happen(.failed(.readNewer(Self.path, over: nil, from: nil, session: 1), StoreError(.offline, "Away.")))
    #expect(robot.notice == nil)
  }

  @Test func `what comes while the member has begun something else is read again afterwards`() {
    let robot = editing()
    robot.type("x")
    changed(robot)
    robot.press("Ctrl-F")
    robot.take()
    newer(robot, "one\ntwo\n3\n")
    #expect(robot.text == "x" + Self.text && robot.notice == nil)
    robot.press("Esc")
    #expect(commands(robot).contains(Self.asked))
  }

  @Test func `the member's own save is not read again, and what comes meanwhile is`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.take()
    changed(robot, "r2")
    #expect(commands(robot).isEmpty)
    robot.happen(.saved(Self.path, .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    #expect(!commands(robot).contains { $0.contains("read newer") })
    robot.type("y")
    robot.press("Ctrl-S")
    robot.take()
    changed(robot, "r3")
    changed(robot, "r4")
    robot.happen(.saved(Self.path, .saved(Samples.entry("a.md", revision: "r3")), session: 2))
    #expect(commands(robot).contains { $0.hasPrefix("run read newer a.md over r3: \"xyone") })
  }

  @Test func `an answer for an older text is dropped`() {
    let robot = editing()
    robot.type("x")
    changed(robot)
    newer(robot, "one\n", over: "r0")
    #expect(robot.text == "x" + Self.text && robot.notice == nil)
  }

  @Test func `an answer is for the editor that asked, not for another one of the note above it`() throws {
    let robot = editing()
    robot.type("x")
    changed(robot)
    var other = try #require(robot.state.notes.views.last as? NoteEditor)
    (other.session, other.newer) = (9, NewerTexts())
    robot.push(other)
    newer(robot, "one\ntwo\n3\n")
    #expect(robot.text == "x" + Self.text && robot.notice == nil)
    #expect(robot.state.notes.views.compactMap { ($0 as? NoteEditor)?.newer.mayExist } == [true, false])
  }

  @Test func `an answer for a closed editor does not reach the one that is opened afterwards`() {
    let robot = editing()
    changed(robot)
    robot.press("Esc", "i")
    changed(robot)
    robot.take()
    newer(robot, "one\ntwo\n3\n")
    #expect(robot.text == Self.text)
    newer(robot, "one\ntwo\n3\n", session: 2)
    #expect(robot.text == "one\ntwo\n3\n")
  }

  @Test(arguments: [
    (StoreError.Kind.notFound, "\"a.md\" was deleted or renamed in the meantime."),
    (.offline, "\"a.md\" has changed. byteclub could not read its new text. Away."),
    (.tooLarge, "\"a.md\" has changed. byteclub could not read its new text. Away."),
  ])
  func `a version that cannot be read is said, and the text stays`(kind: StoreError.Kind, words: String) {
    let robot = editing()
    robot.type("x")
    changed(robot)
    robot.take()
    robot.happen(
      .failed(.readNewer(Self.path, over: nil, from: nil, session: 1), StoreError(kind, "Away.")))
    #expect(robot.notice?.hasPrefix(words) == true, "\(robot.notice ?? "")")
    #expect(robot.text == "x" + Self.text && commands(robot).isEmpty)
    // It is asked again when the server answers.
    robot.happen(.notes(.reconnected))
    #expect(commands(robot).contains(Self.asked))
  }

  @Test func `a version that is no text, and one whose base is unknown, leave the text as it is`() {
    for (text, base, words) in [
      ("a\u{0}b", Self.text as String?, "is no UTF-8 text any more"),
      ("one\n", nil, "its text from before is not on this machine"),
    ] {
      let robot = editing()
      robot.type("x")
      changed(robot)
      newer(robot, text, base: base)
      #expect(robot.text == "x" + Self.text)
      #expect(robot.notice?.contains(words) == true && robot.notice?.hasPrefix("ann changed the note.") == true)
    }
  }

  @Test func `a draft of an earlier run finds its base`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    robot.press("Enter")
    robot.happen(.openedDraft(Samples.draft("a.md"), text: Array("one\ntwo\nthree\nmine\n".utf8)))
    robot.take()
    changed(robot)
    #expect(commands(robot).contains { $0.hasPrefix("run read newer a.md over r1: unknown") })
  }
}
