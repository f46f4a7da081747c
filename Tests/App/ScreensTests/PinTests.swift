import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Pinned notes, which stay at the top of their list on this machine.
@Suite struct PinTests {
  private func robot() -> Robot { Robot(notes: ["a.md", "b.md", "c.md", "d.md"]) }

  @Test func `a pinned note goes to the top, with a mark, and stays selected`() {
    let robot = robot()
    robot.press("Down", "Down", "p")
    #expect(robot.rows == ["c.md", "a.md", "b.md", "d.md"] && robot.chosen == "c.md")
    #expect(robot.take().contains("run keep the pins c.md") && robot.notice?.hasPrefix("Pinned \"c.md\"") == true)
    #expect(robot.screen.contains("◆"))
    robot.press("End", "p")
    #expect(robot.rows == ["c.md", "d.md", "a.md", "b.md"])
    robot.press("p")
    #expect(robot.rows == ["c.md", "a.md", "b.md", "d.md"] && robot.chosen == "d.md")
    #expect(robot.take().contains("run keep the pins c.md") && robot.notice == "Unpinned \"d.md\".")
  }

  @Test func `pins keep the order of the list, whatever it is`() {
    let robot = robot()
    robot.press("p", "Down", "Down", "p", "S")
    #expect(robot.rows == ["c.md", "a.md", "d.md", "b.md"])
    robot.press("S")
    #expect(robot.rows == ["a.md", "c.md", "b.md", "d.md"])
  }

  @Test func `a pin follows a rename, and outlasts a new listing`() {
    let robot = robot()
    robot.press("End", "p")
    robot.happen(.renamed(from: Samples.path("d.md"), Samples.entry("z.md")))
    #expect(robot.rows == ["z.md", "a.md", "b.md", "c.md"] && robot.take().contains("run keep the pins z.md"))
    robot.happen(.notes(.listed(Samples.table(["z.md", "a.md", "b.md", "y.md"]))))
    #expect(robot.rows == ["z.md", "a.md", "b.md", "y.md"])
  }

  @Test func `one pin more than there may be is refused with a sentence`() {
    var state = robot().state
    state.notes.files.pins = Set((0..<FileList.mostPins).map { Samples.path("z\($0).md") })
    let isDone = state.notes.files.togglePin(&state.frame)
    #expect(!isDone && state.notes.files.pins.count == FileList.mostPins)
    #expect(state.frame.notice?.text.hasPrefix("\"a.md\" is not pinned: 500 notes are") == true)
  }

  @Test func `while words are sought, the best match comes first`() {
    let robot = Robot(notes: ["bay.md", "pier.md", "xpier.md"])
    robot.press("End", "p", "/")
    robot.type("pier")
    #expect(robot.rows == ["pier.md", "xpier.md"])
    robot.press("Esc")
    #expect(robot.rows == ["xpier.md", "bay.md", "pier.md"])
  }

  @Test func `a pin of a note that is gone does nothing, and works when the note is back`() {
    var table = Samples.table(["a.md", "b.md"])
    table.pins = [Samples.path("z.md"), Samples.path("b.md")]
    #expect((0..<table.count).map { "\(table.path(at: $0))" } == ["b.md", "a.md"])
    table.apply([.present(Samples.entry("z.md"))])
    #expect((0..<table.count).map { "\(table.path(at: $0))" } == ["b.md", "z.md", "a.md"])
    #expect(table.row(of: Samples.path("z.md")) == 1)
  }
}
