import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Check boxes of a rendered note.
@Suite struct CheckBoxTests {
  private static let text = "# To do\n\n- [ ] bread\n- [x] tea\n- [ ] jam\n"

  private func reading(_ text: String = text, revision: String = "r1") -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text, revision: revision), .read))
    robot.take()
    return robot
  }

  @Test func `Space toggles the box in focus: one byte, saved over the revision that is seen`() {
    let robot = reading()
    robot.press("Tab", "Space")
    #expect(robot.screen.contains("☑ bread") && robot.screen.contains("saving"))
    #expect(
      robot.take() == [
        "post begin draft 1 of a.md \"a.md\" over r1: \"# To do\n\n- [ ] bread\n- [x] tea\n- [ ] jam\n\"",
        "post edits 1 12-1+\"x\"",
        "run save a.md over r1: \"# To do\n\n- [x] bread\n- [x] tea\n- [ ] jam\n\" draft 1",
      ])
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    #expect(robot.notice == "Saved \"a.md\"." && robot.view == "reader" && !robot.screen.contains("saving"))
    robot.press("Tab", "Space")
    #expect(robot.screen.contains("☐ tea"))
    #expect(robot.take().last?.hasPrefix("run save a.md over r2: ") == true)
  }

  @Test func `boxes toggled in a row need not wait for the first save`() {
    let robot = reading()
    robot.press("Tab", "Space", "Tab", "Tab", "Space")
    #expect(robot.screen.contains("☑ bread") && robot.screen.contains("☑ jam"))
    let saves = robot.take().filter { $0.hasPrefix("run save") }
    #expect(saves.count == 2 && saves.last?.contains("[x] bread\n- [x] tea\n- [x] jam") == true)
  }

  @Test func `the place, the search and the focus stay when a box is toggled`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("\(gap)- [ ] bread\n- [ ] jam\n\n\(gap)")
    robot.press("/")
    robot.type("bread")
    robot.press("Enter", "Tab")
    let before = (2..<22).map { robot.grid.text(ofRow: $0) }
    robot.press("Space")
    #expect(robot.screen.contains("☑ bread") && robot.screen.contains("1 of 1"))
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: 1))
    robot.press("Space")
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r3")), session: 2))
    #expect((2..<22).map { robot.grid.text(ofRow: $0) } == before && robot.footer.contains("Space toggle"))
  }

  @Test func `a conflict is said, and both texts are shown`() {
    let robot = reading()
    robot.press("Tab", "Space")
    robot.happen(
      .saved(
        Samples.path("a.md"),
        .conflict(Samples.conflict("a.md", mine: Self.text.replacing("[ ] b", with: "[x] b"), theirs: "other\n")),
        session: 1))
    #expect(robot.view == "conflict" && robot.screen.contains("- [x] bread") && robot.screen.contains("other"))
    #expect(robot.notice == "ann changed \"a.md\" in the meantime. Both texts are safe: choose part by part.")
  }

  @Test func `a box whose save fails for good comes back in the editor`() {
    let robot = reading()
    robot.press("Tab", "Space")
    robot.happen(
      .failed(
        .save(Samples.path("a.md"), base: nil, text: [], session: 1), StoreError(.tooLarge, "The club takes no more.")))
    #expect(robot.view == "editor" && robot.text?.contains("- [x] bread") == true)
    #expect(robot.notice == "\"a.md\" was not saved. The club takes no more.")
    robot.press("Esc", "y")
    #expect(robot.screen.contains("☐ bread"))
  }

  @Test func `Enter and a press toggle, too`() {
    let robot = reading()
    robot.press("Tab", "Enter")
    #expect(robot.screen.contains("☑ bread"))
    robot.mouse(.press, 1, 6)
    #expect(robot.screen.contains("☑ jam"))
  }
}
