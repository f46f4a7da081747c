import FileStores
import Testing
import TextUI

@testable import Screens

/// The others in lists, in notes and in words, and the sight that they get of this member.
@Suite struct PresenceScreenTests {
  private let note = Samples.path("b.md")

  private func robot(_ presence: PresenceChoice = .on(isKnown: true), size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(size, presence: presence)
    robot.happen(.notes(.listed(Samples.table(["a.md", "b.md"]))))
    robot.take()
    return robot
  }

  private func looks(_ robot: Robot) -> [String] { robot.take().filter { $0.contains("look at") } }

  @Test func `a list names who is in a note, and how many more`() {
    let robot = robot()
    robot.see(PresentMember("ann", Sight(note)), PresentMember("ben", Sight(note)))
    #expect(robot.grid.text.split(separator: "\n").contains { $0.contains("b.md") && $0.contains("ann +1") })
    robot.see()
    #expect(!robot.screen.contains("ann"))
  }

  @Test func `the reader says who reads and edits, with a line of the text that is shown`() {
    let robot = robot()
    robot.happen(.asked(note))
    robot.happen(.opened(Samples.note("b.md", "one\ntwo\n"), .read))
    robot.see(PresentMember("ann", Sight(note, edits: true, line: Sight.Line(2, of: Revision("r1")))))
    #expect(robot.screen.contains("ann edits line 2"))
    robot.see(PresentMember("ann", Sight(note, edits: true, line: Sight.Line(2, of: Revision("r9")))))
    #expect(robot.screen.contains("ann edits  ") && !robot.screen.contains("edits line"))
    robot.press("i")
    #expect(robot.screen.contains("ann edits"))
    robot.see(PresentMember("ann", Sight(note)))
    #expect(robot.screen.contains("ann reads"))
  }

  @Test func `the first member who is seen comes with a sentence, once, that is remembered`() {
    let robot = robot(.on(isKnown: false))
    robot.see()
    #expect(!robot.take().contains { $0.contains("keep that others") })
    robot.see(PresentMember("ann", Sight()))
    #expect(robot.screen.contains("ann is here. Others see what you look at, too"))
    #expect(robot.take().contains { $0.contains("keep that others see the member") })
    robot.press("j")
    robot.see(PresentMember("ann", Sight(note)))
    #expect(!robot.screen.contains("Others see"))
  }

  @Test(arguments: ["ann", "Benedetta Castelli di Monte"])
  func `that sentence has its end at 80 columns, whoever is seen`(name: String) {
    let robot = robot(.on(isKnown: false))
    robot.see(PresentMember(name, Sight()))
    #expect(robot.screen.contains("is here. Others see what you look at, too; ui.presence: off ends it."))
  }

  @Test(arguments: [false, true])
  func `that sentence waits until the notice of before can have been read`(isWhole: Bool) {
    let robot = robot(.on(isKnown: false))
    robot.wait(seconds: 60)
    if isWhole { robot.type(":who\n") } else { robot.happen(.notes(.files(.reported("Nobody else is here now.")))) }
    robot.see(PresentMember("ann", Sight()))
    #expect(robot.take().contains { $0.contains("let the notice rest") })
    robot.wait(seconds: 4)
    robot.happen(.presence(.rested))
    #expect(robot.screen.contains("Nobody else is here now.") && !robot.screen.contains("Others see"))
    #expect(robot.take().contains { $0.contains("let the notice rest") })
    robot.wait(seconds: 1)
    robot.happen(.presence(.rested))
    #expect(robot.screen.contains("Others see") == !isWhole)
    // A whole text stays until a key is pressed.
    robot.press("j")
    robot.happen(.presence(.rested))
    #expect(robot.screen.contains("Others see") == isWhole)
  }

  @Test func `the others hear of each thing before the eyes, and of nothing twice`() {
    let robot = Robot(presence: .on(isKnown: true))
    #expect(robot.take().contains { $0.contains("follow the others") })
    robot.happen(.notes(.listed(Samples.table(["a.md", "b.md"]))))
    #expect(looks(robot).count == 1)
    robot.press("j")
    #expect(looks(robot).isEmpty)
    robot.happen(.asked(note))
    robot.happen(.opened(Samples.note("b.md", "one\ntwo\n"), .read))
    #expect(looks(robot).last?.contains("look at b.md") == true)
    robot.press("i")
    #expect(looks(robot).last?.contains("look at b.md editing line 1 of r1") == true)
    robot.press("Down")
    #expect(looks(robot).last?.contains("line 2 of r1") == true)
    robot.press("Esc", "Esc", "Esc")
    #expect(looks(robot).last?.contains("look at the lists") == true)
  }

  @Test func `another panorama is shown with its gaze once it has come, so that followers come along`() {
    let robot = Robot(presence: .on(isKnown: true))
    robot.press("2")
    robot.happen(.photos(.listed(Samples.table(["a.jpg", "b.jpg"], folder: "photos"))))
    robot.press("Enter")
    #expect(looks(robot).last == "post look at photos/a.jpg")
    robot.showSphere()
    #expect(looks(robot).last?.hasPrefix("post look at photos/a.jpg ") == true)
    robot.press("n")
    #expect(robot.state.photos.viewer?.path == Samples.path("photos/b.jpg") && looks(robot).isEmpty)
    robot.showSphere()
    #expect(looks(robot).last?.hasPrefix("post look at photos/b.jpg ") == true)
    robot.press("Esc")
    #expect(looks(robot).last == "post look at the lists")
  }

  @Test func `without presence nothing is sent, and nobody is asked for`() {
    for choice in [PresenceChoice.absent, .off] {
      let robot = Robot(presence: choice)
      robot.happen(.notes(.listed(Samples.table(["a.md"]))))
      robot.happen(.asked(Samples.path("a.md")))
      robot.happen(.opened(Samples.note("a.md", "one\n"), .read))
      let said = robot.take()
      #expect(!said.contains { $0.contains("look at") || $0.contains("follow the others") })
    }
  }

  @Test func `:who says it in words`() {
    let robot = robot()
    robot.press(":")
    robot.type("who\n")
    #expect(robot.screen.contains("Nobody else is here now."))
    robot.see(PresentMember("ann", Sight(note, edits: true)), PresentMember("ben", Sight()))
    robot.press(":")
    robot.type("who\n")
    #expect(robot.screen.contains("ann edits \"b.md\". ben is in the club."))
    for (choice, words) in [
      (PresenceChoice.off, "ui.presence is off"), (.absent, "Only clubs of byteclub serve show who is here."),
    ] {
      let robot = self.robot(choice)
      robot.press(":")
      robot.type("who\n")
      #expect(robot.screen.contains(words))
    }
  }

  @Test func `a store without it says nothing, and a proxy that holds it back is named once`() {
    let robot = robot()
    robot.see(PresentMember("ann", Sight(note)))
    robot.happen(.presence(.ended(StoreError(.unsupported, "It has none."))))
    #expect(!robot.screen.contains("It has none.") && !robot.screen.contains("ann"))
    let other = self.robot()
    other.happen(.presence(.ended(StoreError(.unsupported, "A proxy holds it back.", remedy: "See the page."))))
    #expect(other.screen.contains("A proxy holds it back. See the page."))
  }

  @Test func `a hostile name cannot drive the terminal`() {
    let robot = robot()
    robot.see(PresentMember("\u{1B}[2J\u{202E}ann\n", Sight(note)))
    #expect(!robot.grid.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}
