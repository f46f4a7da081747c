import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The remarks on a note or photo, over any tab.
@Suite struct TalkViewTests {
  private static let path = Samples.path("a.md")

  private static func talk(_ count: Int) -> Talk {
    let items = (0..<count).map { number in
      TalkItem(
        member: "ann", time: Timestamp(seconds: Samples.now - 60), id: "aaaaaa\(10 + number)", aim: .whole,
        text: "remark \(number)"
      ).markdown
    }
    return Talk(Array(items.joined().utf8))
  }

  private func robot(_ count: Int, isReader: Bool = false) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.readerKnown(isReader))
    robot.press("@")
    robot.happen(.talk(.loaded(Self.path, Self.talk(count))))
    robot.take()
    return robot
  }

  private func item(_ text: String) -> TalkItem {
    TalkItem(member: "ann", time: Timestamp(seconds: Samples.now), id: "bbbbbbbb", aim: .whole, text: text)
  }

  @Test func `the first remark is typed at once, and every letter is text`() {
    let robot = robot(0)
    #expect(robot.screen.contains("Nobody has said anything here yet."))
    robot.type("quit? q@D")
    #expect(robot.takeRuns().isEmpty)
    robot.press("Enter")
    #expect(robot.take() == [#"run say "quit? q@D" whole on a.md"#])
    // Enter again sends it once, and keys do not change what is sent.
    robot.press("Enter", "x")
    #expect(robot.take().isEmpty && !robot.screen.contains("q@Dx"))
    robot.happen(.talk(.said(Self.path, item("quit? q@D"), waiting: nil)))
    #expect(robot.take() == ["run read the remarks on a.md [talk.load]"])
    robot.press("Esc")
    #expect(robot.state.talk == nil && robot.screen.contains("b.md"))
  }

  @Test func `an answer names the selected remark, and arrows choose it while a text is typed`() {
    let robot = robot(3)
    robot.press("Enter")
    robot.type("yes")
    robot.press("Esc", "Up", "Enter", "Enter")
    #expect(
      robot.take().suffix(2) == [
        #"post remark on a.md is reply(to: "aaaaaa11")"#, #"run say "yes" reply(to: "aaaaaa11") on a.md"#,
      ])
  }

  @Test func `a text that Esc leaves is there again, and a failure keeps it in the field`() {
    let robot = robot(1)
    robot.press("n")
    robot.type("half a thought")
    robot.press("Esc", "n")
    #expect(robot.screen.contains("Remark: half a thought"))
    robot.press("Enter")
    robot.take()
    robot.happen(
      .talk(.failed(.say("half a thought", .whole, Self.path), StoreError(.notPermitted, "The folder is locked."))))
    #expect(robot.notice?.contains("The folder is locked.") == true)
    #expect(robot.screen.contains("Remark: half a thought"))
    robot.press("Enter")
    #expect(robot.take() == [#"run say "half a thought" whole on a.md"#])
  }

  @Test func `the selection stays on its remark when others are read, and goes to the one that was added`() {
    let robot = robot(3)
    robot.press("Up")
    let items = Self.talk(3).remarks.map(\.item.markdown)
    robot.happen(.talk(.loaded(Self.path, Talk(Array((item("first").markdown + items.joined()).utf8)))))
    #expect(robot.state.talk?.selected?.id == "aaaaaa11")
    robot.press("+")
    let agreed = TalkItem(
      member: "me", time: Timestamp(seconds: Samples.now), id: "cccccccc", aim: .agreement(with: "aaaaaa11"), text: "")
    robot.happen(.talk(.said(Self.path, agreed, waiting: nil)))
    robot.happen(.talk(.loaded(Self.path, Talk(Array((items.joined() + agreed.markdown).utf8)))))
    #expect(robot.state.talk?.selected?.id == "aaaaaa11")
    robot.happen(.talk(.said(Self.path, item("first"), waiting: nil)))
    robot.happen(.talk(.loaded(Self.path, Talk(Array((item("first").markdown + items.joined()).utf8)))))
    #expect(robot.state.talk?.selected?.id == "bbbbbbbb")
  }

  @Test func `a remark that waits says so`() {
    let robot = robot(1)
    robot.press("n")
    robot.type("x")
    robot.press("Enter")
    robot.happen(.talk(.said(Self.path, item("x"), waiting: StoreError(.offline, "The server does not answer."))))
    #expect(robot.notice?.hasPrefix("The remark waits on this machine. The server does not answer.") == true)
  }

  @Test func `keys agree, correct and withdraw the selected remark`() {
    let robot = robot(2)
    robot.press("+")
    robot.press("D")
    #expect(
      robot.take() == [
        #"run say "" agreement(with: "aaaaaa11") on a.md"#, #"run say "" withdrawal(of: "aaaaaa11") on a.md"#,
      ])
    robot.press("e")
    robot.type("!")
    robot.press("Enter")
    #expect(robot.takeRuns() == [#"run say "remark 1!" correction(of: "aaaaaa11") on a.md"#])
  }

  @Test func `each key of a remark goes to its draft at once, which moves with its place and goes with an empty field`()
  {
    let robot = robot(1)
    robot.press("n")
    robot.type("hi")
    robot.press("Esc", "Enter", "Backspace")
    #expect(
      robot.take() == [
        #"post begin remark whole on a.md: """#, #"post edits of a remark on a.md 0-0+"h""#,
        #"post edits of a remark on a.md 1-0+"i""#, #"post remark on a.md is reply(to: "aaaaaa10")"#,
        #"post edits of a remark on a.md 1-1+"""#,
      ])
    robot.press("Backspace", "Esc")
    #expect(robot.take().last == "run drop the draft of a remark on a.md")
  }

  @Test func `a correction that Esc leaves is dropped, and a remark typed before it stays`() {
    let robot = robot(1)
    robot.press("n")
    robot.type("mine")
    robot.press("Esc", "e")
    robot.type("!")
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["run drop the draft of a correction on a.md"])
    robot.press("n")
    #expect(robot.screen.contains("Remark: mine"))
  }

  @Test func `a remark that was typed before and not sent is in the field again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("@")
    #expect(robot.take().contains("run find the draft of a remark on a.md"))
    robot.happen(.talk(.foundDraft(Self.path, .reply(to: "aaaaaa10"), "half a thought", "d1")))
    robot.happen(.talk(.loaded(Self.path, Self.talk(1))))
    #expect(robot.screen.contains("Answer to ann: half a thought"))
    robot.take()
    robot.type("!")
    #expect(robot.take() == [#"post edits of a remark on a.md 14-0+"!""#])
  }

  @Test func `what is typed already is not replaced by an earlier text`() {
    let robot = robot(0)
    robot.type("new")
    robot.happen(.talk(.foundDraft(Self.path, .whole, "old", "d1")))
    // The draft that was found is not the one of this text.
    #expect(robot.screen.contains("Remark: new") && !robot.take().contains { $0.contains("draft d1") })
  }

  @Test func `the draft of a remark opens among the remarks on its thing, not in the editor`() {
    let robot = Robot(notes: ["a.md"])
    let draft = Draft(
      id: "d1", path: Samples.path("a.md.talk.md"), title: "Remark", base: nil,
      changed: Timestamp(seconds: Samples.now), bytes: 4)
    robot.happen(.foundWaiting([WaitingText(draft)]))
    #expect(robot.screen.contains("Draft of a remark on \"a.md\""))
    robot.press("Enter")
    robot.happen(.openedDraft(draft, text: Array("half".utf8)))
    #expect(robot.state.talk?.thing == Self.path)
    let asked = robot.take()
    #expect(asked.contains("run read the remarks on a.md [talk.load]"), "\(asked)")
    #expect(asked.contains("run find the draft d1 of a remark on a.md"), "\(asked)")
  }

  @Test func `of several drafts of remarks the chosen one opens, with its place`() {
    let robot = Robot(notes: ["a.md"])
    let drafts = [("d1", "Remark"), ("d2", "Remark re aaaaaa10"), ("d3", "Remark on \"low tide\"")].map { id, title in
      Draft(
        id: id, path: Samples.path("a.md.talk.md"), title: title, base: nil,
        changed: Timestamp(seconds: Samples.now), bytes: 4)
    }
    robot.press(":")
    robot.type("waiting\n")
    robot.happen(.waiting(drafts.map { WaitingText($0) }))
    #expect(robot.screen.contains("a remark on \"a.md\""))
    robot.press("Down", "Enter")
    robot.happen(.openedDraft(drafts[1], text: Array("half".utf8)))
    #expect(robot.take().contains("run find the draft d2 of a remark on a.md"))
    robot.happen(.talk(.loaded(Self.path, Self.talk(1))))
    robot.happen(.talk(.foundDraft(Self.path, .reply(to: "aaaaaa10"), "half", "d2")))
    #expect(robot.screen.contains("Answer to ann: half"))
    #expect(robot.take().contains("post the remark on a.md is draft d2"))
  }

  @Test func `Tab completes the name of a member, and goes on to the next one`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("@")
    let items = ["ray", "Robin", "me", "ann"].enumerated().map { number, member in
      TalkItem(
        member: member, time: Timestamp(seconds: Samples.now), id: "aaaaaaa\(number)", aim: .whole, text: "x"
      ).markdown
    }
    robot.happen(.talk(.loaded(Self.path, Talk(Array(items.joined().utf8)), member: "me")))
    robot.press("n")
    robot.type("see @r")
    robot.press("Tab")
    #expect(robot.screen.contains("Remark: see @Robin"))
    robot.press("Tab")
    #expect(robot.screen.contains("Remark: see @ray"))
    robot.type(" @x")
    robot.press("Tab")
    #expect(robot.screen.contains("Remark: see @ray @x"))
  }

  @Test func `a name that is not that of the version's author says who brought it`() {
    let robot = robot(1)
    let text = Self.talk(1).remarks[0].item.markdown
    let talk = Talk(Array(text.utf8), authors: [String(text.dropLast()): ["eve"]])
    robot.happen(.talk(.loaded(Self.path, talk)))
    #expect(robot.screen.contains("ann? brought by eve"))
  }

  @Test func `lines that are no remarks are shown as they are`() {
    let robot = robot(1)
    let text = "- ann: hello\n" + Self.talk(1).remarks[0].item.markdown
    robot.happen(.talk(.loaded(Self.path, Talk(Array(text.utf8)))))
    #expect(robot.screen.contains("- ann: hello"))
  }

  @Test(arguments: ["n", "@", "Enter", "+", "e", "D"])
  func `a reader reads, and is told so before anything is typed`(key: String) {
    let robot = robot(1, isReader: true)
    robot.press(key)
    #expect(robot.state.frame.notice == Notice("\(StoreError.reader)", isError: true))
    #expect(robot.take().isEmpty && robot.state.talk?.typing == nil)
  }

  @Test func `a failed reading says why, and the refresh key tries again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("@")
    robot.take()
    robot.happen(.talk(.failed(.load(Self.path), StoreError(.offline, "The server does not answer."))))
    #expect(robot.screen.contains("The server does not answer."))
    robot.press("r")
    #expect(robot.take() == ["run read the remarks on a.md [talk.load]"])
  }

  @Test func `in a panorama a remark is about the direction that is looked at`() {
    let robot = Scene.hotSpots.robot()
    robot.take()
    robot.press("@")
    let path = robot.state.photos.viewer?.path
    #expect(robot.state.talk?.thing == path)
    guard case .direction = robot.state.talk?.place else {
      Issue.record("no direction")
      return
    }
    robot.happen(.talk(.loaded(path ?? Self.path, .none)))
    #expect(robot.screen.contains("Remark at "))
    robot.press("Esc")
    #expect(robot.state.talk == nil && robot.view == "viewer")
    #expect(robot.take().contains { $0.contains("[photos.tour]") })
  }

  @Test func `without a note there is nothing to talk about`() {
    let robot = Robot(notes: [])
    robot.press("@")
    #expect(robot.state.talk == nil && robot.notice == "Select a note or photo first.")
  }

  @Test func `a long remark is wrapped, and the selected one is in view at any size`() {
    for size in [Size(80, 24), Size(40, 12), Size(200, 60)] {
      let robot = Robot(notes: ["a.md"], size: size)
      robot.press("@")
      let items = (0..<40).map { number in
        TalkItem(
          member: "ann", time: Timestamp(seconds: Samples.now), id: "aaaaaa\(10 + number)", aim: .whole,
          text: String(repeating: "word ", count: 30) + "end\(number)."
        ).markdown
      }
      robot.happen(.talk(.loaded(Self.path, Talk(Array(items.joined().utf8)))))
      #expect(robot.screen.contains("end39."))
      robot.press("g")
      #expect(robot.screen.contains("end0."))
      for number in 1..<40 {
        robot.press("j")
        #expect(robot.screen.contains("end\(number)."), "\(size)")
      }
    }
  }

  @Test(arguments: [(0, false), (1, true), (12, true)])
  func `an open note says how many remarks it has`(count: Int, isShown: Bool) {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    var note = Samples.note("a.md", "text")
    note.remarks = PlacedTalk(Self.talk(count), in: note.bytes)
    robot.happen(.opened(note, .read))
    #expect(robot.screen.contains(count == 1 ? "1 remark " : "\(count) remarks ") == isShown)
  }

  private static func remarks(
    _ count: Int, on name: String, new: String? = nil, isForMe: Bool = false
  ) -> [StorePath: ListedRemarks] {
    let path = Samples.path(name)
    return [
      path: ListedRemarks(
        count: count, last: "ray", file: Talk.filePath(of: path), new: new.map { Revision($0) }, isForMe: isForMe)
    ]
  }

  @Test func `remarks that are open are read again when others have said something there`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.notes(.remarks(Self.remarks(1, on: "a.md"))))
    robot.press("@")
    robot.happen(.talk(.loaded(Self.path, Self.talk(1))))
    robot.take()
    robot.happen(.notes(.remarks(Self.remarks(1, on: "a.md"))))
    #expect(!robot.take().contains { $0.contains("[talk.load]") })
    robot.happen(.notes(.remarks(Self.remarks(2, on: "a.md"))))
    #expect(robot.take().contains("run read the remarks on a.md [talk.load]"))
  }

  @Test(arguments: [false, true])
  func `the list, the preview and the grid count remarks`(isASCII: Bool) {
    let label = isASCII ? "i3" : "◇3"
    let abilities = TerminalAbilities(colors: .trueColor, asciiOnly: isASCII)
    let notes = Robot(notes: ["a.md", "b.md"], size: Size(120, 24), abilities: abilities)
    notes.happen(.notes(.remarks(Self.remarks(3, on: "a.md"))))
    let rows = notes.screen.split(separator: "\n").filter { $0.contains("a.md") }
    #expect(rows.contains { $0.contains(label) }, "\(rows)")
    #expect(notes.screen.contains("3 remarks"))
    let photos = Robot(photos: ["a.jpg"], abilities: abilities)
    photos.happen(.photos(.remarks(Self.remarks(3, on: "photos/a.jpg"))))
    #expect(photos.screen.contains("3 remarks"))
    let grid = Robot(photos: ["a.jpg"], abilities: abilities, layout: .grid)
    grid.happen(.photos(.remarks(Self.remarks(3, on: "photos/a.jpg"))))
    #expect(grid.screen.contains(label))
  }

  @Test func `remarks whose photo is gone are said after a listing, and stay in the head of the photos`() {
    let one = Self.remarks(2, on: "photos/gone.jpg")
    let robot = Robot(photos: ["a.jpg", "c.jpg"])
    // A photo that is being renamed has not taken its remarks along yet.
    robot.happen(.photos(.remarks(one)))
    #expect(robot.notice == nil && !robot.screen.contains("gone.jpg"))
    let others = Self.remarks(1, on: "photos/a.jpg").merging(Self.remarks(1, on: "photos/x.walk.json")) { $1 }
    robot.happen(.photos(.remarks(one.merging(others) { $1 }, isListed: true)))
    #expect(robot.notice == "Remarks without photo: gone.jpg. \"byteclub talk join\" gives them to another.")
    #expect(robot.grid.text(ofRow: 1).hasSuffix("Remarks without photo: gone.jpg"))
    robot.press("Down")
    robot.happen(.photos(.remarks(one, isListed: true)))
    #expect(robot.notice == nil, "it is said once")
    let two = one.merging(Self.remarks(1, on: "photos/b.jpg")) { $1 }
    robot.happen(.photos(.remarks(two, isListed: true)))
    #expect(robot.notice == "Remarks without photos: 2. \"byteclub talk ls\" names them.")
    robot.happen(.photos(.remarks([:])))
    #expect(!robot.grid.text(ofRow: 1).contains("Remarks without"))
  }

  @Test func `new remarks have a mark of their own, those that mention the member another, and N goes there`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.notes(.remarks(Self.remarks(1, on: "b.md", new: "t1"))))
    #expect(robot.screen.contains(" ◇ b.md") && robot.notice == nil)
    robot.happen(.notes(.remarks(Self.remarks(1, on: "b.md", new: "t2", isForMe: true))))
    #expect(robot.screen.contains(" @ b.md"))
    #expect(robot.notice == "A remark on \"b.md\" mentions you. The last one is by ray.")
    robot.take()
    robot.press("N")
    #expect(robot.state.notes.files.selected == Samples.path("b.md"))
    robot.press("@")
    robot.happen(.talk(.loaded(Samples.path("b.md"), Self.talk(2))))
    #expect(robot.take().contains { $0.hasPrefix("run see") && $0.contains("b.md.talk.md") })
    robot.press("Esc")
    #expect(robot.screen.contains("◇2") && !robot.screen.contains(" @ b.md"))
  }
}
