import Imaging
import TestKit
import Testing

@Suite struct LookAroundTests {
  private let window = PixelSize(width: 160, height: 100)

  @Test func `places and directions of a window are each other's inverse`() throws {
    var numbers = SeededNumbers(7)
    for _ in 0..<300 {
      var view = LookAround(try PanoramaSamples.sphere(4096), window: window, pixelAspect: 0.9)
      view.look(
        yaw: Double.random(in: -180...180, using: &numbers), pitch: Double.random(in: -90...90, using: &numbers),
        fieldOfView: Double.random(in: 5...120, using: &numbers))
      let x = Double.random(in: 0.1...159.9, using: &numbers)
      let y = Double.random(in: 0.1...99.9, using: &numbers)
      let seen = view.direction(atX: x, y: y)
      let right = PanoramaSamples.yawAndPitch(PanoramaSamples.direction(view, x, y, pixelAspect: 0.9))
      #expect(abs(seen.pitch - right.pitch) < 1e-6)
      #expect(abs((seen.yaw - right.yaw).remainder(dividingBy: 360)) < 1e-4)
      let place = try #require(view.place(yaw: seen.yaw, pitch: seen.pitch))
      #expect(abs(place.x - x) < 1e-5 && abs(place.y - y) < 1e-5)
      #expect(view.place(yaw: seen.yaw + 180, pitch: -seen.pitch) == nil)
    }
  }

  @Test func `a direction beside the window has no place in it`() throws {
    var view = LookAround(try PanoramaSamples.sphere(4096), window: window)
    view.look(yaw: 0, pitch: 0, fieldOfView: 90)
    #expect(view.place(yaw: 44, pitch: 0) != nil)
    #expect(view.place(yaw: 46, pitch: 0) == nil)
    #expect(view.place(yaw: 0, pitch: 33) == nil)
    let middle = try #require(view.place(yaw: 0, pitch: 0))
    #expect(abs(middle.x - 80) < 1e-9 && abs(middle.y - 50) < 1e-9)
  }

