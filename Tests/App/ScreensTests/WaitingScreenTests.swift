import ClubServices
import Database
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct WaitingScreenTests {
  private let offline = StoreError(.offline, "The store cannot be reached.")

  /// The reader of a note whose save was kept in the outbox.
  private func kept() -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "old"), .read))
    robot.press("i")
    robot.type("my ")
    robot.press("Ctrl-Q")
    robot.happen(.saved(Samples.path("a.md"), .kept(3, offline), session: 1))
    robot.happen(.waiting([Samples.unsent("a.md", "my old")]))
    robot.take()
    return robot
  }

  @Test func `the top line, the reader and the list say that a note waits`() {
    let robot = kept()
    #expect(robot.grid.text(ofRow: 0).contains("1 to send"))
    #expect(robot.grid.text(ofRow: 1).contains("to send"))
    robot.press("Esc")
    #expect(robot.grid.text(ofRow: 2).contains("to send"))
    robot.happen(.sent(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2"))))
    #expect(!robot.screen.contains("to send"))
  }

  @Test func `the start names and lists texts that another byteclub has to send`() {
    let robot = Robot(notes: ["a.md"])
    let other = Samples.unsent("b.md", isElsewhere: true)
    robot.happen(.foundWaiting([other]))
    #expect(robot.notice == "Another byteclub on this machine has a text to send. :waiting shows more.")
    #expect(!robot.grid.text(ofRow: 0).contains("to send"))
    robot.press(":")
    robot.type("waiting\n")
    robot.happen(.waiting([other]))
    #expect(robot.screen.contains("in another byteclub"))
  }

  @Test func `on a narrow screen the notice of a kept save is whole`() {
    let robot = Robot(notes: ["a.md"], size: Size(40, 12))
    let error = StoreError(
      .offline, "club.example.org:8443 does not answer: the connection was refused.",
      remedy: "Check that the server is running, and that its address in the config is right.")
    robot.happen(.saved(Samples.path("a.md"), .kept(3, error), session: nil))
    let words = robot.screen.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(words.contains("Your text is kept here, not yet in the club. club.example.org:8443"))
    #expect(words.contains("the connection was refused."))
  }

  @Test func `Done in an unchanged editor of a note that waits sends it`() {
    let robot = kept()
    robot.press("i", "Ctrl-Q")
    #expect(robot.take() == ["run send all"])
    #expect(robot.notice == "Sending \"a.md\".")
    robot.happen(.sentAll(StoreError(.quota, "No room."), [Samples.unsent("a.md", "my old")]))
    #expect(robot.notice == "Some texts were not sent. No room.")
  }

  @Test(
    arguments: [
      ([], [Samples.nameChange(.rename, "b.md", to: "c.md")], "Sent: \"c.md\" renamed from \"b.md\"."),
      ([], [Samples.nameChange(.trash, "b.md")], "Sent: \"b.md\" moved to the trash."),
      (["a.md"], [], "Saved \"a.md\"."),
      (["a.md"], [Samples.nameChange(.rename, "b.md", to: "c.md")], "Sent 2 changes: 1 note, 1 rename."),
      (
        ["a.md", "b.md"], [Samples.nameChange(.trash, "c.md"), Samples.nameChange(.trash, "d.md")],
        "Sent 4 changes: 2 notes, 2 removals."
      ),
      (
        [], [Samples.nameChange(.trash, "a.md"), Samples.nameChange(.restore, "a.md")],
        "Sent 2 changes: 1 removal, 1 restoration."
      ),
    ] as [([String], [WaitingChange], String)])
  func `a round that sent names as well as texts counts each kind`(
    texts: [String], names: [WaitingChange], notice: String
  ) {
    let robot = Robot(notes: ["a.md", "b.md"])
    for name in names { robot.happen(.nameSent(name)) }
    for text in texts { robot.happen(.sent(Samples.path(text), .saved(Samples.entry(text, revision: "r2")))) }
    robot.happen(.sentAll(nil, []))
    #expect(robot.notice == notice)
  }

  @Test func `a text that is typed on over one that waits is saved over the same revision`() {
    let robot = kept()
    robot.press("i")
    robot.type("x")
    robot.press("Ctrl-Q")
    #expect(
      robot.take() == [
        "post begin draft 2 of a.md \"a.md\" over r1: \"my old\"", "post edits 2 0-0+\"x\"",
        "run save a.md over r1: \"xmy old\" draft 2",
      ])
  }

  @Test(arguments: ["listing", "change", "note", "save"])
  func `an answer of the store sends what waits, but not at every answer`(answer: String) {
    let robot = kept()
    robot.press("Esc")
    func answered() {
      switch answer {
      case "listing": robot.happen(.listed(Samples.table(["a.md", "b.md"])))
      case "change":
        robot.happen(.changed(ChangeSet(changes: [], cursor: ChangeCursor("1"), mustRelist: false)))
      case "note": robot.happen(.opened(Samples.note("b.md", "text"), .read))
      default: robot.happen(.saved(Samples.path("b.md"), .saved(Samples.entry("b.md")), session: 9))
      }
    }
    answered()
    #expect(robot.take().contains("run send all"))
    robot.happen(.sentAll(offline, [Samples.unsent("a.md")]))
    answered()
    #expect(!robot.take().contains("run send all"))
    robot.wait(seconds: 10)
    answered()
    #expect(robot.take().contains("run send all"))
    // Only one round runs at a time.
    robot.wait(seconds: 10)
    answered()
    #expect(!robot.take().contains("run send all"))
  }

  @Test func `the store's coming back sends what waits at once`() {
    let robot = kept()
    robot.happen(.timeToSend)
    robot.happen(.sentAll(offline, [Samples.unsent("a.md")]))
    robot.take()
    robot.happen(.notes(.reconnected))
    #expect(robot.take().contains("run send all"))
  }

  @Test func `refresh sends what waits at once`() {
    let robot = kept()
    robot.press("Esc", "r")
    #expect(robot.take() == ["run list [notes.list]", "run watch [notes.watch]", "run send all"])
  }

  @Test func `a timer runs for as long as something waits, and not otherwise`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.waiting([]))
    #expect(robot.take().isEmpty && ClubScreen.tick(robot.state) == nil)
    robot.happen(.waiting([Samples.unsent("a.md")]))
    #expect(robot.take() == ["run await sending [notes.resend]"])
    robot.happen(.timeToSend)
    #expect(robot.take() == ["run send all", "run await sending [notes.resend]"])
    robot.happen(.sentAll(offline, [Samples.unsent("a.md")]))
    #expect(robot.take().isEmpty && robot.notice == nil, "nobody asked for this round")
    robot.happen(.sent(Samples.path("a.md"), .saved(Samples.entry("a.md"))))
    #expect(robot.take().contains("cancel [notes.resend]"))
    #expect(ClubScreen.tick(robot.state) == nil)
  }

  @Test(arguments: ["", "b"]) func `the cursor is on a new note that was saved and waits`(filter: String) {
    let robot = Robot(notes: ["b.md", "c.md"])
    if !filter.isEmpty {
      robot.press("/")
      robot.type(filter)
      robot.press("Enter")
    }
    robot.press("n")
    robot.type("new")
    robot.press("Tab")
    robot.type("mine")
    robot.press("Ctrl-Q")
    robot.happen(.saved(Samples.path("new.md"), .kept(3, offline), session: 1))
    robot.happen(.waiting([Samples.unsent("new.md", "mine", base: nil)]))
    #expect(robot.view.isEmpty && robot.chosen == "new.md")
    robot.press("Up")
    robot.happen(.waiting([Samples.unsent("new.md", "mine", base: nil)]))
    #expect(robot.chosen != "new.md")
  }

  @Test(arguments: [WaitingText.Kind.toSend, .conflict])
  func `a note that someone else deleted keeps its row and the cursor while my text waits`(kind: WaitingText.Kind) {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    robot.press("j")
    let text = Samples.unsent("b.md", kind: kind)
    robot.happen(.waiting([text]))
    let gone = ChangeSet(changes: [.absent(Samples.path("b.md"))], cursor: ChangeCursor("1"))
    robot.happen(.notes(.files(.changed(gone))))
    #expect(robot.rows == ["a.md", "b.md", "c.md"] && robot.chosen == "b.md")
    robot.happen(.listed(Samples.table(["a.md", "c.md"])))
    #expect(robot.rows == ["a.md", "b.md", "c.md"] && robot.chosen == "b.md")
    robot.press("Up")
    robot.happen(.waiting([text]))
    #expect(robot.chosen == "a.md")
    robot.happen(.waiting([]))
    #expect(robot.rows == ["a.md", "c.md"])
  }

  @Test func `a note that comes back keeps its row when my text of it is discarded`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.waiting([Samples.unsent("b.md", kind: .conflict)]))
    let back = ChangeSet(changes: [.present(Samples.entry("b.md"))], cursor: ChangeCursor("1"))
    robot.happen(.notes(.files(.changed(back))))
    robot.happen(.waiting([]))
    #expect(robot.rows == ["a.md", "b.md"])
  }

  @Test func `a conflict is counted as one, because sending does not settle it`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    robot.happen(.waiting([Samples.unsent("a.md", kind: .conflict)]))
    #expect(robot.grid.text(ofRow: 0).contains("1 conflict") && !robot.grid.text(ofRow: 0).contains("to send"))
    robot.happen(.waiting([Samples.unsent("a.md", kind: .conflict), Samples.unsent("b.md", save: 4)]))
    #expect(robot.grid.text(ofRow: 0).contains("1 to send, 1 conflict"))
  }

  @Test func `a new note that waits has a row, which survives a listing and opens my text`() {
    let robot = Robot(notes: ["b.md"])
    let text = Samples.unsent("a.md", "mine", base: nil)
    robot.happen(.waiting([text]))
    #expect(robot.rows == ["a.md", "b.md"] && robot.grid.text(ofRow: 2).contains("to send"))
    robot.happen(.listed(Samples.table(["b.md"])))
    #expect(robot.rows == ["a.md", "b.md"])
    robot.press("g")
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run read waiting a.md [notes.open]"])
    robot.happen(.readWaiting(text, Array("mine".utf8)))
    #expect(robot.view == "reader" && robot.screen.contains("mine"))
    #expect(robot.notice == "This is your text. It is not in the club yet.")
    robot.press("i")
    robot.type("x")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over nothing: \"xmine\" draft 1"])
    // The member has dropped it.
    robot.happen(.waiting([]))
    #expect(robot.rows == ["b.md"])
  }

  @Test func `my text stays on the screen when the note changes underneath`() {
    let robot = kept()
    robot.happen(
      .changed(
        ChangeSet(
          changes: [.present(Samples.entry("a.md", revision: "r9"))], cursor: ChangeCursor("1"), mustRelist: false)))
    #expect(!robot.take().contains { $0.hasPrefix("run open") })
  }

  @Test func `the list of what waits opens, drops and closes`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    let texts = [
      Samples.unsent("a.md", kind: .conflict), Samples.unsent("b.md", save: 4),
      Samples.waiting(nil, title: "Riddle", base: nil), Samples.waiting(nil, title: "old", id: "d2", kind: .discarded),
    ]
    robot.happen(.waiting(texts))
    robot.take()
    robot.press(":")
    robot.type("waiting")
    robot.press("Enter")
    #expect(robot.view == "waiting" && robot.take() == ["run look waiting [notes.waiting]"])
    for word in ["conflict", "to send", "draft", "discarded", "Riddle", "Dear Ray,"] {
      #expect(robot.screen.contains(word), "\(word)")
    }
    robot.press("Enter")
    #expect(robot.take() == ["run send a.md"])
    robot.press("j", "Enter")
    #expect(robot.take() == ["run read waiting b.md [notes.open]"])
    robot.press("j", "Enter")
    #expect(robot.take() == ["run open draft d1"])
    robot.happen(.openedDraft(Samples.draft(nil, title: "Riddle", base: nil), text: Array("typed".utf8)))
    #expect(robot.view == "form" && robot.text == "typed")
    robot.press("Esc", "y")
    #expect(robot.view == "waiting")
    robot.take()
    robot.press("j", "x")
    #expect(robot.question == "Delete the text of \"old\" for good?")
    robot.press("y")
    #expect(robot.take() == ["run discard discarded old"])
    robot.happen(.discarded(texts[3], Array(texts.prefix(3))))
    #expect(!robot.screen.contains("discarded"))
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `a change of a name opens its note or the trash, and can be taken back`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    let texts = [
      Samples.change(.rename, "old.md", to: "b.md"), Samples.change(.trash, "gone.md"),
      Samples.change(.rename, "photos/x.jpg", to: "photos/y.jpg"),
    ]
    robot.happen(.waiting(texts))
    robot.happen(.waitingAsked)
    robot.happen(.waiting(texts))
    robot.take()
    #expect(robot.screen.contains("renamed from \"old.md\"") && !robot.screen.contains("0 B"))
    robot.press("Enter")
    #expect(robot.take() == ["run open b.md to read [notes.open]"])
    robot.press("Esc", "j", "Enter")
    #expect(robot.view == "trash")
    robot.press("Esc", "j", "Enter")
    #expect(robot.notice == "\"photos/y.jpg\" is a photo. Press 2 to see it." && robot.view == "waiting")
    robot.press("k", "k", "x")
    #expect(robot.question == "Take back: \"b.md\" renamed from \"old.md\"?")
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run discard to send b.md"])
    robot.happen(.discarded(texts[0], Array(texts.dropFirst())))
    #expect(robot.notice == "Took back: \"b.md\" renamed from \"old.md\".")
  }

  @Test func `a change of a name that belongs to nobody is listed, and sent or taken back on demand alone`() {
    let robot = Robot(notes: ["b.md"])
    let text = Samples.change(.rename, "old.md", to: "b.md", isNobodys: true)
    robot.take()
    robot.happen(.foundWaiting([text]))
    #expect(robot.take().isEmpty && robot.view.isEmpty)
    #expect(!robot.screen.contains("to send"))
    robot.happen(.waitingAsked)
    robot.happen(.waiting([text]))
    #expect(robot.screen.contains("draft") && robot.screen.contains("renamed from \"old.md\""))
    robot.take()
    robot.press("Enter")
    #expect(robot.question == "Send: \"b.md\" renamed from \"old.md\"; belongs to nobody yet?")
    robot.press("y")
    #expect(robot.take() == ["run send b.md"])
    robot.press("x", "y")
    #expect(robot.take() == ["run discard draft b.md"])
  }

  @Test func `files that the server lost stay, are marked, and go when the member agrees`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    robot.press("n", "Tab")
    robot.type("y")
    robot.happen(.removalHeld(["a.md", "c.md"].map { Samples.path($0) }))
    #expect(robot.question == nil, "typing goes on")
    robot.press("Esc", "y")
    #expect(
      robot.question == "The server no longer has 2 files of this club. Remove them here, too?")
    robot.take()
    robot.press("n")
    #expect(robot.grid.text(ofRow: 2).contains("gone") && !robot.grid.text(ofRow: 3).contains("gone"))
    #expect(robot.screen.contains("2 gone at the server"))
    robot.happen(.removalHeld(["a.md", "c.md"].map { Samples.path($0) }))
    #expect(robot.question == nil, "the answer stands")
    robot.press("r")
    robot.take()
    robot.press("y")
    #expect(robot.take().contains("run accept the removal of 2"))
    robot.happen(.removalHeld([]))
    #expect(!robot.screen.contains("gone") && robot.question == nil)
  }

  @Test func `quitting asks while a note is not in the club`() {
    let robot = kept()
    robot.press("Esc", "q")
    #expect(
      robot.question == "1 note is not in the club yet. It is kept here and sent at the next start.")
    robot.press("s")
    #expect(robot.take().contains("run send all") && robot.question == nil)
    robot.press("q", "Esc")
    #expect(robot.take().isEmpty && robot.question == nil)
    robot.press("Ctrl-C")
    #expect(robot.question != nil)
    robot.press("q")
    #expect(robot.take() == ["quit"])
  }

  @Test func `the question about texts goes when the club has them`() {
    let robot = kept()
    robot.press("Esc", "q")
    #expect(robot.question != nil)
    robot.happen(.waiting([]))
    #expect(robot.question == nil)
    #expect(robot.screen.contains("All texts are safe now. q quits."))
    robot.take()
    robot.press("q")
    #expect(robot.take() == ["quit"])
  }

  @Test func `quitting does not ask when all is in the club, or only dropped texts and drafts are left`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.waiting([Samples.waiting("a.md"), Samples.waiting("b.md", kind: .discarded)]))
    robot.take()
    robot.press("q")
    #expect(robot.take() == ["quit"])
  }
}

