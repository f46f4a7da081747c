import FileStores
import TestKit
import Testing

@testable import Screens

/// Photos in the order in which they were taken.
@Suite struct TakenOrderTests {
  private static let names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]

  private func path(_ name: String) -> StorePath { Samples.path("photos/\(name)") }

  private func robot() -> Robot {
    let robot = Robot(photos: Self.names)
    let entries = Self.names.enumerated().map { Samples.entry("photos/\($1)", ago: Int64(1000 * ($0 + 1))) }
    let set = ChangeSet(changes: entries.map { .present($0) }, cursor: ChangeCursor("1"))
    robot.happen(photos: .files(.changed(set)))
    robot.take()
    return robot
  }

  private func moments(_ ago: [String: Int64]) -> [StorePath: Timestamp] {
    Dictionary(uniqueKeysWithValues: ago.map { (path($0.key), Timestamp(seconds: Samples.now - $0.value)) })
  }

  @Test func `the key of sorting asks for the times, and a change stands for a time that is not known`() {
    let robot = robot()
    robot.press("s")
    #expect(robot.notice == "Sorted by date taken, the newest first.")
    #expect(robot.takeRuns().contains("run captures [photos.captures]"))
    #expect(robot.rows == Self.names)
    robot.happen(photos: .capturesFound(moments(["a.jpg": 500_000, "d.jpg": 1500, "gone.jpg": 1])))
    #expect(robot.rows == ["d.jpg", "b.jpg", "c.jpg", "a.jpg"])
    #expect(robot.chosen == "photos/d.jpg", "The first is chosen until the member moves.")
    robot.press("S")
    #expect(robot.rows == ["a.jpg", "c.jpg", "b.jpg", "d.jpg"])
    #expect(robot.notice == "Sorted by date taken, the oldest first.")
    robot.press("s")
    #expect(robot.notice == "Sorted by date, the newest first.")
    #expect(!robot.takeRuns().contains { $0.contains("captures") })
  }

  @Test func `times that come later keep the selection`() {
    let robot = robot()
    robot.press("s", "j")
    #expect(robot.chosen == "photos/b.jpg")
    robot.happen(photos: .capturesFound(moments(["b.jpg": 900_000])))
    #expect(robot.rows.last == "b.jpg" && robot.chosen == "photos/b.jpg")
  }

  @Test func `a listing keeps the times and asks again, and a photo that was replaced loses its own`() {
    let robot = robot()
    robot.press("s")
    robot.happen(photos: .capturesFound(moments(["a.jpg": 500_000, "b.jpg": 400_000])))
    robot.take()
    var table = Samples.table(Self.names + ["e.jpg"], folder: "photos")
    table.merge(Self.names.enumerated().map { Samples.entry("photos/\($1)", ago: Int64(1000 * ($0 + 1))) })
    table.merge([Samples.entry("photos/e.jpg", ago: 2500)])
    robot.happen(photos: .files(.listed(table)))
    #expect(robot.rows == ["e.jpg", "c.jpg", "d.jpg", "b.jpg", "a.jpg"])
    #expect(robot.takeRuns().contains("run captures [photos.captures]"))
    let other = ChangeSet(
      changes: [.present(Samples.entry("photos/a.jpg", ago: 1, revision: "r2"))], cursor: ChangeCursor("2"))
    robot.happen(photos: .files(.changed(other)))
    #expect(robot.rows.first == "a.jpg")
  }

  @Test func `notes go round without a date of capture`() {
    let robot = Robot(notes: ["a"])
    robot.press("s", "s", "s")
    #expect(robot.notice == "Sorted by name.")
    #expect(FileListWords.photos.order(after: .size) == .name && FileListWords.photos.order(after: .name) == .taken)
  }
}
