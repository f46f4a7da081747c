import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ConflictScreenTests {
  @Test func `who keeps both texts reads where the own one is`() {
    let robot = Robot(notes: ["a.md"])
    let beside = Samples.entry("a (ann's version, 2031-01-09).md")
    robot.happen(.saved(Samples.path("a.md"), .saved(beside), session: nil))
    #expect(robot.notice == "Kept both: your text is in \"a (ann's version, 2031-01-09).md\".")
  }

  private func conflicted(
    _ mine: String = "my text", theirs: String? = "their text", base: String? = nil, kind: SaveConflict.Kind? = nil,
    size: Size = Size(80, 24)
  ) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    let conflict = Samples.conflict("a.md", mine: mine, theirs: theirs, base: base, kind: kind)
    robot.happen(.saved(Samples.path("a.md"), .conflict(conflict), session: 1))
    robot.take()
    return robot
  }

  /// Ray changed lines 1 and 3, Ann line 3, and each another word of line 5.
  private func parts(size: Size = Size(80, 24)) -> Robot {
    conflicted(
      "ONE\ntwo\nmine\nfour\nthe new red boat\n", theirs: "one\ntwo\ntheirs\nfour\nthe old red ship\n",
      base: "one\ntwo\nthree\nfour\nthe old red boat\n", size: size)
  }

  @Test func `both texts are side by side, with the writer and the age of the other`() {
    let robot = conflicted()
    #expect(robot.view == "conflict")
    let row = robot.grid.text(ofRow: 4)
    #expect(row.contains("< my text") && row.contains("> their text"))
    #expect(robot.screen.contains("> ann's, 2 h ago"))
    #expect(robot.notice == "ann changed \"a.md\" in the meantime. Both texts are safe: choose part by part.")
  }

  @Test(
    arguments: [
      (.own(isHere: true), "You, in another window, changed", "> yours in another window, 2 h ago"),
      (.own(isHere: false), "You, on another machine, changed", "> yours on another machine, 2 h ago"),
      (.unknown, "Someone else changed", "> theirs, 2 h ago"),
    ] as [(NoteWriter, String, String)])
  func `a text of the member's own that came from elsewhere is called so`(
    writer: NoteWriter, notice: String, head: String
  ) {
    let robot = Robot(notes: ["a.md"])
    robot.happen(
      .saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md", writer: writer)), session: 1))
    #expect(robot.notice == "\(notice) \"a.md\" in the meantime. Both texts are safe: choose part by part.")
    #expect(robot.screen.contains(head))
  }

  @Test func `a narrow screen has one text above the other`() {
    let robot = conflicted(size: Size(40, 12))
    let rows = (0..<12).map(robot.grid.text(ofRow:))
    let mine = rows.firstIndex { $0.hasPrefix("< my text") }
    #expect(mine.map { rows[$0 + 1].hasPrefix("> their text") } == true)
  }

  @Test(arguments: [
    ("m", "mine"), ("t", "theirs"), ("b", "\"my text\ntheir text\""), ("M", "mine"), ("T", "theirs"),
  ])
  func `a choice is written by Done, over the revision that was seen`(key: String, choice: String) {
    let robot = conflicted()
    robot.press(key)
    #expect(robot.view == "conflict" && robot.take().isEmpty)
    robot.press("Ctrl-S")
    #expect(robot.take().first == "run resolve a.md by \(choice) over r2")
    #expect(robot.view.isEmpty)
  }

  @Test func `safe parts have a choice, and the first of the others is chosen first`() {
    let robot = parts()
    #expect(robot.screen.contains("1 of 3: mine") && robot.screen.contains("> 2 of 3: choose"))
    #expect(robot.screen.contains("3 of 3: both changes, merged") && robot.screen.contains("= the new red ship"))
    #expect(robot.screen.contains("1 of 3 to choose"))
    robot.press("t")
    #expect(robot.screen.contains("all chosen"))
    robot.press("Ctrl-S")
    #expect(
      robot.take().first == "run resolve a.md by \"ONE\ntwo\ntheirs\nfour\nthe new red ship\n\" over r2")
  }

  @Test func `n and p go through the parts, and each can be chosen otherwise`() {
    let robot = parts()
    robot.press("p", "t", "m", "n", "b", "Ctrl-S")
    #expect(
      robot.take().first
        == "run resolve a.md by \"one\ntwo\nmine\nfour\nthe new red boat\nthe old red ship\n\" over r2")
  }

  @Test func `the ends of the parts are said`() {
    let robot = parts()
    robot.press("n", "n")
    #expect(robot.notice == "This is the last part.")
    robot.press("p", "p", "p")
    #expect(robot.notice == "This is the first part.")
  }

  @Test func `u takes choices back, and U makes them again`() {
    let robot = parts()
    robot.press("m", "T", "u")
    #expect(robot.screen.contains("2 of 3: mine") && robot.screen.contains("1 of 3: mine"))
    robot.press("u")
    #expect(robot.screen.contains("2 of 3: choose"))
    robot.press("u")
    #expect(robot.notice == "No choice to undo.")
    robot.press("U", "U", "Ctrl-S")
    #expect(robot.take().first == "run resolve a.md by theirs over r2")
  }

  @Test func `Done without all choices goes to the missing one, and writes nothing`() {
    let robot = parts()
    robot.press("p", "Ctrl-S")
    #expect(robot.notice == "1 part needs your choice: m mine, t theirs, b both, e edit.")
    #expect(robot.view == "conflict" && robot.take().isEmpty)
    #expect(robot.screen.contains("> 2 of 3: choose"))
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a part is edited with theirs in view, and its typing is in a draft of the whole text`(size: Size) {
    let robot = parts(size: size)
    robot.press("e")
    #expect(robot.text == "mine\n")
    #expect(robot.screen.contains("> theirs") && robot.screen.contains("part 2 of 3"))
    robot.type("X")
    #expect(
      robot.take() == [
        "post begin draft 1 of a.md \"a.md\" over r2: \"ONE\ntwo\nmine\nfour\nthe new red ship\n\"",
        "post edits 1 8-0+\"X\"",
      ])
    robot.press("Ctrl-S")
    #expect(robot.view == "conflict" && robot.text == nil && robot.screen.contains("2 of 3: edited"))
    robot.press("Ctrl-S")
    #expect(
      robot.take().first == "run resolve a.md by \"ONE\ntwo\nXmine\nfour\nthe new red ship\n\" over r2")
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r3")), session: 1))
    #expect(robot.take().contains("run delete draft 1"))
  }

  @Test(arguments: [
    ("one\r\nmine", "one\r\ntheirs", "one\r\nmine\r\ntheirs", "one\r\nX\r\nmine"),
    ("mine", "a\r\ntheirs", "mine\r\na\r\ntheirs", "X\r\nmine"),
  ])
  func `what is added to a note with carriage returns has them, too`(
    mine: String, theirs: String, both: String, edited: String
  ) {
    let robot = conflicted(mine, theirs: theirs)
    robot.press("b", "Ctrl-S")
    #expect(robot.take().first == "run resolve a.md by \"\(both)\" over r2")
    let other = conflicted(mine, theirs: theirs)
    other.press("m", "e")
    other.type("X")
    other.press("Enter", "Ctrl-S", "Ctrl-S")
    #expect(other.take().contains("run resolve a.md by \"\(edited)\" over r2"))
  }

  @Test func `leaving the editor of a part asks, and changes no choice`() {
    let robot = parts()
    robot.press("e")
    robot.type("X")
    robot.take()
    robot.press("Esc")
    #expect(robot.question == "Discard the edit of this part?")
    robot.press("y")
    #expect(robot.take() == ["run delete draft 1"])
    #expect(robot.text == nil && robot.screen.contains("2 of 3: choose"))
  }

  @Test func `mine can be kept as a note beside theirs`() {
    let robot = conflicted()
    robot.press("c")
    #expect(robot.take().first == "run resolve a.md by both over r2")
    #expect(robot.view.isEmpty)
  }

  @Test func `later writes nothing and says so; the choices come back with the conflict`() {
    let robot = parts()
    robot.press("t", "Esc")
    #expect(robot.view.isEmpty && robot.take().isEmpty)
    #expect(robot.notice == "Your text of \"a.md\" is kept. Open the note or type :waiting to choose.")
    robot.happen(.waiting([Samples.unsent("a.md", kind: .conflict, save: 7)]))
    #expect(robot.grid.text(ofRow: 2).contains("conflict"))
    robot.press("Enter")
    #expect(robot.take() == ["run send a.md"])
    let again = Samples.conflict(
      "a.md", mine: "ONE\ntwo\nmine\nfour\nthe new red boat\n",
      theirs: "one\ntwo\ntheirs\nfour\nthe old red ship\n",
      base: "one\ntwo\nthree\nfour\nthe old red boat\n")
    robot.happen(.saved(Samples.path("a.md"), .conflict(again), session: nil))
    #expect(robot.view == "conflict" && robot.screen.contains("2 of 3: theirs"))
  }

  @Test func `a choice that could not be written comes back`() {
    let robot = parts()
    robot.press("t", "Ctrl-S")
    robot.happen(
      .failed(.resolve(Samples.conflict("a.md"), .mine, session: 1), StoreError(.server, "No.", remedy: "Wait.")))
    #expect(robot.view == "conflict" && robot.screen.contains("2 of 3: theirs"))
  }

  @Test func `a third change keeps the choices of the parts that have stayed`() {
    let robot = parts()
    robot.press("p", "t", "b", "Ctrl-S")
    let newer = Samples.conflict(
      "a.md", mine: "ONE\ntwo\nmine\nfour\nthe new red boat\n",
      theirs: "one\ntwo\nnewer\nfour\nthe old red ship\n",
      base: "one\ntwo\nthree\nfour\nthe old red boat\n")
    robot.happen(.saved(Samples.path("a.md"), .conflict(newer), session: 1))
    #expect(robot.view == "conflict" && robot.screen.contains("newer"))
    #expect(robot.screen.contains("1 of 3: theirs") && robot.screen.contains("> 2 of 3: choose"))
  }

  @Test func `a conflict that is found twice is shown once, with what is there now`() {
    let robot = conflicted()
    robot.happen(.sent(Samples.path("a.md"), .conflict(Samples.conflict("a.md", theirs: "newer"))))
    #expect(robot.screen.contains("newer"))
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `a note that was deleted meanwhile comes back, or stays deleted after a question`() {
    let robot = conflicted(theirs: nil)
    #expect(robot.screen.contains("Deleted while you edited. Your text:"))
    #expect(robot.screen.contains("my text"))
    robot.press("t")
    #expect(robot.question == "Discard your text of \"a.md\"? It stays in :waiting for a week.")
    robot.press("y")
    #expect(robot.take().first == "run resolve a.md by theirs over nothing")
    robot.happen(.saved(Samples.path("a.md"), .deleted(Samples.path("a.md")), session: 1))
    #expect(robot.rows == ["b.md"])
    let other = conflicted(theirs: nil)
    other.press("m")
    #expect(other.take().first == "run resolve a.md by mine over nothing")
  }

  @Test func `a text of a note that was renamed meanwhile can follow it`() {
    let robot = conflicted(theirs: nil, kind: .renamed(Samples.entry("new.md")))
    #expect(
      robot.notice
        == "\"a.md\" was renamed to \"new.md\" in the meantime. Your text is safe: choose its name.")
    #expect(robot.screen.contains("Your text: t saves it as \"new.md\", m as \"a.md\"."))
    robot.press("t")
    #expect(robot.take().first == "run resolve a.md by the name new.md over nothing")
  }

  @Test func `two notes of one name are said to be`() {
    let robot = conflicted(kind: .created)
    #expect(
      robot.notice == "ann made a note named \"a.md\", too. Both texts are safe: choose part by part.")
    #expect(robot.screen.contains("a.md: two notes of one name"))
  }

  @Test func `bytes that are no text are chosen as a whole, and not edited`() {
    let robot = conflicted("my\u{0}text")
    robot.press("e")
    #expect(robot.text == nil && robot.notice == "These are no texts. c keeps both as two files.")
    robot.press("m", "Ctrl-S")
    #expect(robot.take().first == "run resolve a.md by mine over r2")
  }

  @Test func `a second conflict is shown again`() {
    let robot = conflicted()
    robot.press("m", "Ctrl-S")
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md", theirs: "newer")), session: 1))
    #expect(robot.view == "conflict" && robot.screen.contains("newer"))
  }

  @Test func `a conflict waits while another text is typed`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("j", "Enter")
    robot.happen(.opened(Samples.note("b.md", ""), .read))
    robot.press("i")
    robot.type("x")
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: 1))
    robot.take()
    robot.type("mbty")
    #expect(robot.view == "editor" && robot.text == "xmbty")
    #expect(robot.take().allSatisfy { $0.hasPrefix("post edits") })
    robot.press("Ctrl-Q")
    #expect(robot.view == "conflict")
  }

  @Test func `a conflict waits while a name is found, typed or asked for, and while a note is opened`() {
    for key in ["/", "n", "R", "D", "Enter"] {
      let robot = Robot(notes: ["a.md", "b.md"])
      robot.press(key)
      let view = robot.view
      robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: 9))
      #expect(robot.view == view)
      if key == "Enter" {
        robot.happen(.opened(Samples.note("a.md", "t"), .read))
      } else {
        robot.press("Esc")
      }
      #expect(robot.view == "conflict", "\(key)")
      robot.press("Esc")
      #expect(robot.view == (key == "Enter" ? "reader" : ""))
    }
  }
}

@Suite struct DraftTests {
  @Test func `a draft of an earlier run is offered, and Enter goes on with it`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    #expect(robot.screen.contains("Draft of \"a.md\""))
    #expect(robot.screen.contains("5 min") && robot.screen.contains("Dear Ray,"))
    robot.press("Enter")
    #expect(robot.take() == ["run open draft d1"])
    robot.happen(.openedDraft(Samples.draft("a.md"), text: Array("typed".utf8)))
    #expect(robot.take() == ["post adopt draft d1 as 1"])
    #expect(robot.view == "editor" && robot.text == "typed")
    #expect(robot.screen.contains("changed  line 1"))
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r1: \"typed\" draft 1"])
  }

  @Test func `edits of an adopted draft go on in its log`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    robot.press("Enter")
    robot.happen(.openedDraft(Samples.draft("a.md"), text: Array("typed".utf8)))
    robot.take()
    robot.type("x")
    #expect(robot.take() == ["post edits 1 0-0+\"x\""])
  }

  @Test func `a draft opened twice is edited once`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    robot.press("Enter", "Enter")
    robot.happen(.openedDraft(Samples.draft("a.md"), text: []))
    robot.type("x")
    robot.happen(.openedDraft(Samples.draft("a.md"), text: []))
    #expect(robot.text == "x")
    robot.press("Ctrl-Q")
    #expect(robot.view.isEmpty)
  }

  @Test func `a draft of a new note goes on in the form, where its name can be typed`() {
    let robot = Robot(notes: [])
    robot.happen(.foundWaiting([Samples.waiting(nil, title: "", base: nil)]))
    #expect(robot.screen.contains("Draft of a new note"))
    robot.press("Enter")
    robot.happen(.openedDraft(Samples.draft(nil, title: "", base: nil), text: Array("typed".utf8)))
    #expect(robot.view == "form" && robot.text == "typed")
    robot.type("name")
    robot.press("Ctrl-Q")
    #expect(robot.take().last == "run create name: \"typed\" draft 1")
  }

  @Test func `dropping a draft asks, and says for how long it is kept`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    robot.press("x")
    #expect(robot.question == "Discard the text of \"a.md\"? It stays in :waiting for a week.")
    robot.press("n")
    #expect(robot.view == "draft" && robot.take().isEmpty)
    robot.press("x", "y")
    #expect(robot.take() == ["run discard draft a.md"])
    robot.happen(.discarded(Samples.waiting("a.md"), [Samples.waiting("a.md", kind: .discarded)]))
    #expect(robot.view.isEmpty)
    #expect(robot.notice == "The text of \"a.md\" is discarded. It stays in :waiting for a week.")
  }

  @Test func `the question about a draft without a name says what it is`() {
    let robot = Robot(notes: [])
    robot.happen(.foundWaiting([Samples.waiting(nil, title: "", base: nil)]))
    robot.press("x")
    #expect(robot.question == "Discard the text of a new note? It stays in :waiting for a week.")
  }

  @Test func `several drafts are offered one after the other, and what was saved is sent without a question`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    robot.happen(
      .foundWaiting([Samples.unsent("c.md"), Samples.waiting("a.md"), Samples.waiting("b.md", id: "d2")]))
    #expect(robot.take() == ["run send all and conflicts", "run await sending [notes.resend]"])
    #expect(robot.screen.contains("\"a.md\"") && robot.screen.contains("1 more after this."))
    robot.press("Esc")
    #expect(robot.screen.contains("Draft of \"b.md\""))
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `what has been typed since the start is not offered`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.foundWaiting([Samples.waiting("a.md", isOpen: true)]))
    #expect(robot.view.isEmpty)
  }

  @Test func `a draft offered while text is typed waits`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    robot.happen(.foundWaiting([Samples.waiting("a.md")]))
    robot.type("xy")
    #expect(robot.view == "form")
    robot.press("Esc", "y")
    #expect(robot.view == "draft")
  }

  @Test func `a note with a draft offers it over its text`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "old", draft: Samples.draft("a.md")), .read))
    #expect(robot.view == "draft")
    robot.press("Esc")
    #expect(robot.view == "reader")
  }
}
