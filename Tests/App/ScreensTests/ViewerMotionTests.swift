import ClubServices
import FileStores
import Testing
import TextUI

@testable import Imaging
@testable import Screens

@Suite struct `A view that is let go` {
  private func robot(reducedMotion: Bool = false) -> Robot {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: reducedMotion)
    robot.press("Enter")
    robot.showSphere()
    robot.take()
    return robot
  }

  private func yaw(_ robot: Robot) throws -> Double { try #require(robot.state.photos.viewer?.look?.yawDegrees) }

  private func drag(_ robot: Robot, ticks: Int) {
    robot.mouse(.press, 60, 10)
    for step in 1...4 {
      robot.mouse(.drag, 60 - step * 4, 10)
      if step <= ticks { robot.happen(photos: .turned) }
    }
    robot.mouse(.release, 44, 10)
  }

  @Test(arguments: [0, 2, 4])
  func `swings on after a drag, slower and slower, and comes to rest`(ticks: Int) throws {
    let robot = robot()
    drag(robot, ticks: ticks)
    #expect(robot.take().contains("run await the turn [photos.turn]"))
    var steps: [Double] = []
    while steps.count < 100 {
      let before = try yaw(robot)
      robot.happen(photos: .turned)
      steps.append(try yaw(robot) - before)
      if robot.take().isEmpty { break }
    }
    #expect(steps.count > 4 && steps.count < 40)
    let moving = steps.filter { $0 != 0 }
    #expect(moving == moving.sorted(by: >) && moving.allSatisfy { $0 > 0 })
    #expect(moving.reduce(0, +) < 60)
  }

  @Test func `rests if the mouse had rested`() throws {
    let robot = robot()
    robot.mouse(.press, 60, 10)
    robot.mouse(.drag, 44, 10)
    robot.happen(photos: .turned)
    robot.happen(photos: .turned)
    robot.take()
    robot.mouse(.release, 44, 10)
    let before = try yaw(robot)
    #expect(robot.take().isEmpty)
    robot.happen(photos: .turned)
    #expect(try yaw(robot) == before)
  }

  @Test func `swings after keys that repeat, but not after a single press`() throws {
    let robot = robot()
    robot.press("Right")
    var before = try yaw(robot)
    robot.happen(photos: .turned)
    robot.take()
    robot.happen(photos: .turned)
    #expect(try robot.take().isEmpty && yaw(robot) == before)
    for _ in 0..<6 {
      robot.press("Right")
      robot.happen(photos: .turned)
    }
    before = try yaw(robot)
    robot.take()
    robot.happen(photos: .turned)
    #expect(try robot.take() == ["run await the turn [photos.turn]"] && yaw(robot) > before)
  }

  @Test(arguments: ["q", "m", "F9"])
  func `stops at any key`(key: String) throws {
    let robot = robot()
    drag(robot, ticks: 0)
    robot.happen(photos: .turned)
    robot.press(key)
    guard key != "q" else { return #expect(robot.view == "") }
    let before = try yaw(robot)
    robot.take()
    robot.happen(photos: .turned)
    #expect(try robot.take().isEmpty && yaw(robot) == before)
  }

  @Test func `stays where it is with reduced motion`() throws {
    let robot = robot(reducedMotion: true)
    drag(robot, ticks: 0)
    for _ in 0..<6 { robot.press("Right") }
    let before = try yaw(robot)
    #expect(robot.take().isEmpty)
    robot.happen(photos: .turned)
    #expect(try yaw(robot) == before)
  }
}

@Suite struct `The viewer's keys of the list` {
  private func robot(_ name: String = "b.jpg") -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg"])
    robot.happen(photos: .asked(Samples.path("photos/\(name)")))
    robot.showSphere()
    robot.take()
    return robot
  }

  @Test func `d asks for a folder and downloads, and the photo is still there`() {
    let robot = robot()
    robot.press("d")
    #expect(robot.view == "path" && robot.screen.contains("~/Downloads"))
    robot.press("Esc")
    #expect(robot.view == "viewer")
    robot.press("d")
    robot.happen(photos: .completed("~/Downloads/", PathCompletion(choices: [], common: "~/Downloads/")))
    robot.press("Enter")
    robot.happen(photos: .folderFound("~/Downloads/", .isThere("~/Downloads")))
    #expect(robot.take().contains("run download photos/b.jpg to ~/Downloads") && robot.view == "viewer")
  }

  @Test(arguments: [("b.jpg", "photos/c.jpg"), ("c.jpg", "photos/b.jpg")])
  func `D asks, and the next photo is shown, or the previous one at the end`(name: String, next: String) {
    let robot = robot(name)
    let photo = Samples.path("photos/\(name)")
    robot.press("D")
    #expect(robot.question == "Move \"photos/\(name)\" to the trash?")
    robot.press("y")
    #expect(robot.take() == ["run trash photos/\(name)"])
    robot.happen(photos: .files(.trashed([Samples.trashed("photos/\(name)")])))
    #expect(robot.take().contains("run view \(next) [photos.view]") && robot.chosen == next)
    #expect(!robot.rows.contains(name) && robot.state.photos.viewer?.path != photo)
    robot.press("z")
    #expect(robot.take() == ["run restore t1"])
  }

  @Test func `when the last photo goes, the viewer closes`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter", "D", "y")
    robot.happen(photos: .files(.trashed([Samples.trashed("photos/a.jpg")])))
    #expect(robot.view == "" && robot.rows.isEmpty)
  }

  @Test func `R renames in a field below the photo`() {
    let robot = robot()
    robot.press("R")
    #expect(robot.view == "rename" && robot.screen.contains("New name: b.jpg"))
    robot.press("Ctrl-U")
    robot.type("pier.jpg")
    robot.press("Enter")
    #expect(robot.take() == ["run rename photos/b.jpg to pier.jpg"])
    robot.happen(photos: .files(.renamed(from: Samples.path("photos/b.jpg"), Samples.entry("photos/pier.jpg"))))
    #expect(robot.view == "viewer" && robot.state.photos.viewer?.path == Samples.path("photos/pier.jpg"))
    #expect(robot.grid.text(ofRow: 1).contains("pier.jpg"))
    robot.press("R", "Esc")
    #expect(robot.view == "viewer")
  }

  @Test func `i tells about the photo, and comes back to it`() throws {
    let robot = robot()
    robot.press("i")
    #expect(robot.take() == ["run info photos/b.jpg [photos.info]"])
    let info = try #require(Samples.info(Samples.path("photos/b.jpg"), camera: "Theta"))
    robot.happen(photos: .informed(info))
    #expect(robot.view == "info")
    robot.press("q")
    #expect(robot.view == "viewer")
  }

  @Test func `footer and help have them`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: Size(200, 60))
    robot.press("Enter")
    robot.showSphere()
    for key in ["d download", "D trash", "R rename"] { #expect(robot.footer.contains(key)) }
    robot.press("?")
    #expect(robot.screen.contains("download the photo") && robot.screen.contains("rename the photo"))
  }

  @Test func `a neighbour that is ready is shown at once, until the whole photo comes`() throws {
    let robot = robot()
    var header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 8000, height: 2000))
    header.cameraModel = "Theta"
    let ready = ReadyPhoto(try Samples.pyramid(), full: header.size, header: header)
    robot.happen(photos: .ready(Samples.path("photos/c.jpg"), ready))
    robot.happen(photos: .ready(Samples.path("photos/x.jpg"), ready))
    #expect(robot.state.photos.ready.count == 1)
    robot.press("n")
    // The prefetch that made it is over; the rest of it is cancelled.
    #expect(robot.take().first == "cancel [photos.ahead]")
    #expect(robot.grid.text(ofRow: 1).contains("loading  8000 x 2000"))
    // A coarser version does not replace it.
    robot.happen(
      photos: .viewed(
        Samples.path("photos/c.jpg"), try Samples.pyramid(Samples.slope(width: 40, height: 10)), full: header.size,
        header: header, isWhole: false))
    #expect(robot.state.photos.viewer?.pyramid?.size.width == 320)
    robot.press("q")
    #expect(robot.state.photos.ready.isEmpty)
  }

  @Test func `a chosen kind is kept, comes back in another run, and is guessed anew for a replaced photo`() {
    let robot = robot()
    robot.press("v")
    #expect(robot.take() == ["run keep flat of photos/b.jpg"])
    #expect(robot.state.photos.viewer?.look == nil)
    let change = ChangeSet.Change.present(Samples.entry("photos/b.jpg", revision: "r2"))
    robot.happen(photos: .files(.changed(ChangeSet(changes: [change], cursor: ChangeCursor("")))))
    robot.press("q", "Enter")
    robot.showSphere()
    #expect(robot.state.photos.viewer?.look != nil)
  }
}
