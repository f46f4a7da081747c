import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ConflictTests {
  @Test func `who keeps both texts reads where the own one is`() {
    let robot = Robot(notes: ["a.md"])
    let beside = Samples.entry("a (ann's version, 2031-01-09).md")
    robot.happen(.saved(Samples.path("a.md"), .saved(beside), session: nil))
    #expect(robot.notice == "Kept both: your text is in \"a (ann's version, 2031-01-09).md\".")
  }

  private func conflicted(theirs: String? = "their text") -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md", theirs: theirs)), session: 1))
    robot.take()
    return robot
  }

  @Test func `both texts are side by side, and it is said whose the other is`() {
    let robot = conflicted()
    #expect(robot.view == "conflict")
    let row = robot.grid.text(ofRow: 3)
    #expect(row.contains("my text") && row.contains("their text"))
    #expect(robot.screen.contains("theirs (ann)"))
    #expect(robot.notice == "Someone else changed \"a.md\" in the meantime. Both texts are safe: choose one.")
  }

  @Test(arguments: [("m", "mine"), ("b", "both")])
  func `mine and both are over the revision that was seen`(key: String, choice: String) {
    let robot = conflicted()
    robot.press(key)
    #expect(robot.take().first == "run resolve a.md by \(choice) over r2")
    #expect(robot.view.isEmpty)
  }

  @Test func `theirs asks, as my text is lost`() {
    let robot = conflicted()
    robot.press("t")
    #expect(robot.question == "Discard your text of \"a.md\"? It stays in :waiting for a week.")
    robot.press("n")
    #expect(robot.view == "conflict" && robot.take().isEmpty)
    robot.press("t", "y")
    #expect(robot.take().first == "run resolve a.md by theirs over r2")
  }

  @Test func `my text can be edited; it is saved over their revision`() {
    let robot = conflicted()
    robot.press("e")
    #expect(robot.view == "editor" && robot.text == "my text")
    robot.type("both: ")
    robot.take()
    robot.press("Ctrl-S")
    #expect(robot.take() == ["run resolve a.md by \"both: my text\" over r2"])
    #expect(robot.view.isEmpty)
  }

  @Test func `leaving the editor leads back to the choice`() {
    let robot = conflicted()
    robot.press("e", "Esc", "y")
    #expect(robot.view == "conflict")
  }

  @Test func `later keeps my text, and says so`() {
    let robot = conflicted()
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.take().isEmpty)
    #expect(robot.notice == "Your text of \"a.md\" is kept. Open the note or type :waiting to choose.")
    robot.happen(.waiting([Samples.unsent("a.md", kind: .conflict)]))
    #expect(robot.grid.text(ofRow: 1).contains("conflict"))
    robot.press("Enter")
    #expect(robot.take() == ["run send a.md"])
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: nil))
    #expect(robot.view == "conflict")
  }

  @Test func `a conflict that is found twice is shown once, with what is there now`() {
    let robot = conflicted()
    robot.happen(.sent(Samples.path("a.md"), .conflict(Samples.conflict("a.md", theirs: "newer"))))
    #expect(robot.screen.contains("newer"))
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `a note that was deleted meanwhile is said to be`() {
    let robot = conflicted(theirs: nil)
    #expect(robot.screen.contains("theirs: deleted"))
    robot.press("t", "y")
    #expect(robot.take().first == "run resolve a.md by theirs over nothing")
    robot.happen(.saved(Samples.path("a.md"), .deleted(Samples.path("a.md")), session: 1))
    #expect(robot.rows == ["b.md"])
  }

  @Test func `a second conflict is shown again`() {
    let robot = conflicted()
    robot.press("m")
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
    robot.press("Ctrl-S")
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
    robot.press("Ctrl-S")
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
    robot.press("Ctrl-S")
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
    robot.press("Ctrl-S")
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
