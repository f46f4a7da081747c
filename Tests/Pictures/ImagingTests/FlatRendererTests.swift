import Imaging
import Testing

@Suite struct FlatRendererTests {
  @Test func `each level is the 2 x 2 mean of the one before, odd sides keep their last pixel`() throws {
    let pixels = SamplePictures.gradient(131, 67)
    let pyramid = try Pyramid(pixels)
    #expect(pyramid.levels.map(\.size.width) == [131, 66, 33])
    #expect(pyramid.levels.map(\.size.height) == [67, 34, 17])
    let half = pyramid.levels[1]
    for (x, y) in [(0, 0), (31, 20), (64, 32)] {
      let four = [
        pixels[2 * x, 2 * y], pixels[2 * x + 1, 2 * y], pixels[2 * x, 2 * y + 1], pixels[2 * x + 1, 2 * y + 1],
      ]
      #expect(half[x, y] >> 16 == (four.reduce(0) { $0 + $1 >> 16 } + 2) / 4)
    }
    #expect(half[65, 33] == pixels[130, 66])
  }

  @Test func `at one to one it shows the pixels`() throws {
    let pixels = SamplePictures.checkerboard(90, 50, square: 4)
    let view = FlatView(picture: pixels.size, window: pixels.size)
    #expect(FlatRenderer.render(try Pyramid(pixels), view) == pixels)
  }

  @Test func `a fine pattern becomes even grey when small, not speckles`() throws {
    let pixels = SamplePictures.checkerboard(1600, 800, square: 1)
    let view = FlatView(picture: pixels.size, window: PixelSize(width: 90, height: 45))
    let drawn = FlatRenderer.render(try Pyramid(pixels), view)
    #expect(drawn.bytes.allSatisfy { abs(Int($0) - 128) <= 2 })
  }

  @Test func `what lies beside the picture has the background's colour`() throws {
    let pixels = Pixels(width: 400, height: 100, colour: 0xFFFFFF)
    let view = FlatView(picture: pixels.size, window: PixelSize(width: 40, height: 40))
    let drawn = FlatRenderer.render(try Pyramid(pixels), view, background: 0x102030)
    #expect(drawn[0, 0] == 0x102030 && drawn[39, 39] == 0x102030 && drawn[5, 14] == 0x102030)
    #expect(drawn[0, 15] == 0xFFFFFF && drawn[39, 24] == 0xFFFFFF && drawn[5, 25] == 0x102030)
  }

  @Test func `zoomed and panned it shows that quarter, from a smaller copy too`() throws {
    let pixels = SamplePictures.quarters(800, 400)
    for copy in [pixels, try Resampler.resize(pixels, to: PixelSize(width: 100, height: 50))] {
      let pyramid = try Pyramid(copy)
      var view = FlatView(picture: pixels.size, window: PixelSize(width: 80, height: 40))
      view.zoom(by: 4)
      view.pan(x: 9, y: -9)
      #expect(FlatRenderer.render(pyramid, view) == Pixels(width: 80, height: 40, colour: 0x00FF00))
      view.pan(x: -9, y: 9)
      #expect(FlatRenderer.render(pyramid, view) == Pixels(width: 80, height: 40, colour: 0x0000FF))
    }
  }

  @Test func `the grid of a sphere keeps its lines where they are`() throws {
    let pixels = SamplePictures.equirectangularGrid(height: 180)
    var view = FlatView(picture: pixels.size, window: PixelSize(width: 90, height: 60))
    view.zoom(by: 32)
    let drawn = FlatRenderer.render(try Pyramid(pixels), view)
    // The centre is 180 degrees of longitude, on the equator: a line from there to the right and one down.
    let crop = view.crop
    let (x, y) = (Int((180.5 - crop.x) * view.scale), Int((90.5 - crop.y) * view.scale))
    #expect(drawn[x, 5] == 0xFFFFFF && drawn[5, y] == 0xFFFFFF)
    #expect(drawn[x + 20, y + 20] == 0x4040C0 && drawn[x - 20, y + 20] == 0x40C040)
  }

  @Test func `cancelling stops a pyramid`() {
    let pixels = Pixels(width: 200, height: 100)
    #expect(kind { () throws(ImageError) in try Pyramid(pixels) { true } } == .cancelled)
  }
}
