import ClubServices
import FileStores
import Merge
import Testing
import TextUI

@testable import Screens

/// Ctrl-S saves and leaves the text open: what is typed from then on is kept, whatever becomes of the save.
@Suite struct SaveAndStayTests {
  private static let path = Samples.path("a.md")
  private static let away = StoreError(.offline, "The store cannot be reached.")
  private static let full = StoreError(.quota, "There is no room left.")

  private func editing(_ text: String = "ab") -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.press("i")
    robot.take()
    return robot
  }

  /// An editor that saves after each of these letters.
  private func saving(_ letters: String...) -> Robot {
    let robot = editing()
    for letter in letters {
      robot.type(letter)
      robot.press("Ctrl-S")
    }
    return robot
  }

  private func saved(_ robot: Robot, _ revision: String, session: Int) {
    robot.happen(.saved(Self.path, .saved(Samples.entry("a.md", revision: revision)), session: session))
  }

  private func merged(_ robot: Robot, _ text: String, session: Int) {
    let note = MergedNote(
      entry: Samples.entry("a.md", revision: "r3", member: "ann"), text: Array(text.utf8), writer: .member("ann"),
      needsLook: false, sides: .init(mine: [], theirs: [], base: [], baseRevision: nil))
    robot.happen(.saved(Self.path, .merged(note), session: session))
  }

  /// The commands about drafts since the last call.
  private func drafts(_ robot: Robot) -> [String] { robot.take().filter { !$0.hasPrefix("run details") } }

  @Test func `Ctrl-S saves and stays, and the next save is over the new revision`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r1: \"xab\" draft 1")
    #expect(robot.view == "editor" && robot.screen.contains("saving  unchanged"))
    saved(robot, "r2", session: 1)
    #expect(robot.notice == "Saved \"a.md\"." && robot.view == "editor")
    robot.type("y")
    #expect(robot.take().contains("post begin draft 2 of a.md \"a.md\" over r2: \"xab\""))
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r2: \"xyab\" draft 2"])
    #expect(robot.view == "reader")
  }

  @Test func `what is typed during a save belongs to a draft that begins with the saved text`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.take()
    robot.type("y")
    #expect(
      robot.take() == ["post begin draft 2 of a.md \"a.md\" over r1: \"xab\"", "post edits 2 1-0+\"y\""])
    saved(robot, "r2", session: 1)
    #expect(robot.text == "xyab" && !robot.screen.contains("unchanged"))
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r2: \"xyab\" draft 2")
  }

  @Test func `Ctrl-S without a change says that the note is saved, and undo reaches back beyond a save`() {
    let robot = editing()
    robot.press("Ctrl-S")
    #expect(robot.notice == "\"a.md\" is saved." && robot.take().isEmpty)
    robot.type("x")
    robot.press("Ctrl-S", "Ctrl-_")
    #expect(robot.text == "ab" && !robot.screen.contains("unchanged"))
  }

  @Test func `the merged text of a save appears in the open editor, and the cursor stays at its text`() {
    let robot = editing("one\ntwo\nthree\n")
    robot.press("Down", "Down")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.take()
    merged(robot, "ONE and more\ntwo\nxthree\n", session: 1)
    #expect(robot.text == "ONE and more\ntwo\nxthree\n")
    #expect(robot.screen.contains("unchanged  line 3  column 2"))
    #expect(robot.notice == "Merged your text of \"a.md\" with ann's change.")
    robot.type("y")
    robot.press("Ctrl-Q")
    #expect(robot.take().last == "run save a.md over r3: \"ONE and more\ntwo\nxythree\n\" draft 2")
  }

  @Test func `a merge that comes while the member types on loses neither text`() {
    let robot = editing("one\ntwo\nthree\n")
    robot.press("Ctrl-End")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.type("y")
    robot.take()
    merged(robot, "ONE\ntwo\nthree\nx", session: 1)
    #expect(robot.text == "ONE\ntwo\nthree\nxy" && !robot.screen.contains("unchanged"))
    #expect(
      drafts(robot) == [
        "post begin draft 3 of a.md \"a.md\" over r3: \"ONE\ntwo\nthree\nx\"", "post edits 3 15-0+\"y\"",
        "run delete draft 2",
      ])
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r3: \"ONE\ntwo\nthree\nxy\" draft 3")
  }

  @Test func `typing at the place of the other change keeps its base, so that the next save decides`() {
    let robot = editing("one\n")
    robot.press("End")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.press("Ctrl-A", "Ctrl-K")
    robot.type("mine")
    robot.take()
    merged(robot, "onex and hers\n", session: 1)
    #expect(robot.text == "mine\n" && robot.screen.contains("both changed the same lines"))
    // The base of the next save is the text that both have seen: the saved one.
    #expect(
      drafts(robot) == [
        "post begin draft 3 of a.md \"a.md\" over r1: \"onex\n\"", "post edits 3 0-4+\"mine\"", "run delete draft 2",
      ])
    #expect((robot.state.notes.views.last as? NoteEditor)?.baseText == Array("onex\n".utf8))
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r1: \"mine\n\" draft 3")
  }

  @Test func `a choice in a conflict is no text that an open editor goes on from`() throws {
    let robot = editing("one\n")
    robot.type("x")
    robot.press("Ctrl-S")
    let conflict = Samples.conflict("a.md", mine: "xone\n", theirs: "her one\n")
    robot.happen(.saved(Self.path, .conflict(conflict), session: 1))
    robot.press("Ctrl-Q")
    #expect(robot.view == "conflict")
    // An editor that stayed open below it, as in another view of the note.
    var editor = NoteEditor(Samples.note("a.md", "one\n"), session: 2, size: Size(80, 20))
    (editor.start, editor.saved) = (Array("xone\n".utf8), [1])
    robot.press("T")
    let view = try #require(robot.state.notes.views.last as? ConflictView)
    robot.push(editor)
    robot.push(view)
    robot.press("Ctrl-Q")
    robot.happen(.saved(Self.path, .saved(Samples.entry("a.md", revision: "r3")), session: 1))
    let open = try #require(robot.state.notes.views.compactMap { $0 as? NoteEditor }.last)
    #expect(open.base == Revision("r1") && open.baseText == Array("one\n".utf8))
  }

  @Test func `when the outbox has sent a text, what others save comes in again`() {
    let robot = editing("one\ntwo\n")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.saved(Self.path, .kept(3, Self.away), session: 1))
    robot.happen(.waiting([Samples.unsent("a.md")]))
    robot.type("y")
    robot.take()
    let sent = Samples.entry("a.md", revision: "r2")
    robot.happen(.sent(Self.path, .saved(sent)))
    #expect(robot.take().contains { $0.hasPrefix("run read newer a.md over r1: \"one\ntwo\n\" draft 2") })
    let newer = NewerNote(
      sent, text: Array("xone\ntwo\n".utf8), writer: .own(isHere: true), base: Array("one\ntwo\n".utf8))
    robot.happen(.newerRead(newer, over: Revision("r1"), session: 2))
    #expect(robot.text == "xyone\ntwo\n" && robot.notice == "Saved \"a.md\".")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r2: \"xyone\ntwo\n\" draft 3")
  }

  @Test func `when the outbox has merged a text, the merge appears in the open editor`() {
    let robot = editing("one\ntwo\nthree\n")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.saved(Self.path, .kept(3, Self.away), session: 1))
    robot.happen(.waiting([Samples.unsent("a.md")]))
    robot.type("y")
    let note = MergedNote(
      entry: Samples.entry("a.md", revision: "r3", member: "ann"), text: Array("xone\ntwo\nTHREE\n".utf8),
      writer: .member("ann"), needsLook: false,
      sides: .init(mine: Array("xone\ntwo\nthree\n".utf8), theirs: [], base: [], baseRevision: nil))
    robot.happen(.sent(Self.path, .merged(note)))
    #expect(robot.text == "xyone\ntwo\nTHREE\n")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r3: \"xyone\ntwo\nTHREE\n\" draft 3")
  }

  @Test func `a conflict waits while the text is open, and comes up with Done`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.saved(Self.path, .conflict(Samples.conflict("a.md", mine: "xab")), session: 1))
    #expect(robot.view == "editor" && robot.notice?.hasSuffix("Both texts are safe: Ctrl-Q shows both.") == true)
    robot.press("Ctrl-Q")
    #expect(robot.view == "conflict")
  }

  @Test func `a later save takes the place of an earlier one in conflict`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.saved(Self.path, .conflict(Samples.conflict("a.md", mine: "xab")), session: 1))
    robot.type("y")
    robot.press("Ctrl-Q")
    #expect(robot.view == "reader")
    #expect(robot.take().last == "run save a.md over r1: \"xyab\" draft 2")
    robot.happen(.saved(Self.path, .conflict(Samples.conflict("a.md", mine: "xyab")), session: 2))
    #expect(robot.view == "conflict" && robot.screen.contains("xyab"))
    robot.press("Esc")
    #expect(robot.view == "reader")
  }

  @Test func `offline the text waits in the outbox, and the editor stays and says so`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.saved(Self.path, .kept(3, Self.away), session: 1))
    #expect(robot.view == "editor" && robot.notice?.hasPrefix("Your text is kept on this machine") == true)
    robot.happen(.waiting([Samples.unsent("a.md")]))
    #expect(robot.screen.contains("to send  unchanged"))
    robot.type("y")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r1: \"xyab\" draft 2")
    // The sent text is the member's own.
    saved(robot, "r2", session: 2)
    robot.happen(.changed(ChangeSet(changes: [.present(Samples.entry("a.md", revision: "r2"))], cursor: .init("1"))))
    #expect(robot.notice == "Saved \"a.md\".")
  }

  @Test func `a save that failed goes on in its own draft`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), Self.full))
    #expect(robot.view == "editor" && !robot.screen.contains("unchanged"))
    robot.take()
    robot.type("y")
    #expect(robot.take() == ["post edits 1 1-0+\"y\""])
    robot.press("Ctrl-S")
    #expect(robot.take() == ["run save a.md over r1: \"xyab\" draft 1"])
  }

  @Test func `a save that failed after more was typed leaves one draft with all`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.type("y")
    robot.take()
    robot.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), Self.full))
    #expect(robot.take() == ["post edits 1 1-0+\"y\"", "run delete draft 2"])
    robot.press("Ctrl-_", "Alt-_")
    #expect(robot.text == "xyab")
    robot.press("Esc", "y")
    #expect(robot.view == "reader" && robot.screen.contains("ab") && !robot.screen.contains("xab"))
  }

  @Test func `after two failed saves in a row the draft is the one that begins with the club's text`() {
    let robot = saving("x", "y")
    robot.type("z")
    robot.take()
    for session in [1, 2] {
      robot.happen(.failed(.save(Self.path, base: nil, text: [], session: session), Self.full))
    }
    #expect(
      robot.take() == [
        "post edits 2 2-0+\"z\"", "run delete draft 3", "post edits 1 1-0+\"yz\"", "run delete draft 2",
      ])
    robot.press("Ctrl-S")
    #expect(robot.text == "xyzab" && robot.take() == ["run save a.md over r1: \"xyzab\" draft 1"])
  }

  @Test func `a closed editor comes back with the draft of the first save that failed`() {
    let robot = editing()
    robot.type("x")
    robot.press("Ctrl-S")
    robot.type("y")
    robot.press("Ctrl-Q")
    robot.take()
    for session in [1, 2] {
      robot.happen(.failed(.save(Self.path, base: nil, text: [], session: session), Self.full))
    }
    #expect(robot.view == "editor" && robot.text == "xyab")
    #expect(robot.take() == ["post edits 1 1-0+\"y\"", "run delete draft 2"])
  }

  @Test func `the draft of a failed save goes once a later save has its text`() {
    let robot = saving("x", "y")
    robot.take()
    robot.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), Self.full))
    #expect(robot.take().isEmpty)
    saved(robot, "r2", session: 2)
    #expect(robot.take().contains("run delete draft 1"))
    #expect(robot.notice?.contains(":waiting") == false)
  }

  @Test(arguments: [true, false])
  func `the draft of a failed save stays for a week if the later text was merged, or is only kept`(isMerged: Bool) {
    let robot = saving("x", "y")
    robot.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), Self.full))
    robot.take()
    if isMerged {
      merged(robot, "ab", session: 2)
    } else {
      robot.happen(.saved(Self.path, .kept(3, Self.away), session: 2))
    }
    let commands = robot.take()
    #expect(commands.contains("run drop draft 1") && !commands.contains("run delete draft 1"))
    let sentence = "Your text of \"\(Self.path)\" from the save that failed stays in :waiting for a week."
    #expect(robot.notice?.hasSuffix(sentence) == true)
  }

  @Test func `the drafts of two failed saves stay for a week if the third was merged`() {
    let robot = saving("x", "y", "z")
    robot.take()
    for session in [1, 2] {
      robot.happen(.failed(.save(Self.path, base: nil, text: [], session: session), Self.full))
    }
    merged(robot, "ab", session: 3)
    let commands = robot.take()
    #expect(commands.filter { $0.hasPrefix("run drop draft") } == ["run drop draft 2", "run drop draft 1"])
    #expect(!commands.contains { $0.hasPrefix("run delete draft 1") || $0.hasPrefix("run delete draft 2") })
  }

  @Test func `after a failed save and more typing another member's change brings its words, and mine stay`() {
    let robot = editing("one\ntwo\nthree\n")
    robot.type("x")
    robot.press("Ctrl-S")
    robot.type("y")
    robot.happen(.failed(.save(Self.path, base: nil, text: [], session: 1), Self.full))
    robot.take()
    let entry = Samples.entry("a.md", revision: "r2", member: "ann")
    robot.happen(.changed(ChangeSet(changes: [.present(entry)], cursor: .init("1"))))
    #expect(robot.take().contains { $0.hasPrefix("run read newer a.md over r1: \"one\ntwo\nthree\n\" draft 1") })
    let newer = NewerNote(
      entry, text: Array("one\ntwo\nTHREE\n".utf8), writer: .member("ann"), base: Array("one\ntwo\nthree\n".utf8))
    robot.happen(.newerRead(newer, over: Revision("r1"), session: 1))
    #expect(robot.text == "xyone\ntwo\nTHREE\n")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save a.md over r2: \"xyone\ntwo\nTHREE\n\" draft 3")
  }

  @Test func `a new note's form becomes its editor, and goes on where it was`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    robot.type("b")
    robot.press("Enter")
    robot.type("text")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run create b: \"text\" draft 1")
    #expect(robot.view == "form")
    robot.happen(.saved(nil, .saved(Samples.entry("b.md", revision: "r1")), session: 1))
    #expect(robot.view == "editor" && robot.chosen == "b.md" && robot.screen.contains("unchanged  line 1  column 5"))
    robot.type("!")
    robot.press("Ctrl-Q")
    #expect(robot.take().last == "run save b.md over r1: \"text!\" draft 2")
    #expect(robot.view.isEmpty)
  }

  @Test(arguments: ["Ctrl-S", "Ctrl-Q"])
  func `what is typed while a new note is made belongs to the note`(key: String) {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    robot.type("b")
    robot.press("Enter")
    robot.type("text")
    robot.press(key)
    robot.take()
    robot.type("!")
    #expect(
      robot.take() == ["post begin draft 2 of new \"b\" over nothing: \"text\"", "post edits 2 4-0+\"!\""])
    robot.happen(.saved(nil, .saved(Samples.entry("b.md", revision: "r1")), session: 1))
    #expect(robot.view == "editor" && robot.text == "text!")
    #expect(
      drafts(robot) == [
        "post begin draft 3 of b.md \"b.md\" over r1: \"text\"", "post edits 3 4-0+\"!\"", "run delete draft 2",
      ])
  }

  @Test func `a new note that waits in the outbox is edited under its name`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    robot.type("b")
    robot.press("Ctrl-S")
    robot.happen(.saved(Samples.path("b.md"), .kept(3, Self.away), session: 1))
    #expect(robot.view == "editor" && robot.notice?.hasPrefix("Your text is kept on this machine") == true)
    robot.type("x")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run save b.md over nothing: \"x\" draft 2")
  }

  @Test func `a name that is taken leaves the form, its text and one draft`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    robot.type("a")
    robot.press("Enter")
    robot.type("text")
    robot.press("Ctrl-S")
    robot.type("!")
    robot.take()
    robot.happen(.failed(.create(name: "a", text: [], session: 1), StoreError(.exists, "\"a.md\" already exists.")))
    #expect(robot.view == "form" && robot.text == "text!")
    // The draft begins with what the club had: nothing.
    let commands = robot.take()
    #expect(commands.suffix(2) == ["post edits 1 4-0+\"!\"", "run delete draft 2"], "\(commands)")
    robot.press("Tab")
    robot.type("2")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run create a2: \"text!\" draft 1")
  }

  @Test func `the reader returns to the part that the editor showed`() {
    let robot = editing((0..<200).map { "line \($0)\n\n" }.joined())
    robot.press("Ctrl-End", "Esc")
    #expect(robot.view == "reader" && robot.screen.contains("line 199"))
    robot.press("i")
    #expect(robot.screen.contains("line 198"))
  }
}
