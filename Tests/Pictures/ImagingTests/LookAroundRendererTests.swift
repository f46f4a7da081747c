import POSIX
import Imaging
import TestKit
import Testing

@Suite struct LookAroundRendererTests {
  private static let directions = PanoramaSamples.directions(512)
  private let magenta: UInt32 = 0xFF00FF

  @Test func `21 pixels of 200 views show the colours of their directions within one pixel of the picture`() throws {
    let pyramid = try Pyramid(PanoramaSamples.places())
    let geometry = try PanoramaSamples.sphere(512)
    var numbers = SeededNumbers(1)
    for number in 0..<200 {
      let window = PixelSize(
        width: Int.random(in: 65...110, using: &numbers), height: Int.random(in: 24...56, using: &numbers))
      let aspect = [1.0, 0.9, 1.15][numbers.below(3)]
      var view = LookAround(geometry, window: window, pixelAspect: aspect)
      view.look(
        yaw: Double.random(in: -180...180, using: &numbers),
        pitch: number % 10 == 0 ? 90 : Double.random(in: -90...90, using: &numbers),
        fieldOfView: Double.random(in: 10...55, using: &numbers))
      let drawn = LookAroundRenderer.render(pyramid, view, background: magenta)
      for pixel in 0...20 {
        let x = pixel == 0 ? window.width / 2 : Int.random(in: 0..<window.width, using: &numbers)
        let y = pixel == 0 ? window.height / 2 : Int.random(in: 0..<window.height, using: &numbers)
        let seen = PanoramaSamples.yawAndPitch(
          PanoramaSamples.direction(view, Double(x) + 0.5, Double(y) + 0.5, pixelAspect: aspect))
        let (column, row) = ((seen.yaw + 180) / 360 * 512 - 0.5, (90 - seen.pitch) / 180 * 256 - 0.5)
        let colour = drawn[x, y]
        #expect(abs(Double(colour >> 8 & 255) - min(255, max(0, row))) <= 1, "view \(number)")
        // Within half a row of a pole, all columns meet.
        guard row > 0, row < 255 else { continue }
        #expect(abs(Double(colour >> 16) - PanoramaSamples.wave(column)) <= 1, "view \(number)")
        #expect(abs(Double(colour & 255) - PanoramaSamples.wave(column + 128)) <= 1, "view \(number)")
      }
    }
  }

  @Test(arguments: [
    (0.0, 0.0, 90.0), (180, 0, 100), (-179, 20, 60), (30, 90, 100), (30, 89.7, 20), (-120, -90, 110), (75, -88, 5),
    (180, 60, 120),
  ])
  func `every pixel shows its direction, at the seam and at the poles too`(
    yaw: Double, pitch: Double, field: Double
  ) throws {
    let pyramid = try Pyramid(Self.directions)
    var view = LookAround(try PanoramaSamples.sphere(512), window: PixelSize(width: 131, height: 77))
    view.look(yaw: yaw, pitch: pitch, fieldOfView: field)
    for quality in LookAroundRenderer.Quality.allCases {
      let drawn = LookAroundRenderer.render(pyramid, view, quality: quality, background: magenta)
      var worst = 0
      for y in 0..<77 {
        for x in 0..<131 {
          let right = PanoramaSamples.colour(PanoramaSamples.direction(view, Double(x) + 0.5, Double(y) + 0.5))
          for shift: UInt32 in [0, 8, 16] {
            worst = max(worst, abs(Int(drawn[x, y] >> shift & 255) - Int(right >> shift & 255)))
          }
        }
      }
      #expect(worst <= 2, "\(quality)")
    }
  }

  @Test func `a small window reads the mean of the pixels that it shows`() throws {
    // Any one pixel of the picture is black or white; their mean is grey.
    let pyramid = try Pyramid(SamplePictures.checkerboard(1024, 512, square: 1))
    for (width, height, field) in [(40, 24, 110.0), (20, 12, 120), (9, 9, 90), (60, 1, 60), (1, 1, 30)] {
      let window = PixelSize(width: width, height: height)
      var view = LookAround(try PanoramaSamples.sphere(1024), window: window)
      view.look(yaw: 17, pitch: 0, fieldOfView: field)
      let drawn = LookAroundRenderer.render(pyramid, view)
      #expect(drawn.size == window)
      #expect(drawn.bytes.allSatisfy { abs(Int($0) - 128) <= 2 }, "\(window)")
    }
  }

  @Test func `a smaller copy of the picture shows the same directions`() throws {
    var view = LookAround(try PanoramaSamples.sphere(8192), window: PixelSize(width: 120, height: 80))
    view.look(yaw: 170, pitch: 35, fieldOfView: 70)
    let drawn = LookAroundRenderer.render(try Pyramid(Self.directions), view)
    for (x, y) in [(0, 0), (60, 40), (119, 79), (119, 0)] {
      let right = PanoramaSamples.colour(PanoramaSamples.direction(view, Double(x) + 0.5, Double(y) + 0.5))
      for shift: UInt32 in [0, 8, 16] {
        #expect(abs(Int(drawn[x, y] >> shift & 255) - Int(right >> shift & 255)) <= 2)
      }
    }
  }

