import POSIX
import Imaging
import TestKit
import Testing

/// The seam, the poles and the edges of a part, where neighbours in the world are not neighbours in the picture.
@Suite struct LookAroundEdgeTests {
  private let magenta: UInt32 = 0xFF00FF

  @Test func `at the seam the last column runs into the first one`() throws {
    var pixels = Pixels(width: 64, height: 32)
    for y in 0..<32 { for x in 0..<32 { pixels[x, y] = 0xFFFFFF } }
    var view = LookAround(try PanoramaSamples.sphere(64), window: PixelSize(width: 41, height: 5))
    view.look(yaw: 180, pitch: 0, fieldOfView: 12)
    let drawn = LookAroundRenderer.render(try Pyramid(pixels), view)
    let greys = (0..<41).map { Int(drawn[$0, 2] & 255) }
    #expect(abs(greys[20] - 128) <= 3)
    for (one, other) in zip(greys, greys.dropFirst()) { #expect(abs(one - other) < 30) }
    #expect(greys[0] == 0 && greys[40] == 255)
  }

  @Test(arguments: [90.0, -90], [0.0, 33, 90, 147, -120])
  func `a pole is the mean of the columns that meet there`(pitch: Double, yaw: Double) throws {
    var pixels = Pixels(width: 64, height: 32)
    for y in 0..<32 { for x in 0..<32 { pixels[x, y] = 0xFFFFFF } }
    var view = LookAround(try PanoramaSamples.sphere(64), window: PixelSize(width: 41, height: 41))
    view.look(yaw: yaw, pitch: pitch, fieldOfView: 12)
    let drawn = LookAroundRenderer.render(try Pyramid(pixels), view)
    #expect(abs(Int(drawn[20, 20] & 255) - 128) <= 3)
    // Opposite sides of the pole are half a turn apart.
    for (x, y) in [(3, 5), (9, 31), (0, 20), (20, 0)] {
      #expect(abs(Int(drawn[x, y] & 255) + Int(drawn[40 - x, 40 - y] & 255) - 255) <= 3)
    }
  }

  struct Pose: Sendable {
    var left: Int
    var top: Int
    var size: PixelSize
    var pitch: Double
    var roll: Double
  }

  @Test(arguments: [
    Pose(left: 1600, top: 300, size: PixelSize(width: 400, height: 1200), pitch: 0, roll: 90),
    Pose(left: 1600, top: 300, size: PixelSize(width: 400, height: 1200), pitch: 40, roll: 90),
    Pose(left: 2400, top: 700, size: PixelSize(width: 600, height: 400), pitch: 20, roll: 0),
    Pose(left: 300, top: 500, size: PixelSize(width: 700, height: 500), pitch: -35, roll: 40),
    Pose(left: 0, top: 700, size: PixelSize(width: 3580, height: 300), pitch: 30, roll: 0),
  ])
  func `each pixel of a tilted part is inside, or the background`(pose: Pose) throws {
    let part =
      PanoramaSamples.part(pose.left, pose.top, pose.size.width, pose.size.height)
      + ",PosePitchDegrees \(pose.pitch),PoseRollDegrees \(pose.roll)"
    let geometry = try PanoramaSamples.geometry(pose.size.width, pose.size.height, gpano: part)
    let pyramid = try Pyramid(Pixels(width: pose.size.width / 4, height: pose.size.height / 4, colour: 0xFFFFFF))
    let offset = (Double(pose.left) + Double(pose.size.width) / 2) / 10 - 180
    var seen: Set<UInt32> = []
    var view = LookAround(geometry, window: PixelSize(width: 90, height: 70))
    let first = Self.distanceInside(
      PanoramaSamples.direction(view, Double(view.window.width) / 2, Double(view.window.height) / 2), pose, offset)
    #expect(first > 10, "a view begins in the part")
    for yaw in [-40.0, 0, 60, 180] {
      view.look(yaw: yaw, pitch: 0, fieldOfView: 110)
      let drawn = LookAroundRenderer.render(pyramid, view, background: magenta)
      for y in 0..<70 {
        for x in 0..<90 {
          let inside = Self.distanceInside(
            PanoramaSamples.direction(view, Double(x) + 0.5, Double(y) + 0.5), pose, offset)
          seen.insert(drawn[x, y])
          if abs(inside) > 0.6 { #expect(drawn[x, y] == (inside > 0 ? 0xFFFFFF : magenta)) }
        }
      }
    }
    #expect(seen == [0xFFFFFF, magenta])
  }

  /// Degrees to the nearest edge of the part, below 0 outside. By the specification: pitch lifts the whole picture's
  /// middle, and as roll increases, the horizon turns counterclockwise in the picture.
  private static func distanceInside(_ direction: SIMD3<Double>, _ pose: Pose, _ offset: Double) -> Double {
    let (pitch, roll, turn) = (pose.pitch * .pi / 180, pose.roll * .pi / 180, offset * .pi / 180)
    let x = direction.x * cos(turn) + direction.z * sin(turn)
    let z = direction.z * cos(turn) - direction.x * sin(turn)
    let y = direction.y * cos(pitch) - z * sin(pitch)
    let ahead = z * cos(pitch) + direction.y * sin(pitch)
    let (across, up) = (x * cos(roll) - y * sin(roll), x * sin(roll) + y * cos(roll))
    let column = 1800 + atan2(across, ahead) * 1800 / .pi
    let row = 900 - asin(max(-1, min(1, up))) * 1800 / .pi
    let right = Double(pose.left + pose.size.width) - column
    let bottom = Double(pose.top + pose.size.height) - row
    return min(min(column - Double(pose.left), right), min(row - Double(pose.top), bottom)) / 10
  }

  @Test func `a slightly tilted part never shows what is outside`() throws {
    var numbers = SeededNumbers(21)
    for number in 0..<60 {
      let (width, height) = (Int.random(in: 500...3000, using: &numbers), Int.random(in: 300...900, using: &numbers))
      let (left, top) = (numbers.below(3600 - width), 300 + numbers.below(1200 - height))
      let pitch = Double.random(in: -3...3, using: &numbers)
      let roll = Double.random(in: -3...3, using: &numbers)
      let part = PanoramaSamples.part(left, top, width, height) + ",PosePitchDegrees \(pitch),PoseRollDegrees \(roll)"
      let geometry = try PanoramaSamples.geometry(width, height, gpano: part)
      let pyramid = try Pyramid(Pixels(width: width / 8, height: height / 8, colour: 0xFFFFFF))
      var view = LookAround(geometry, window: PixelSize(width: 40 + numbers.below(40), height: 20 + numbers.below(40)))
      for _ in 0..<4 {
        view.look(
          yaw: Double.random(in: -200...200, using: &numbers), pitch: Double.random(in: -100...100, using: &numbers),
          fieldOfView: Double.random(in: 1...180, using: &numbers))
        let drawn = LookAroundRenderer.render(pyramid, view, quality: .coarse, background: magenta)
        #expect(drawn.bytes.allSatisfy { $0 == 255 }, "\(number)")
      }
    }
  }
}
