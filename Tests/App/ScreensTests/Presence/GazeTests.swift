import FileStores
import POSIX
import TestKit
import Testing
import TextUI

@testable import Imaging
@testable import Screens

/// The place at which another member's gaze is drawn, and the way to it.
@Suite struct GazeTests {
  private let photo = Samples.path("photos/a.jpg")

  private func robot(reducedMotion: Bool = false) -> Robot {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: reducedMotion)
    robot.press("Enter")
    robot.showSphere()
    robot.take()
    return robot
  }

  private func member(_ name: String, _ yaw: Double, _ pitch: Double, points: UInt8 = 0) -> PresentMember {
    PresentMember(
      name, Sight(photo, gaze: Gaze(yawDegrees: yaw, pitchDegrees: pitch, widthDegrees: 70), points: points))
  }

  private func look(_ robot: Robot) throws -> LookAround { try #require(robot.state.photos.viewer?.look) }

  /// The direction of a cell's middle, by the formulas of a pinhole camera, without the code under test.
  private func place(
    of gaze: (yaw: Double, pitch: Double), seenFrom view: (yaw: Double, pitch: Double), field: Double, _ size: Size
  ) -> (x: Double, y: Double)? {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (yaw, pitch) = (radians(gaze.yaw - view.yaw), radians(gaze.pitch))
    let world = (x: cos(pitch) * sin(yaw), y: sin(pitch), z: cos(pitch) * cos(yaw))
    let tilt = radians(view.pitch)
    let seen = (
      x: world.x, y: world.y * cos(tilt) - world.z * sin(tilt), z: world.y * sin(tilt) + world.z * cos(tilt)
    )
    guard seen.z > 1e-6 else { return nil }
    let scale = Double(size.width) / 2 / tan(radians(field) / 2)
    // A cell is twice as high as it is wide.
    let (x, y) = (
      Double(size.width) / 2 + seen.x / seen.z * scale, Double(size.height) / 2 - seen.y / seen.z * scale / 2
    )
    return x >= 0 && y >= 0 && x < Double(size.width) && y < Double(size.height) ? (x, y) : nil
  }

  @Test func `a ring is within a cell of its analytic place, for 1,000 pairs of views, at seam and poles, too`() throws
  {
    var numbers = SeededNumbers(42)
    let robot = robot()
    var viewer = try #require(robot.state.photos.viewer)
    var (seen, hidden) = (0, 0)
    for round in 0..<1000 {
      func degrees(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
      let size = Size(40 + numbers.below(160), 10 + numbers.below(50))
      var view = try #require(viewer.look)
      view.resize(to: HalfBlocks.pixels(columns: size.width, rows: size.height))
      // Each fourth view is at the seam, each fourth one at a pole.
      let yaw = round % 4 == 0 ? degrees(175...185) : degrees(-180...180)
      view.look(
        yaw: yaw, pitch: round % 4 == 1 ? degrees(70...90) : degrees(-60...60), fieldOfView: degrees(40...100))
      viewer.look = view
      let gaze = (
        yaw: view.yawDegrees + degrees(-60...60), pitch: max(-90, min(90, view.pitchDegrees + degrees(-40...40)))
      )
      var present = Present()
      _ = present.take([member("ann", gaze.yaw, gaze.pitch)])
      let drawn = viewer.gazePlaces(present, size).first
      let wanted = place(
        of: gaze, seenFrom: (view.yawDegrees, view.pitchDegrees), field: view.fieldOfViewDegrees, size)
      guard let drawn, let wanted else {
        // Only at the edge of the window may the two differ.
        if let wanted {
          let margin = min(
            min(wanted.x, Double(size.width) - wanted.x), min(wanted.y, Double(size.height) - wanted.y))
          #expect(margin < 1, "round \(round)")
        } else if let drawn {
          let margin = min(min(drawn.x, size.width - 1 - drawn.x), min(drawn.y, size.height - 1 - drawn.y))
          #expect(margin < 1, "round \(round)")
        }
        hidden += 1
        continue
      }
      seen += 1
      #expect(
        abs(Double(drawn.x) + 0.5 - wanted.x) <= 1.01 && abs(Double(drawn.y) + 0.5 - wanted.y) <= 1.01, "\(round)")
    }
    #expect(seen > 300 && hidden > 100)
  }

  @Test func `a gaze out of view is an arrowhead with a name on its side of the compass`() throws {
    let robot = robot()
    robot.see(member("ann", -120, 0), member("ben", 100, 10), member("cem", 179, 0))
    let compass = robot.grid.text(ofRow: 2)
    #expect(compass.hasPrefix("\u{25C2} ann") && compass.hasSuffix("ben, cem \u{25B8}"))
    robot.see(member("ann", -20, 0))
    #expect(!robot.grid.text(ofRow: 2).contains("ann"))
    #expect(robot.screen.contains("\u{25CE} ann"))
    robot.wear(.colourless, isASCII: true)
    #expect(robot.screen.contains(" o ann"))
  }

  @Test func `a ring stands at its place to the edges, although a name has no room beside it`() throws {
    let robot = robot()
    let width = robot.grid.size.width
    var columns: Set<Int> = []
    for yaw in stride(from: 30, through: 60, by: 0.5) {
      robot.see(member("ann", -yaw, 0), member("ben", yaw, 0))
      let places = robot.state.photos.viewer?.gazePlaces(robot.state.frame.present, Size(width, 1)) ?? []
      let grid = robot.grid
      for place in places {
        #expect((0..<grid.size.height).contains { grid[place.x, $0].text == "\u{25CE}" }, "at \(yaw) degrees")
        columns.insert(place.x)
      }
    }
    #expect(columns.isSuperset(of: [0, 1, width - 2, width - 1]))
  }

  @Test func `following comes within half a degree in 300 ms, and then nothing ticks`() throws {
    let robot = robot()
    robot.see(member("ann", 40, 10))
    robot.take()
    robot.press("F")
    #expect(robot.screen.contains("You follow ann. Any other key lets go."))
    let width = try look(robot).fieldOfViewDegrees
    var ticks = 0
    while robot.take().contains(where: { $0.contains("await the turn") }), ticks < 100 {
      robot.happen(photos: .turned)
      ticks += 1
      if ticks == 7 {
        let view = try look(robot)
        #expect(abs(view.yawDegrees - 40) <= 0.5 && abs(view.pitchDegrees - 10) <= 0.5)
      }
    }
    #expect((7..<20).contains(ticks))
    let view = try look(robot)
    #expect(abs(view.yawDegrees - 40) < 0.1 && view.fieldOfViewDegrees == width)
    // The next movement of the followed member asks for a tick again.
    robot.see(member("ann", 45, 10))
    #expect(robot.take().contains { $0.contains("await the turn") })
  }

  @Test func `any key lets go, and the same key follows the next member`() throws {
    let robot = robot()
    robot.see(member("ann", 40, 0), member("ben", -40, 0))
    robot.press("F")
    #expect(robot.state.photos.viewer?.motion.following == "ann")
    robot.press("F")
    #expect(robot.state.photos.viewer?.motion.following == "ben")
    robot.press("F")
    #expect(robot.state.photos.viewer?.motion.following == "ann")
    robot.press("+")
    #expect(robot.state.photos.viewer?.motion.following == nil)
    let yaw = try look(robot).yawDegrees
    robot.see(member("ann", 90, 0))
    robot.happen(photos: .turned)
    #expect(try yaw == look(robot).yawDegrees)
  }

  @Test func `following ends with a sentence when the member looks at something else`() {
    let robot = robot()
    robot.see(member("ann", 40, 0))
    robot.press("F")
    robot.see(PresentMember("ann", Sight()))
    #expect(robot.state.photos.viewer?.motion.following == nil)
    #expect(robot.screen.contains("ann does not look around in a photo any more."))
    robot.press("F")
    #expect(robot.screen.contains("Nobody else looks around in this photo now."))
  }

  @Test func `following goes on into another panorama, unless a key has let go meanwhile`() throws {
    for letsGo in [false, true] {
      let robot = Robot(photos: ["a.jpg", "b.jpg"])
      robot.press("Enter")
      robot.showSphere()
      robot.see(member("ann", 40, 0))
      robot.press("F")
      let next = Samples.path("photos/b.jpg")
      let gaze = Gaze(yawDegrees: -70, pitchDegrees: 5, widthDegrees: 90)
      robot.see(PresentMember("ann", Sight(next, gaze: gaze)))
      #expect(robot.state.photos.viewer?.path == next)
      if letsGo { robot.press("m") }
      robot.showSphere()
      #expect(try abs(look(robot).yawDegrees + 70) < 0.1)
      #expect(robot.state.photos.viewer?.motion.following == (letsGo ? nil : "ann"))
    }
  }

  @Test func `who follows shows no gaze, and cannot be followed`() {
    let robot = robot()
    robot.see(member("ann", 40, 0))
    robot.press("F")
    #expect(robot.state.sight == Sight(photo, follows: true))
    robot.press("+")
    #expect(robot.state.sight.gaze != nil && !robot.state.sight.follows)
    robot.see(PresentMember("ann", Sight(photo, follows: true)))
    robot.press("F")
    #expect(robot.notice == "ann follows a gaze now, perhaps yours, and cannot be followed.")
    #expect(robot.state.photos.viewer?.motion.following == nil)
  }

  /// In ticks.
  @Test(arguments: 0...12)
  func `two who begin to follow each other at once let go, and no view swings`(delay: Int) throws {
    let (ann, ben) = (robot(), robot())
    ben.see(member("cem", 60, 0))
    ben.press("F")
    for _ in 0..<40 { ben.happen(photos: .turned) }
    ben.press("m")
    ann.see(PresentMember("ben", ben.state.sight))
    ben.see(PresentMember("ann", ann.state.sight))
    ann.press("F")
    ben.press("F")
    var sent: [(ann: Sight, ben: Sight)] = []
    var yaws = [(ann: try look(ann).yawDegrees, ben: try look(ben).yawDegrees)]
    #expect(abs(yaws[0].ben - yaws[0].ann - 60) < 0.1)
    for round in 0..<60 {
      sent.append((ann.state.sight, ben.state.sight))
      if round >= delay {
        ann.see(PresentMember("ben", sent[round - delay].ben))
        ben.see(PresentMember("ann", sent[round - delay].ann))
      }
      for robot in [ann, ben] { robot.happen(photos: .turned) }
      yaws.append((try look(ann).yawDegrees, try look(ben).yawDegrees))
    }
    for (before, after) in zip(yaws, yaws.dropFirst()) {
      #expect(after.ann >= before.ann - 1e-9 && after.ben <= before.ben + 1e-9)
    }
    let end = yaws[delay + 1]
    for step in yaws[(delay + 1)...] { #expect(step.ann == end.ann && step.ben == end.ben) }
    for robot in [ann, ben] {
      #expect(robot.state.photos.viewer?.motion.following == nil)
      #expect(robot.notice?.contains("cannot be followed") == true)
    }
  }

  @Test func `the footer offers to follow while another looks around in the same panorama`() {
    let robot = robot()
    #expect(!robot.footer.contains("F follow"))
    robot.see(member("ann", 40, 0))
    #expect(robot.footer.contains("F follow"))
    robot.see(PresentMember("ann", Sight(photo, follows: true)))
    #expect(!robot.footer.contains("F follow"))
    robot.see(
      PresentMember(
        "ann", Sight(Samples.path("photos/b.jpg"), gaze: Gaze(yawDegrees: 1, pitchDegrees: 2, widthDegrees: 70))))
    #expect(!robot.footer.contains("F follow"))
  }

  @Test func `with reduced motion the view jumps`() throws {
    let robot = robot(reducedMotion: true)
    robot.happen(.photos(.resized))
    robot.see(member("ann", 40, 0))
    robot.press("F")
    robot.happen(photos: .turned)
    #expect(try abs(look(robot).yawDegrees - 40) < 0.1)
  }

  @Test func `pointing is seen for two seconds`() {
    let robot = robot()
    robot.see(member("ann", 10, 0))
    robot.take()
    robot.see(member("ann", 10, 0, points: 1))
    #expect(robot.screen.contains("ann: here"))
    #expect(robot.take().contains { $0.contains("fade the pointing of ann") })
    robot.see(member("ann", 15, 0, points: 1))
    #expect(robot.screen.contains("ann: here"))
    robot.happen(.presence(.faded("ann")))
    #expect(!robot.screen.contains("here"))
  }
}