  @Test func `a part of a panorama never shows what is outside, at any place and any size`() throws {
    var numbers = SeededNumbers(3)
    for number in 0..<90 {
      let (width, height) = (Int.random(in: 100...3599, using: &numbers), Int.random(in: 60...1800, using: &numbers))
      let (left, top) = (numbers.below(3600 - width), numbers.below(1800 - height))
      let geometry =
        number % 3 == 0
        ? PictureGeometry(try PanoramaSamples.header(width, height), as: number % 2 == 0 ? .sweep : .cylinder)
        : try PanoramaSamples.geometry(width, height, gpano: PanoramaSamples.part(left, top, width, height))
      let pyramid = try Pyramid(Pixels(width: max(1, width / 8), height: max(1, height / 8), colour: 0xFFFFFF))
      let window = PixelSize(
        width: Int.random(in: 3...90, using: &numbers), height: Int.random(in: 3...50, using: &numbers))
      var view = LookAround(geometry, window: window)
      for _ in 0..<3 {
        view.look(
          yaw: Double.random(in: -200...200, using: &numbers), pitch: Double.random(in: -100...100, using: &numbers),
          fieldOfView: Double.random(in: 1...180, using: &numbers))
        for quality in LookAroundRenderer.Quality.allCases {
          let drawn = LookAroundRenderer.render(pyramid, view, quality: quality, background: magenta)
          #expect(drawn.bytes.allSatisfy { $0 == 255 }, "\(number): \(geometry.coverageWords), \(view.words)")
        }
      }
    }
  }

  @Test func `outside a tilted part is the background`() throws {
    let part = PanoramaSamples.part(1000, 600, 1600, 600) + ",PosePitchDegrees 60"
    let geometry = try PanoramaSamples.geometry(1600, 600, gpano: part)
    let view = LookAround(geometry, window: PixelSize(width: 80, height: 50))
    let drawn = LookAroundRenderer.render(
      try Pyramid(Pixels(width: 160, height: 60, colour: 0xFFFFFF)), view, background: 0x123456)
    var colours: Set<UInt32> = []
    for y in 0..<50 { for x in 0..<80 { colours.insert(drawn[x, y]) } }
    #expect(colours.contains(0x123456))
    #expect(colours.isSubset(of: [0x123456, 0xFFFFFF]))
  }

  @Test func `the pose is corrected: the middle is as high as its pitch, the horizon level`() throws {
    let pyramid = try Pyramid(PanoramaSamples.places())
    func row(_ pose: String, yaw: Double, pitch: Double) throws -> Double {
      var view = LookAround(try PanoramaSamples.sphere(512, pose: pose), window: PixelSize(width: 41, height: 41))
      view.look(yaw: yaw, pitch: pitch, fieldOfView: 20)
      return Double(LookAroundRenderer.render(pyramid, view)[20, 20] >> 8 & 255)
    }
    func expected(_ pitch: Double) -> Double { (90 - pitch) / 180 * 256 - 0.5 }
    #expect(abs(try row(",PosePitchDegrees 12", yaw: 0, pitch: 12) - expected(0)) <= 1)
    #expect(abs(try row(",PosePitchDegrees 12", yaw: 180, pitch: 0) - expected(12)) <= 1)
    // As roll increases, the horizon in the picture turns counterclockwise: it rises to the right.
    #expect(abs(try row(",PoseRollDegrees 9", yaw: 90, pitch: 0) - expected(9)) <= 1)
    #expect(abs(try row(",PoseRollDegrees 9", yaw: -90, pitch: 0) - expected(-9)) <= 1)
    #expect(abs(try row(",PoseRollDegrees 9", yaw: 0, pitch: 30) - expected(30)) > 0.1)
  }

  @Test func `a cylinder keeps verticals at the tangent of their pitch, and its seam is closed`() throws {
    let geometry = PictureGeometry(try PanoramaSamples.header(1024, 256), as: .cylinder)
    let pyramid = try Pyramid(SamplePictures.gradient(1024, 256))
    var view = LookAround(geometry, window: PixelSize(width: 61, height: 61))
    view.look(yaw: 0, pitch: 0, fieldOfView: 50)
    let drawn = LookAroundRenderer.render(pyramid, view)
    // Straight ahead the window and the cylinder agree: rows at equal distances stay so.
    let rows = (0..<61).map { Double(drawn[30, $0] >> 8 & 255) }
    let radius = 1024 / (2 * Double.pi)
    for row in 0..<61 {
      let rise = tan(25 * Double.pi / 180) * (1 - (Double(row) + 0.5) / 30.5)
      #expect(abs(rows[row] - (128 - rise * radius - 0.5)) <= 1)
    }
    view.look(yaw: 180, pitch: 0, fieldOfView: 20)
    let seam = LookAroundRenderer.render(pyramid, view, background: magenta)
    let reds = Set((0..<61).map { seam[$0, 30] >> 16 })
    #expect(reds.contains { $0 > 245 } && reds.contains { $0 < 10 })
  }
}

extension PictureGeometry {
  fileprivate var coverageWords: String { "\(horizontalDegrees) x \(bottomPitchDegrees)...\(topPitchDegrees)" }
}

extension LookAround {
  fileprivate var words: String { "\(yawDegrees), \(pitchDegrees), \(fieldOfViewDegrees) in \(window)" }
}

@Suite struct PanoramaStripTests {
  @Test func `the part in view keeps its colours, the rest is darker`() throws {
    let pyramid = try Pyramid(Pixels(width: 800, height: 100, colour: 0x80C0F0))
    let strip = PanoramaStrip.render(pyramid, size: PixelSize(width: 80, height: 4), seen: [0.25...0.5, 0.9...1.1])
    for x in 0..<80 {
      let isSeen = (20..<40).contains(x) || x >= 72
      #expect(strip[x, 1] == (isSeen ? 0x80C0F0 : 0x30485A), "column \(x)")
    }
  }
}
