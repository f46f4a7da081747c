@testable import Imaging
import TestKit
import Testing

/// Parts of large pictures: read by themselves, and drawn.
@Suite struct PictureDetailTests {
  private func area(
    _ file: [UInt8], _ area: PixelRect, eighths: Int, _ orientation: Orientation = .upright
  ) throws -> Pixels {
    let result = try file.withUnsafeBytes { bytes throws(ImageError) in
      try PictureWork.area(area, eighths: eighths).perform(
        on: PictureInput(bytes), orientation: orientation, limits: PictureLimits(), isCancelled: { false })
    }
    guard case .pixels(let pixels, _) = result else { throw ImageError(.corrupt, "No pixels.") }
    return pixels
  }

  private func cut(_ pixels: Pixels, _ area: PixelRect) -> Pixels {
    var part = Pixels(width: area.width, height: area.height)
    part.paste(pixels, x: -area.x, y: -area.y)
    return part
  }

  /// Full and halved colours, which are interpolated across the edges of blocks.
  @Test(arguments: [95, 80], [8, 4, 2, 1])
  func `a part has the pixels of the whole picture`(quality: Int, eighths: Int) throws {
    var numbers = SeededNumbers(UInt64(quality + eighths))
    var pixels = SamplePictures.gradient(1003, 517)
    for _ in 0..<3000 {
      pixels[numbers.below(1003), numbers.below(517)] = UInt32(truncatingIfNeeded: numbers.below(1 << 24))
    }
    let file = try Encoder.jpeg(pixels, quality: quality)
    let header = try PictureHeader.read(file)
    #expect(header.hasAreas)
    for orientation in Orientation.allCases {
      let size = orientation.apply(to: Decoder.scaledSize(header.storedSize, eighths))
      let whole = try file.withUnsafeBytes { bytes throws(ImageError) in
        let (stored, _) = try Decoder.jpeg(
          PictureInput(bytes), header, eighths == 8 ? nil : Decoder.scaledSize(header.storedSize, eighths),
          PictureLimits(), { false })
        return stored.oriented(orientation)
      }
      #expect(whole.size == size)
      for _ in 0..<6 {
        let (x, y) = (numbers.below(size.width), numbers.below(size.height))
        let part = PixelRect(
          x: x, y: y, width: 1 + numbers.below(size.width - x), height: 1 + numbers.below(size.height - y))
        #expect(
          difference(try area(file, part, eighths: eighths, orientation), cut(whole, part)) == 0,
          "\(orientation) \(part)")
      }
    }
  }

  @Test func `parts beyond the picture, and of pictures that are read whole, are refused`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(100, 50), quality: 80)
    for part in [
      PixelRect(x: 90, y: 0, width: 11, height: 5), PixelRect(x: 0, y: 50, width: 5, height: 1),
      PixelRect(x: 0, y: 0, width: 101, height: 1),
    ] {
      #expect(throws: ImageError.self) { try area(file, part, eighths: 8) }
    }
    let inside = PixelRect(x: 0, y: 0, width: 10, height: 10)
    for other in [
      try Encoder.jpeg(SamplePictures.gradient(100, 50), quality: 80, isProgressive: true),
      try Encoder.png(SamplePictures.gradient(100, 50)),
    ] {
      #expect(try !PictureHeader.read(other).hasAreas)
      #expect(throws: ImageError.self) { try area(other, inside, eighths: 8) }
    }
  }

  /// The detail that a request asks for, from the whole picture.
  private func detail(_ request: DetailRequest, _ whole: Pyramid) throws -> PictureDetail {
    let level = [8: 0, 4: 1, 2: 2, 1: 3][request.eighths] ?? 0
    let pixels = whole.levels[level]
    var part = Pixels(width: request.area.width, height: request.area.height)
    for turn in -1...1 { part.paste(pixels, x: turn * pixels.width - request.area.x, y: -request.area.y) }
    return try #require(PictureDetail(request, part))
  }

  @Test func `a flat view with its part looks as one of the whole picture`() throws {
    let whole = try Pyramid(SamplePictures.checkerboard(2048, 1024, square: 24))
    var reduced = try Pyramid(whole.levels[2], full: whole.size)
    var view = FlatView(picture: whole.size, window: PixelSize(width: 300, height: 200))
    #expect(FlatRenderer.wanted(reduced, view, asked: nil) == nil)
    for (zoom, x, y) in [(4.0, 0.0, 0.0), (2.0, 3.0, -2.0), (2.0, -9.0, 9.0), (3.0, 2.0, -1.0)] {
      view.zoom(by: zoom)
      view.pan(x: x, y: y)
      let wanted = try #require(FlatRenderer.wanted(reduced, view, asked: nil))
      #expect(FlatRenderer.wanted(reduced, view, asked: wanted) == nil)
      reduced.detail = try detail(wanted, whole)
      #expect(FlatRenderer.wanted(reduced, view, asked: nil) == nil)
      #expect(difference(FlatRenderer.render(reduced, view), FlatRenderer.render(whole, view)) <= 1)
    }
    // Far from the part, the copy is shown until another part comes.
    view.pan(x: 5, y: 5)
    #expect(FlatRenderer.wanted(reduced, view, asked: nil) != nil)
    #expect(FlatRenderer.render(reduced, view).size == view.window)
  }

  /// Eight million pixels take seconds to make.
  private static let panorama = Result { try Pyramid(SamplePictures.gradient(4096, 2048)) }

  @Test(arguments: [0.0, 90.0, 179.0, -179.5, -60.0], [0.0, 35.0, -50.0])
  func `a view in a panorama with its part looks as one of the whole picture`(yaw: Double, pitch: Double) throws {
    let whole = try Self.panorama.get()
    var reduced = try Pyramid(whole.levels[3], full: whole.size)
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    let jpeg = Encoder.marked(HandmadeJPEG(width: 4096, height: 2048, hasData: false).bytes(), as: facts)
    let geometry = PictureGeometry(try PictureHeader.read(jpeg), as: .sphere)
    for fieldOfView in [70.0, 30.0, 12.0] {
      var view = LookAround(geometry, window: PixelSize(width: 320, height: 200))
      view.look(yaw: yaw, pitch: pitch, fieldOfView: fieldOfView)
      // The narrowest view is in the part of the one before.
      let wanted = LookAroundRenderer.wanted(reduced, view, asked: nil)
      #expect((wanted == nil) == (fieldOfView == 12))
      if let wanted {
        #expect(LookAroundRenderer.wanted(reduced, view, asked: wanted) == nil)
        reduced.detail = try detail(wanted, whole)
      }
      #expect(LookAroundRenderer.detail(reduced, view) != nil)
      #expect(
        difference(LookAroundRenderer.render(reduced, view), LookAroundRenderer.render(whole, view)) <= 3,
        "\(fieldOfView)")
    }
  }

  @Test func `next to a pole, and in the whole picture, no part is wanted`() throws {
    let pyramid = try Pyramid(Pixels(width: 512, height: 256), full: PixelSize(width: 4096, height: 2048))
    let jpeg = HandmadeJPEG(width: 4096, height: 2048, hasData: false).bytes()
    let geometry = PictureGeometry(try PictureHeader.read(jpeg), as: .sphere)
    var view = LookAround(geometry, window: PixelSize(width: 320, height: 200))
    view.look(yaw: 0, pitch: 89, fieldOfView: 60)
    #expect(LookAroundRenderer.wanted(pyramid, view, asked: nil) == nil)
    view.look(yaw: 0, pitch: 0, fieldOfView: 60)
    #expect(LookAroundRenderer.wanted(pyramid, view, asked: nil) != nil)
    #expect(LookAroundRenderer.wanted(try Pyramid(Pixels(width: 512, height: 256)), view, asked: nil) == nil)
  }
}