  @Test func `the corners of a part's window are always inside the part`() throws {
    var numbers = SeededNumbers(11)
    for _ in 0..<150 {
      let (width, height) = (Int.random(in: 60...3599, using: &numbers), Int.random(in: 60...1800, using: &numbers))
      let (left, top) = (numbers.below(3600 - width), numbers.below(1800 - height))
      let geometry = try PanoramaSamples.geometry(
        width, height, gpano: PanoramaSamples.part(left, top, width, height))
      var view = LookAround(geometry, window: window)
      for _ in 0..<10 {
        switch numbers.below(4) {
        case 0: view.zoom(by: Double.random(in: 0.3...3, using: &numbers))
        case 1: view.resize(to: PixelSize(width: 1 + numbers.below(300), height: 1 + numbers.below(300)))
        case 2:
          view.look(
            yaw: Double.random(in: -999...999, using: &numbers), pitch: Double.random(in: -99...99, using: &numbers),
            fieldOfView: Double.random(in: 0...300, using: &numbers))
        default:
          view.turn(
            right: Double.random(in: -5...5, using: &numbers), up: Double.random(in: -5...5, using: &numbers))
        }
        for (x, y) in [(0.0, 0.0), (0.5, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (0.5, 1), (1, 1)] {
          let seen = PanoramaSamples.yawAndPitch(
            PanoramaSamples.direction(view, x * Double(view.window.width), y * Double(view.window.height)))
          #expect(abs(seen.yaw) <= geometry.horizontalDegrees / 2 + 1e-6)
          #expect(seen.pitch <= geometry.topPitchDegrees + 1e-6 && seen.pitch >= geometry.bottomPitchDegrees - 1e-6)
        }
      }
    }
  }

  @Test func `a sphere can be seen from pole to pole and turned around without an end`() throws {
    var view = LookAround(try PanoramaSamples.sphere(4096), window: window)
    var turned = 0.0
    for _ in 0..<40 {
      let before = view.yawDegrees
      let didMove = view.turn(right: 0.25, up: 0)
      #expect(didMove)
      turned += (view.yawDegrees - before).remainder(dividingBy: 360)
      #expect((-180...180).contains(view.yawDegrees))
    }
    #expect(abs(turned - 40 * 0.25 * 90) < 1e-6)
    view.turn(right: 0, up: 9)
    #expect(view.pitchDegrees == 90)
    let didMove = view.turn(right: 0, up: 1)
    #expect(!didMove)
    view.turn(right: 0, up: -99)
    #expect(view.pitchDegrees == -90)
  }

  @Test func `a sweep opens filled to the height, and a turn ends at its edges`() throws {
    let geometry = try PanoramaSamples.geometry(6000, 1500)
    #expect(geometry.kind == .sweep)
    var view = LookAround(geometry, window: window)
    #expect(abs(view.verticalFieldOfViewDegrees - 60) < 0.01)
    var didMove = view.turn(right: 0, up: 0.1)
    #expect(!didMove)
    didMove = view.turn(right: 100, up: 0)
    #expect(didMove)
    didMove = view.turn(right: 0.1, up: 0)
    #expect(!didMove)
    let edge = view.direction(atX: 160, y: 50)
    #expect(abs(edge.yaw - geometry.horizontalDegrees / 2) < 0.01)
    view.reset()
    #expect(view.yawDegrees == 0)
    let open = view.fieldOfViewDegrees
    view.zoom(by: 0.5)
    #expect(view.fieldOfViewDegrees == open)
    view.zoom(by: 1e9)
    #expect(view.fieldOfViewDegrees < 3)
    // A wider window is filled again.
    view.reset()
    view.resize(to: PixelSize(width: 120, height: 100))
    #expect(abs(view.verticalFieldOfViewDegrees - 60) < 0.01)
  }

  @Test func `a turn moves by fractions of what is seen, zoom by the factor`() throws {
    var view = LookAround(try PanoramaSamples.sphere(4096), window: window)
    view.look(yaw: 10, pitch: 5, fieldOfView: 60)
    view.turn(right: 0.5, up: 0)
    #expect(abs(view.yawDegrees - 40) < 1e-9)
    view.turn(rightDegrees: -3, upDegrees: 2)
    #expect(abs(view.yawDegrees - 37) < 1e-9 && abs(view.pitchDegrees - 7) < 1e-9)
    let up = view.verticalFieldOfViewDegrees
    view.turn(right: 0, up: 0.5)
    #expect(abs(view.pitchDegrees - 7 - up / 2) < 1e-9)
    let before = view
    view.zoom(by: LookAround.zoomStep)
    #expect(view.fieldOfViewDegrees < before.fieldOfViewDegrees)
    view.zoom(by: 1 / LookAround.zoomStep)
    #expect(abs(view.fieldOfViewDegrees - before.fieldOfViewDegrees) < 1e-9)
  }

  @Test func `numbers that are not finite and windows without pixels change nothing and break nothing`() throws {
    var view = LookAround(try PanoramaSamples.sphere(4096), window: PixelSize(width: 0, height: -3), pixelAspect: .nan)
    let before = view
    for wrong in [Double.nan, .infinity, -.infinity] {
      view.look(yaw: wrong, pitch: 0, fieldOfView: 50)
      view.look(yaw: 0, pitch: wrong, fieldOfView: 50)
      view.look(yaw: 0, pitch: 0, fieldOfView: wrong)
      view.zoom(by: wrong)
      let didMove = view.turn(rightDegrees: wrong, upDegrees: 0)
      #expect(!didMove)
      let didRise = view.turn(right: 0, up: wrong)
      #expect(!didRise)
    }
    view.zoom(by: 0)
    view.zoom(by: -1)
    #expect(view == before)
    #expect(view.window == PixelSize(width: 1, height: 1))
  }

  @Test func `the heading is the compass direction of the middle`() throws {
    var view = LookAround(try PanoramaSamples.sphere(4096, pose: ",PoseHeadingDegrees 350"), window: window)
    #expect(view.headingDegrees.map { abs($0 - 350) < 1e-9 } == true)
    view.look(yaw: 20, pitch: 0, fieldOfView: 90)
    #expect(view.headingDegrees.map { abs($0 - 10) < 1e-9 } == true)
    #expect(LookAround(try PanoramaSamples.sphere(4096), window: window).headingDegrees == nil)
  }

  @Test func `the initial view is the one that the picture asks for`() throws {
    let initial =
      ",PoseHeadingDegrees 100,InitialViewHeadingDegrees 130,InitialViewPitchDegrees -15,InitialHorizontalFOVDegrees 70"
    var view = LookAround(try PanoramaSamples.sphere(4096, pose: initial), window: window)
    func isInitial() -> Bool {
      abs(view.yawDegrees - 30) < 1e-9 && abs(view.pitchDegrees + 15) < 1e-9 && abs(view.fieldOfViewDegrees - 70) < 1e-9
    }
    #expect(isInitial())
    view.turn(right: 3, up: 1)
    view.zoom(by: 2)
    #expect(!isInitial())
    view.reset()
    #expect(isInitial())
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a turn that is no number changes nothing`(degrees: Double) throws {
    for geometry in [try PanoramaSamples.sphere(4096), try PanoramaSamples.geometry(4000, 1000)] {
      var look = LookAround(geometry, window: window)
      let before = look
      #expect(!look.turn(rightDegrees: degrees, upDegrees: 0) && !look.turn(rightDegrees: 0, upDegrees: degrees))
      #expect(look == before)
    }
  }
}
