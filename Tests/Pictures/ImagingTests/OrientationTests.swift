import Imaging
import Testing

@Suite struct OrientationTests {
  /// Two rows of three: 1 2 3 above 4 5 6. Expected as EXIF has it: orientation n says where row 0 and column 0 are.
  @Test(arguments: [
    (Orientation.upright, 3, [1, 2, 3, 4, 5, 6]), (.mirrored, 3, [3, 2, 1, 6, 5, 4]),
    (.upsideDown, 3, [6, 5, 4, 3, 2, 1]), (.flipped, 3, [4, 5, 6, 1, 2, 3]), (.transposed, 2, [1, 4, 2, 5, 3, 6]),
    (.quarterRight, 2, [4, 1, 5, 2, 6, 3]), (.transversed, 2, [6, 3, 5, 2, 4, 1]),
    (.quarterLeft, 2, [3, 6, 2, 5, 1, 4]),
  ])
  func `each orientation turns as EXIF says`(orientation: Orientation, width: Int, expected: [UInt32]) {
    var pixels = Pixels(width: 3, height: 2)
    for index in 0..<6 { pixels[index % 3, index / 3] = UInt32(index + 1) }
    let turned = pixels.oriented(orientation)
    #expect(turned.width == width)
    #expect((0..<6).map { turned[$0 % width, $0 / width] } == expected)
  }

  @Test(arguments: Orientation.allCases)
  func `decoding and thumbnails apply the orientation, and sizes are as shown`(orientation: Orientation) throws {
    let stored = SamplePictures.quarters(64, 32)
    let exif = HandmadeExif(orientation: orientation.rawValue)
    let file = insert(exif.segment(), into: try Encoder.jpeg(stored, quality: 95))
    let picture = try Decoder.decode(file)
    #expect(picture.header.orientation == orientation)
    #expect(picture.pixels.size == orientation.apply(to: stored.size))
    #expect(difference(picture.pixels, stored.oriented(orientation)) <= 24)
    let box = PixelSize(width: 10, height: 16)
    let small = try Thumbnail.make(file, box: box).pixels
    #expect(small.size == picture.pixels.size.fitted(into: box))
    let corners = [(0, 0), (small.width - 1, 0), (0, small.height - 1), (small.width - 1, small.height - 1)]
    for (x, y) in corners {
      let full = picture.pixels[
        x == 0 ? 0 : picture.pixels.width - 1, y == 0 ? 0 : picture.pixels.height - 1]
      #expect(XtermPalette.index16(small[x, y]) == XtermPalette.index16(full))
    }
  }
}
