@testable import Imaging
import Testing

@Suite struct ThumbnailTests {
  /// A grey picture whose embedded thumbnail is red, so that one can tell which was used.
  private func file(_ full: PixelSize, thumbnail: PixelSize, orientation: Int = 1, cut: Int = 0) throws -> [UInt8] {
    let small = try Encoder.jpeg(
      Pixels(width: thumbnail.width, height: thumbnail.height, colour: 0xE00000), quality: 90)
    let exif = HandmadeExif(orientation: orientation, thumbnail: Array(small.dropLast(cut)))
    return insert(
      exif.segment(),
      into: try Encoder.jpeg(Pixels(width: full.width, height: full.height, colour: 0x707070), quality: 90))
  }

  private let full = PixelSize(width: 640, height: 160)

  @Test func `the embedded picture is used when it has the shape and the size`() throws {
    let made = try Thumbnail.make(try file(full, thumbnail: PixelSize(width: 160, height: 40)), maxEdge: 120)
    #expect(made.isEmbedded)
    #expect(made.pixels.size == PixelSize(width: 120, height: 30))
    #expect(XtermPalette.index16(made.pixels[60, 15]) == 1)
    #expect(made.header.size == full)
  }

  @Test(arguments: [
    PixelSize(width: 160, height: 120),  // black bars, or stale
    PixelSize(width: 160, height: 43),  // stale
    PixelSize(width: 40, height: 160),  // turned meanwhile
    PixelSize(width: 100, height: 25),  // too small
  ])
  func `an embedded picture of another shape or too small is not used`(thumbnail: PixelSize) throws {
    let made = try Thumbnail.make(try file(full, thumbnail: thumbnail), maxEdge: 120)
    #expect(!made.isEmbedded)
    #expect(made.pixels.size == PixelSize(width: 120, height: 30))
    #expect(XtermPalette.index16(made.pixels[60, 15]) == 8)
  }

  @Test func `a damaged embedded picture is not used, and is no error`() throws {
    let broken = try file(full, thumbnail: PixelSize(width: 160, height: 40), cut: 60)
    #expect(try !Thumbnail.make(broken, maxEdge: 120).isEmbedded)
  }

  @Test func `the embedded picture is turned like the picture`() throws {
    let made = try Thumbnail.make(
      try file(full, thumbnail: PixelSize(width: 160, height: 40), orientation: 6), maxEdge: 120)
    #expect(made.isEmbedded)
    #expect(made.pixels.size == PixelSize(width: 30, height: 120))
  }

  @Test(arguments: [
    (160, 120, 4000, 3000, true), (160, 20, 8000, 1000, true), (160, 19, 8000, 977, true),
    (160, 120, 6000, 4000, false),
    (160, 107, 6000, 4000, true), (120, 160, 4000, 3000, false), (160, 117, 4000, 3000, false),
  ])
  func `a shape is the same within 2 % or a pixel`(width: Int, height: Int, across: Int, down: Int, same: Bool) {
    let small = PixelSize(width: width, height: height)
    #expect(Thumbnail.hasShape(small, of: PixelSize(width: across, height: down)) == same)
  }

  @Test func `a thumbnail is the picture made small, in every format`() throws {
    let pixels = SamplePictures.gradient(300, 200)
    let expected = try Resampler.resize(pixels, to: PixelSize(width: 60, height: 40))
    for bytes in [
      try Encoder.jpeg(pixels, quality: 95), try Encoder.png(pixels), try Encoder.webP(pixels, quality: 95),
      try Encoder.jpeg(pixels, quality: 95, isProgressive: true),
    ] {
      let made = try Thumbnail.make(bytes, maxEdge: 60)
      #expect(!made.isEmbedded && !made.isDamaged)
      #expect(difference(made.pixels, expected) <= 16)
    }
  }

  @Test func `a small picture keeps its size`() throws {
    let pixels = SamplePictures.gradient(30, 20)
    #expect(try Thumbnail.make(Encoder.png(pixels), maxEdge: 512).pixels == pixels)
  }

  @Test func `cancelling stops it`() throws {
    let bytes = try Encoder.jpeg(SamplePictures.gradient(64, 64), quality: 80)
    #expect(
      kind { () throws(ImageError) in try Thumbnail.make(bytes, maxEdge: 9, isCancelled: { true }) } == .cancelled)
  }

  @Test func `cancelling stops a progressive JPEG before its first row`() throws {
    let bytes = try Encoder.jpeg(SamplePictures.gradient(64, 2048), quality: 80, isProgressive: true)
    func decode(cancellingAt last: Int) -> (kind: ImageError.Kind?, asked: Int) {
      var asked = 0
      let kind = kind { () throws(ImageError) in
        try Decoder.decode(
          bytes,
          isCancelled: {
            asked += 1
            return asked == last
          })
      }
      return (kind, asked)
    }
    let whole = decode(cancellingAt: .max)
    #expect(whole.kind == nil)
    // 2048 rows are asked about 128 times; the pieces of the scans come before.
    #expect(whole.asked > 2048 / 16 + 10)
    #expect(decode(cancellingAt: 5) == (.cancelled, 5))
  }
}
