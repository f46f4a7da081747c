import FileStores
import Testing
import TextUI

@testable import Screens

/// `z` undoes whole steps on any list, newest first.
@Suite struct UndoTests {
  private func files(_ names: String...) -> [TrashedFile] {
    names.map { Samples.trashed($0, id: "t-\($0)") }
  }

  @Test func `several that went together come back together, and what remains to undo is reported`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md", "old.md"])
    robot.happen(.renamed(from: Samples.path("old.md"), Samples.entry("new.md")))
    robot.happen(.trashed(files("c.md")))
    robot.happen(.trashed(files("a.md", "b.md")))
    #expect(robot.rows == ["new.md"] && robot.notice == "Moved 2 notes to the trash. z undoes.")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run restore t-a.md t-b.md"])
    robot.happen(.undone(.restore(files("a.md", "b.md")), Samples.entry("a.md"), Samples.entry("b.md")))
    #expect(robot.rows == ["a.md", "b.md", "new.md"])
    #expect(robot.notice == "2 notes are back. z brings back \"c.md\".")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run restore t-c.md"])
    robot.happen(.undone(.restore(files("c.md")), Samples.entry("c.md")))
    #expect(robot.notice == "\"c.md\" is back. z undoes the rename of \"old.md\".")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run rename back new.md to old.md"])
    robot.happen(.undone(.rename(Samples.path("new.md"), to: "old.md"), Samples.entry("old.md")))
    #expect(robot.rows == ["a.md", "b.md", "c.md", "old.md"])
    #expect(robot.notice == "Renamed \"new.md\" back to \"old.md\".")
  }

  @Test func `a second z waits until the first is done`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.renamed(from: Samples.path("a.md"), Samples.entry("z.md")))
    robot.happen(.trashed(files("z.md")))
    robot.take()
    robot.press("z", "z")
    #expect(robot.take() == ["run restore t-z.md"])
    robot.happen(.undone(.restore(files("z.md")), Samples.entry("z.md")))
    #expect(robot.take().last == "run rename back z.md to a.md")
  }

  @Test func `what did not come back is named, and tried again when the reason passes`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.trashed(files("a.md", "b.md")))
    robot.press("z")
    robot.take()
    let step = UndoStep.restore(files("a.md", "b.md"))
    let failure = FileFailure(Samples.path("b.md"), StoreError(.offline, "The store is away."))
    robot.happen(.files(.undone(UndoOutcome(step, back: [Samples.entry("a.md")], failed: [failure]))))
    #expect(
      robot.notice
        == "1 of 2 notes is back. Not back: \"b.md\". The store is away. z brings back \"b.md\".")
    robot.press("z")
    #expect(robot.take() == ["run restore t-b.md"])
  }

  @Test func `what can never come back does not stand in the way of what was done before`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(.trashed(files("a.md")))
    robot.happen(.trashed(files("b.md")))
    robot.press("z")
    let failure = FileFailure(Samples.path("b.md"), StoreError(.exists, "\"b.md\" is there already."))
    robot.happen(.files(.undone(UndoOutcome(.restore(files("b.md")), back: [], failed: [failure]))))
    #expect(robot.notice == "\"b.md\" is there already. z brings back \"a.md\".")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run restore t-a.md"])
  }

  @Test func `what could not go to the trash is named, and stays marked`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    let failure = FileFailure(Samples.path("b.md"), StoreError(.notPermitted, "\"b.md\" is not yours."))
    robot.happen(.files(.trashed(files("a.md"), failed: [failure])))
    #expect(
      robot.notice == "Moved 1 of 2 notes to the trash. Not moved: \"b.md\". \"b.md\" is not yours. z undoes.")
    #expect(robot.rows == ["b.md", "c.md"] && robot.state.notes.files.marks == [Samples.path("b.md")])
  }

  @Test func `z undoes the newest step of either tab, by the list where it was done`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.trashed(files("a.md")))
    robot.press("2")
    robot.happen(photos: .listed(Samples.table(["p.jpg"], folder: "photos")))
    robot.happen(photos: .renamed(from: Samples.path("photos/p.jpg"), Samples.entry("photos/q.jpg")))
    robot.press("1")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run rename back photos/q.jpg to p.jpg"])
    robot.happen(photos: .undone(.rename(Samples.path("photos/q.jpg"), to: "p.jpg"), Samples.entry("photos/p.jpg")))
    #expect(robot.notice == "Renamed \"photos/q.jpg\" back to \"photos/p.jpg\". z brings back \"a.md\".")
    robot.press("2")
    robot.take()
    robot.press("z")
    robot.happen(.undone(.restore(files("a.md")), Samples.entry("a.md")))
    robot.press("1")
    #expect(robot.rows == ["a.md"])
  }
}
