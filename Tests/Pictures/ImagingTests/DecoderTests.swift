import Imaging
import Testing

@Suite struct DecoderTests {
  @Test func `lossless files come back exactly`() throws {
    for pixels in [SamplePictures.gradient(37, 21), SamplePictures.checkerboard(64, 9, square: 3)] {
      #expect(try Decoder.decode(Encoder.png(pixels)).pixels == pixels)
      #expect(try Decoder.decode(Encoder.webP(pixels, quality: nil)).pixels == pixels)
    }
  }

  @Test func `lossy files come back nearly`() throws {
    let pixels = SamplePictures.gradient(64, 48)
    #expect(difference(try Decoder.decode(Encoder.jpeg(pixels, quality: 95)).pixels, pixels) <= 12)
    let progressive = try Encoder.jpeg(pixels, quality: 95, isProgressive: true)
    #expect(difference(try Decoder.decode(progressive).pixels, pixels) <= 12)
    #expect(difference(try Decoder.decode(Encoder.webP(pixels, quality: 95)).pixels, pixels) <= 24)
  }

  @Test(arguments: [(200, 100), (101, 51), (100, 50), (26, 13), (25, 1), (1, 1), (1, 100), (400, 400)])
  func `a JPEG comes out at the smallest eighth that is large enough`(width: Int, height: Int) throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(200, 100), quality: 80)
    let wanted = PixelSize(width: width, height: height)
    let size = try Decoder.decode(file, atLeast: wanted).pixels.size
    #expect(size.width >= min(200, width) && size.height >= min(100, height))
    func eighth(_ side: Int, _ count: Int) -> Int { (side * count + 7) / 8 }
    let count = (1...8).first { eighth(200, $0) >= width && eighth(100, $0) >= height } ?? 8
    #expect(size == PixelSize(width: eighth(200, count), height: eighth(100, count)))
  }

  @Test func `PNG and WebP come out at the size that just covers what is wanted`() throws {
    let pixels = SamplePictures.gradient(200, 100)
    let wanted = PixelSize(width: 30, height: 20)
    for file in [try Encoder.png(pixels), try Encoder.webP(pixels, quality: 90)] {
      let small = try Decoder.decode(file, atLeast: wanted).pixels
      #expect(small.size == PixelSize(width: 40, height: 20))
      #expect(difference(small, try Resampler.resize(pixels, to: small.size)) <= 24)
      #expect(try Decoder.decode(file, atLeast: PixelSize(width: 500, height: 20)).pixels.size == pixels.size)
    }
  }

  @Test(arguments: [false, true])
  func `PNGs of every kind become RGB over the background`(isInterlaced: Bool) throws {
    func decode(_ depth: Int, _ type: Int, _ chunks: [(String, [UInt8])], _ pixel: @escaping (Int, Int) -> [Int])
      throws -> Pixels
    {
      let png = HandmadePNG(
        width: 11, height: 10, depth: depth, colourType: type, isInterlaced: isInterlaced, chunks: chunks, pixel: pixel)
      let picture = try Decoder.decode(png.bytes())
      #expect(!picture.isDamaged)
      return picture.pixels
    }
    let bit = try decode(1, 0, []) { x, y in [(x + y) & 1] }
    #expect(bit[0, 0] == 0 && bit[1, 0] == 0xFFFFFF && bit[10, 9] == 0xFFFFFF)
    let grey = try decode(16, 0, []) { x, _ in [x * 257 * 20] }
    #expect(grey[3, 4] == 0x3C3C3C)
    let palette = try decode(2, 3, [("PLTE", [1, 2, 3, 250, 251, 252, 7, 8, 9])]) { x, _ in [x % 3] }
    #expect(palette[0, 0] == 0x010203 && palette[4, 0] == 0xFAFBFC && palette[5, 9] == 0x070809)
    let holes = try decode(8, 3, [("PLTE", [1, 2, 3, 250, 251, 252]), ("tRNS", [255, 0])]) { x, _ in [x & 1] }
    #expect(holes[0, 0] == 0x010203 && holes[1, 0] == Decoder.background)
    let greyAlpha = try decode(8, 4, []) { x, _ in [200, x == 0 ? 255 : 0] }
    #expect(greyAlpha[0, 5] == 0xC8C8C8 && greyAlpha[1, 5] == Decoder.background)
    let alpha = try decode(16, 6, []) { _, y in [0xFFFF, 0, 0x8080, y * 0x1111] }
    #expect(alpha[0, 0] == 0x808080 && alpha[0, 9] == 0xCC3380)
    let colour = try decode(16, 2, []) { x, y in [x * 0x1010, y * 0x1010, 0xFFFF] }
    #expect(colour[7, 6] == 0x7060FF)
  }

  @Test func `a see-through WebP is laid over the background`() throws {
    // 2 x 2, lossless: red, half of blue, nothing, white.
    let file: [UInt8] = [
      0x52, 0x49, 0x46, 0x46, 0x34, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4C, 0x28, 0x00, 0x00,
      0x00, 0x2F, 0x01, 0x40, 0x00, 0x10, 0x1F, 0x20, 0x10, 0x48, 0xDA, 0x1F, 0x7A, 0x0D, 0x01, 0x41, 0x91, 0xFF, 0xA3,
      0xCD, 0xBF, 0x80, 0xA0, 0xE8, 0xBA, 0xE5, 0x02, 0xEC, 0x55, 0x82, 0x9A, 0xB6, 0x0D, 0x58, 0xFC, 0x26, 0x1D, 0x11,
      0xFD, 0x8F, 0x03,
    ]
    let picture = try Decoder.decode(file)
    #expect(picture.header.hasAlpha)
    #expect(picture.pixels[0, 0] == 0xFF0000 && picture.pixels[1, 0] == 0x4040C0)
    #expect(picture.pixels[0, 1] == Decoder.background && picture.pixels[1, 1] == 0xFFFFFF)
  }

  @Test func `grey and CMYK JPEGs become RGB`() throws {
    let grey = try Decoder.decode(HandmadeJPEG(width: 20, height: 9, values: [77]).bytes()).pixels
    #expect(grey == Pixels(width: 20, height: 9, colour: 0x4D4D4D))
    // Adobe stores "no ink" as 255, others as 0.
    let inverted = HandmadeJPEG(values: [255, 128, 0, 255], segments: HandmadeJPEG.adobe)
    #expect(try Decoder.decode(inverted.bytes()).pixels[3, 3] == 0xFF8000)
    #expect(try Decoder.decode(HandmadeJPEG(values: [0, 127, 255, 0]).bytes()).pixels[3, 3] == 0xFF8000)
  }

  @Test func `a scan for each colour gives the same picture as one for all`() throws {
    let one = HandmadeJPEG(width: 16, height: 16, values: [90, 100, 200])
    let each = HandmadeJPEG(width: 16, height: 16, values: [90, 100, 200], hasScanEach: true)
    #expect(try Decoder.decode(each.bytes()).pixels == Decoder.decode(one.bytes()).pixels)
  }

  @Test func `cancelling stops before, within and after the work`() throws {
    let pixels = SamplePictures.checkerboard(600, 600, square: 1)
    let files = [
      try Encoder.jpeg(pixels, quality: 90), try Encoder.jpeg(pixels, quality: 90, isProgressive: true),
      try Encoder.png(pixels), try Encoder.webP(SamplePictures.gradient(600, 600), quality: nil),
      HandmadePNG(width: 200, height: 200, isInterlaced: true).bytes(),
    ]
    for file in files {
      var asked = 0
      _ = try Decoder.decode(file) { () -> Bool in
        asked += 1
        return false
      }
      #expect(asked >= 2)
      // All scans of the progressive one are read before its first row.
      if file == files[1] { #expect(asked > 60) }
      for stop in 1...asked {
        var count = 0
        let result = kind { () throws(ImageError) in
          try Decoder.decode(file) {
            count += 1
            return count == stop
          }
        }
        #expect(result == .cancelled)
        #expect(count == stop)
      }
    }
  }
}
