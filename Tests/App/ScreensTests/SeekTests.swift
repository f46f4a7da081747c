import FileStores
import Testing
import TextUI

@testable import Screens

/// Find on the photos' tab also searches the store's index.
@Suite struct SeekTests {
  @Test func `each change of the words asks the store, the newest alone, and no words ask nothing`() {
    let robot = Robot(photos: ["spring.jpg", "roof.jpg"])
    robot.press("/")
    #expect(robot.take().isEmpty)
    robot.type("sp")
    #expect(robot.take().filter { $0.contains("seek") } == ["run seek s [photos.seek]", "run seek sp [photos.seek]"])
    robot.press("Down")
    #expect(robot.take().allSatisfy { !$0.contains("seek") })
    robot.press("Esc")
    #expect(robot.take().contains("cancel [photos.seek]"))
  }

  @Test func `the list narrows at once; what the store finds joins it, and the choice stays`() {
    let robot = Robot(photos: ["spring 1.jpg", "spring 3.jpg", "roof.jpg"])
    robot.press("/")
    robot.type("spring")
    robot.press("Down")
    #expect(robot.rows == ["spring 1.jpg", "spring 3.jpg"] && robot.chosen == "photos/spring 3.jpg")
    robot.happen(
      photos: .found(["spring 2.jpg", "spring 1.jpg", "blossoms.jpg"].map { Samples.entry("photos/\($0)") }))
    #expect(robot.rows == ["spring 1.jpg", "spring 2.jpg", "spring 3.jpg"] && robot.chosen == "photos/spring 3.jpg")
    robot.press("Esc")
    #expect(robot.rows.count == 5)
  }
}