@Suite struct UnkeptTests {
  private let full = StoreError(.quota, "There is no room left on the disk.", remedy: "Make room.")

  private func editing() -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "old"), .read))
    robot.press("i")
    robot.type("my ")
    return robot
  }

  @Test func `that drafts cannot be kept stays on the screen until they can`() {
    let robot = editing()
    robot.happen(.keeping(full))
    for _ in 0..<2 {
      #expect(robot.screen.contains("byteclub cannot keep your typing on this machine."))
      #expect(robot.screen.contains("no room left") && robot.screen.contains("Make room."))
      robot.type("x")
    }
    robot.happen(.keeping(nil))
    #expect(!robot.screen.contains("cannot be kept"))
    #expect(robot.notice == "byteclub keeps your typing on this machine again.")
  }

  @Test(arguments: [true, false])
  func `the editor of a text that is in neither place comes back, and Done tries again`(isInReader: Bool) {
    let robot = editing()
    robot.press("Ctrl-Q")
    if !isInReader { robot.press("Esc") }
    robot.take()
    robot.happen(.failed(.save(Samples.path("a.md"), base: nil, text: [], session: 1), full))
    #expect(robot.view == "editor" && robot.text == "my old")
    #expect(robot.screen.contains("changed  line 1") && !robot.screen.contains("unchanged"))
    #expect(robot.notice == "\"a.md\" was not saved. There is no room left on the disk. Make room.")
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r1: \"my old\" draft 1"])
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    #expect(robot.view == (isInReader ? "reader" : ""))
  }

  @Test func `the reader below shows what is in the club when the text is dropped`() {
    let robot = editing()
    robot.press("Ctrl-Q")
    robot.happen(.failed(.save(Samples.path("a.md"), base: nil, text: [], session: 1), full))
    robot.press("Esc", "y")
    #expect(robot.view == "reader" && robot.screen.contains("old") && !robot.screen.contains("my old"))
  }

  @Test func `an editor that comes back waits while another text is typed`() {
    let robot = editing()
    robot.press("Ctrl-Q", "Esc", "n")
    robot.type("other")
    robot.happen(.failed(.save(Samples.path("a.md"), base: nil, text: [], session: 1), full))
    #expect(robot.view == "form")
    robot.press("Esc", "y")
    #expect(robot.view == "editor" && robot.text == "my old")
  }

  @Test func `an editor that was opened over the text meanwhile is changed`() {
    let robot = editing()
    robot.press("Ctrl-Q", "i")
    #expect(robot.screen.contains("unchanged"))
    robot.happen(.failed(.save(Samples.path("a.md"), base: nil, text: [], session: 1), full))
    #expect(robot.view == "editor" && !robot.screen.contains("unchanged"))
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run save a.md over r1: \"my old\" draft 1"])
  }

  @Test func `an edited part comes back with the conflict, and its draft stays`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: nil))
    robot.press("e")
    robot.type("x")
    robot.press("Ctrl-S", "Ctrl-S")
    #expect(robot.view.isEmpty)
    robot.take()
    robot.happen(.failed(.resolve(Samples.conflict("a.md"), .mine, session: nil), full))
    #expect(robot.view == "conflict" && robot.screen.contains("= xmy text"))
    #expect(robot.take().allSatisfy { !$0.contains("draft") })
  }

  @Test func `dropping and quitting say what is lost`() {
    let robot = editing()
    robot.happen(.keeping(full))
    robot.press("Esc")
    #expect(robot.question == "Discard the text for good? It cannot be kept here.")
    robot.press("n", "Ctrl-Q", "Esc", "q")
    #expect(robot.question == "A text is not saved and cannot be kept here. Quit?")
    robot.press("Esc")
    robot.take()
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    robot.take()
    robot.press("q")
    #expect(robot.take() == ["quit"])
  }
}
