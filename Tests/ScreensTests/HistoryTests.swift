import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct HistoryTests {
  private let path = Samples.path("a.md")

  private func told() -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("H")
    robot.happen(.historyTold(path, Samples.versions("a.md")))
    robot.take()
    return robot
  }

  private func version(_ robot: Robot) {
    robot.press("Down", "Enter")
    let entry = Samples.entry("a.md", revision: "r2")
    robot.happen(.versionRead(OpenNote(entry: entry, bytes: Array("old text".utf8), draft: nil)))
  }

  @Test func `H asks the store, and says so until it answers`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    #expect(robot.take() == ["run history of a.md [notes.history]"])
    #expect(robot.view == "history" && robot.screen.contains("Loading."))
  }

  @Test func `versions are told newest first, with age, size and member; the first is what is there now`() {
    let robot = told()
    let rows = (2...4).map { robot.grid.text(ofRow: $0) }
    #expect(rows[0].contains("now") && rows[0].contains("2.0"))
    #expect(rows[1].contains("by ann") && !rows[1].contains("now"))
    #expect(rows[2].contains("12"))
  }

  @Test func `Enter reads a version, which cannot be changed`() {
    let robot = told()
    robot.press("Down", "Enter")
    #expect(robot.take() == ["run version r2 of a.md [notes.history]"])
    robot.happen(.versionRead(OpenNote(entry: Samples.entry("a.md", revision: "r2"), bytes: [65], draft: nil)))
    #expect(robot.view == "version" && robot.screen.contains("read-only"))
    robot.press("i")
    #expect(robot.view == "version" && robot.take().isEmpty)
    #expect(robot.notice?.contains("R restores it") == true)
    robot.press("Esc")
    #expect(robot.view == "history")
  }

  @Test(arguments: [true, false]) func `R asks, and restores over what was seen`(fromReading: Bool) {
    let robot = told()
    if fromReading { version(robot) } else { robot.press("Down") }
    robot.take()
    robot.press("R")
    #expect(robot.question?.hasPrefix("Restore \"a.md\" as it was ") == true)
    robot.press("n")
    #expect(robot.take().isEmpty)
    robot.press("R", "y")
    #expect(robot.take() == ["run restore r2 of a.md over r3"])
    robot.happen(.restoredVersion(Samples.entry("a.md", revision: "r4")))
    #expect(robot.view.isEmpty && robot.chosen == "a.md")
    #expect(robot.notice == "Restored \"a.md\". The previous text is in the history.")
  }

  @Test func `the newest needs no restoring`() {
    let robot = told()
    robot.press("R")
    #expect(robot.question == nil && robot.take().isEmpty)
    #expect(robot.notice == "This is already the newest version.")
  }

  @Test func `a change by someone else restores nothing, and the history is told anew`() {
    let robot = told()
    version(robot)
    robot.press("R", "y")
    robot.take()
    robot.happen(.restoreFailed(path, StoreError(.conflict, "It is another version.", path: path)))
    #expect(robot.view == "history" && robot.take() == ["run history of a.md [notes.history]"])
    #expect(robot.notice?.contains("Nothing was restored") == true)
    // The choice stays on its version.
    robot.happen(.historyTold(path, [Samples.entry("a.md", ago: 1, revision: "r4")] + Samples.versions("a.md")))
    robot.press("R", "y")
    #expect(robot.take() == ["run restore r2 of a.md over r4"])
  }

  @Test func `a store without history is told, and the list is there again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    robot.happen(.historyFailed(path, StoreError(.unsupported, "The store of \"home\" keeps no versions of notes.")))
    #expect(robot.view.isEmpty)
    #expect(robot.notice?.contains("keeps no versions of notes") == true)
  }

  @Test func `what is told after the view was closed changes nothing`() {
    let robot = told()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [notes.history]"])
    robot.happen(.historyTold(path, Samples.versions("a.md")))
    robot.happen(.versionRead(OpenNote(entry: Samples.entry("a.md", revision: "r2"), bytes: [65], draft: nil)))
    #expect(robot.view.isEmpty)
  }
}
