import ClubServices
import FileStores
import Testing
import TextUI

@testable import Imaging
@testable import Screens

extension Robot {
  /// Plays a walk through a.jpg and b.jpg, of a time, a photo and a yaw each. The first photo is a sphere at once.
  func play(_ views: [(Int, Int, Double)], photos: [String?] = ["a.jpg", "b.jpg"], author: String? = nil) {
    let rows = views.map { "[\($0.1),\($0.0),\($0.2),0,90]" }.joined(separator: ",")
    let text = #"{"version":1,"title":"Pier","member":"ann","photos":["a.jpg","b.jpg"],"views":[\#(rows)]}"#
    guard let walk = try? Walk(reading: Array(text.utf8)) else { preconditionFailure("no walk: \(text)") }
    let paths = photos.map { $0.map { Samples.path("photos/\($0)") } }
    happen(photos: .walkRead(OpenWalk(walk, photos: paths, author: author)))
    showSphere()
  }
}

@Suite struct `Walks on the screen` {
  private func viewer(reducedMotion: Bool = true) -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], reducedMotion: reducedMotion)
    robot.press("Enter")
    robot.showSphere()
    robot.take()
    return robot
  }

  private func yaw(_ robot: Robot) -> Double? { robot.state.photos.viewer?.look?.yawDegrees }

  private func isAt(_ yaw: Double, _ robot: Robot) -> Bool {
    self.yaw(robot).map { abs(($0 - yaw).remainder(dividingBy: 360)) < 0.01 } ?? false
  }

  @Test func `W begins a walk, and W ends it with a title`() throws {
    let robot = viewer()
    robot.press("W")
    #expect(robot.notice == "byteclub records where you look. W ends the walk." && robot.screen.contains("recording"))
    robot.press("Right", "Right", "W")
    robot.type("My q W")
    #expect(robot.screen.contains("Title of the walk: My q W"))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run keep the walk My q W"])
    let walk = try #require(robot.state.photos.recorder?.walk(title: "t", member: "ann"))
    #expect(walk.photos == ["a.jpg"] && walk.views.count >= 3)
    robot.happen(photos: .walkKept(Samples.path("photos/My q W.walk.json"), waiting: nil))
    #expect(robot.notice == "Kept the walk as \"photos/My q W.walk.json\"." && !robot.screen.contains("recording"))
  }

  @Test func `under another view the title takes no keys`() {
    let robot = viewer()
    robot.press("W", "Right", "W")
    robot.type("My")
    robot.push(photos: PathPrompt(purpose: .upload, text: "~/"))
    robot.type("q")
    robot.send(.paste(Array("x".utf8)))
    #expect(robot.state.photos.prompt?.field.string == "~/qx" && robot.state.photos.walkTitle?.string == "My")
    robot.press("Esc")
    robot.type("!")
    #expect(robot.state.photos.walkTitle?.string == "My!")
  }

  @Test func `a walk that could not be kept is still there, and one that waits says so`() {
    let robot = viewer()
    robot.press("W", "Right", "W")
    robot.type("x")
    robot.press("Enter")
    robot.happen(photos: .failed(.keepWalk(WalkRecorder(), title: "x"), StoreError(.badName, "The title is odd.")))
    #expect(robot.notice == "The title is odd." && robot.state.photos.recorder?.isEmpty == false)
    robot.happen(photos: .walkKept(Samples.path("photos/x.walk.json"), waiting: StoreError(.offline, "Away.")))
    #expect(robot.notice == "The walk waits on this machine. Away.")
  }

  @Test func `leaving the photo asks for the title, and Esc then asks before the walk is dropped`() {
    let robot = viewer()
    robot.press("W", "Right", "q")
    #expect(robot.view == "viewer" && robot.screen.contains("Title of the walk:"))
    robot.press("Esc")
    #expect(robot.question == "Drop the recorded walk?")
    robot.press("n")
    #expect(robot.state.photos.recorder != nil && robot.view == "viewer")
    robot.press("q", "Esc", "y", "q")
    #expect(robot.state.photos.recorder == nil && robot.view == "")
  }

  @Test func `a film turns in ticks to its end`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.play([(0, 0, 0), (800, 0, 80)])
    #expect(robot.take().contains("run await the turn [photos.turn]"))
    #expect(robot.notice?.hasPrefix("\"Pier\" by ann.") == true && isAt(0, robot))
    for tick in 1...10 {
      robot.happen(photos: .turned)
      #expect(isAt(Double(tick) * 8, robot))
      #expect(robot.take() == ["run await the turn [photos.turn]"])
    }
    robot.happen(photos: .turned)
    #expect(robot.notice == "The walk is over." && robot.take().isEmpty && robot.state.photos.film == nil)
  }

  @Test func `a film that would flicker turns no faster than eyes can follow`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.play((0..<20).map { ($0, 0, $0 % 2 == 0 ? 0 : 180) })
    var (before, ticks) = (0.0, 0)
    while robot.state.photos.film != nil, ticks < 100 {
      robot.happen(photos: .turned)
      let now = yaw(robot) ?? .nan
      #expect(abs((now - before).remainder(dividingBy: 360)) < 60)
      (before, ticks) = (now, ticks + 1)
    }
    #expect(robot.notice == "The walk is over." && ticks > 50)
  }

  @Test func `any key stops it, and Enter goes on at the same place`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.play([(0, 0, 0), (8000, 0, 80)])
    for _ in 0..<10 { robot.happen(photos: .turned) }
    robot.press("Up")
    robot.take()
    robot.happen(photos: .turned)
    #expect(robot.state.photos.film?.isRunning == false && isAt(8, robot))
    robot.press("Enter")
    #expect(robot.state.photos.film?.isRunning == true && isAt(8, robot))
    robot.press("Enter")
    #expect(robot.state.photos.film?.isRunning == false)
    robot.press("q")
    #expect(robot.view == "" && robot.state.photos.film == nil)
  }

  @Test func `through a door it waits for the next photo`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.play([(0, 0, 0), (400, 1, 40), (480, 1, 50)])
    for _ in 0..<4 { robot.happen(photos: .turned) }
    robot.take()
    robot.happen(photos: .turned)
    #expect(robot.take().contains("run view photos/b.jpg [photos.view]"))
    for _ in 0..<5 { robot.happen(photos: .turned) }
    #expect(robot.state.photos.film?.elapsed == 400)
    robot.showSphere()
    robot.happen(photos: .turned)
    #expect(isAt(50, robot) && robot.state.photos.viewer?.path == Samples.path("photos/b.jpg"))
  }

  @Test func `with reduced motion Enter shows each view, and nothing moves`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], reducedMotion: true)
    robot.play([(0, 0, 10), (800, 0, 80), (900, 0, 20)])
    #expect(isAt(10, robot) && !robot.take().contains("run await the turn [photos.turn]"))
    robot.press("Enter")
    #expect(isAt(80, robot))
    robot.press("Enter")
    #expect(isAt(20, robot))
    robot.press("Enter")
    #expect(robot.notice == "The walk is over." && robot.view == "viewer")
  }

  @Test func `a photo that is gone is left out, and a walk of such photos ends`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], reducedMotion: true)
    robot.play([(0, 0, 10), (800, 1, 80)], photos: [nil, "b.jpg"])
    #expect(isAt(80, robot) && robot.state.photos.viewer?.path == Samples.path("photos/b.jpg"))
    #expect(robot.notice == "The walk leaves out \"a.jpg\", which is gone.")
    let other = Robot(photos: ["a.jpg"])
    other.play([(0, 0, 10), (800, 1, 80)], photos: [nil, nil])
    #expect(other.notice == "The walk ends here: \"a.jpg\" is gone." && other.view == "")
  }

  @Test(arguments: [true, false])
  func `a photo that the list has and the club has not is named, and the next view follows`(reducedMotion: Bool) {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], reducedMotion: reducedMotion)
    robot.play([(0, 0, 10), (800, 1, 80)])
    let path = Samples.path("photos/a.jpg")
    robot.happen(photos: .failed(.view(path, onDisk: nil), StoreError(.notFound, "\"a.jpg\" is not there.")))
    #expect(robot.notice == "The walk leaves out \"a.jpg\", which is gone.")
    #expect(robot.state.photos.viewer?.path == Samples.path("photos/b.jpg"))
    robot.showSphere()
    #expect(isAt(80, robot) && robot.state.photos.film != nil)
  }

  @Test(arguments: [("ann", "by ann. "), (nil, "by ann. "), ("eve", "by ann? brought by eve. ")])
  func `a walk by another member than it says tells who brought it`(author: String?, words: String) {
    for reducedMotion in [true, false] {
      let robot = Robot(photos: ["a.jpg", "b.jpg"], reducedMotion: reducedMotion)
      robot.play([(0, 0, 0), (800, 0, 80)], author: author)
      #expect(robot.notice?.contains(words) == true, "\(robot.notice ?? "")")
    }
  }

  @Test func `W on the list shows the walks alone, and Enter plays one`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("W")
    let time = Timestamp(seconds: Samples.now)
    let walk = Samples.path("photos/Pier.walk.json")
    robot.happen(
      .news(
        .loaded([
          Happening(time: time, member: "ann", thing: Samples.path("photos/a.jpg"), kind: .file),
          Happening(time: time, member: "ann", thing: walk, kind: .walk("Pier")),
        ])))
    #expect(robot.screen.contains("Walks") && robot.state.news?.selected?.thing == walk)
    robot.take()
    robot.press("Enter")
    #expect(robot.take().contains("run read the walk photos/Pier.walk.json [photos.walk]"))
  }
}
