import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct RenameTests {
  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a name that is taken keeps the field open with the reason in it`(size: Size) {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.press("R", "Ctrl-U")
    robot.type("b.md")
    robot.take()
    robot.press("Enter")
    #expect(robot.view == "rename" && robot.take().isEmpty)
    #expect(robot.screen.contains("! \"b.md\" already exists.") && robot.screen.contains("New name: b.md"))
    robot.press("Left")
    #expect(robot.screen.contains("already exists."))
    robot.type("2")
    #expect(!robot.screen.contains("already exists."))
    robot.press("Enter")
    #expect(robot.take().last?.hasPrefix("run rename a.md to ") == true)
  }

  @Test func `what the store says against a name is reported in the field, which keeps what was typed`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("R", "Ctrl-U")
    robot.type("b/c.jpg")
    robot.press("Enter", "Enter")
    #expect(robot.take() == ["run rename photos/a.jpg to b/c.jpg"])
    let error = StoreError(.badName, "The name has a slash.", remedy: "Choose another name.")
    robot.happen(photos: .files(.failed(.rename(Samples.path("photos/a.jpg"), to: "b/c.jpg"), error)))
    #expect(robot.screen.contains("! The name has a slash. Choose another name."))
    #expect(robot.screen.contains("New name: b/c.jpg"))
    robot.press("Enter")
    #expect(robot.take() == ["run rename photos/a.jpg to b/c.jpg"])
    robot.happen(photos: .renamed(from: Samples.path("photos/a.jpg"), Samples.entry("photos/d.jpg")))
    #expect(robot.view.isEmpty)
  }

  @Test func `a rename that was closed before it failed is reported as a notice`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("R")
    robot.type("x")
    robot.press("Enter", "Esc")
    let error = StoreError(.exists, "It already exists.")
    robot.happen(.files(.failed(.rename(Samples.path("a.md"), to: "ax.md"), error)))
    #expect(robot.view.isEmpty && robot.notice == "It already exists.")
  }
}
