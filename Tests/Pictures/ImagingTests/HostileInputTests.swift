import Imaging
import TestKit
import Testing

/// Every way in gives a picture or an `ImageError`, and nothing that a header says is believed before it is checked.
@Suite struct HostileInputTests {
  private static func seeds() throws -> [[UInt8]] {
    let pixels = SamplePictures.gradient(24, 16)
    let thumbnail = try Encoder.jpeg(SamplePictures.gradient(12, 8), quality: 60)
    let exif = HandmadeExif(orientation: 6, make: "Maker", taken: "2024:05:31 18:04:09", thumbnail: thumbnail)
    let xmp = xmpSegment("<x GPano:FullPanoWidthPixels='8000' GPano:FullPanoHeightPixels='4000'/>")
    return [
      insert(exif.segment() + xmp, into: try Encoder.jpeg(pixels, quality: 80)),
      try Encoder.jpeg(pixels, quality: 80, isProgressive: true),
      HandmadeJPEG(values: [10, 20, 30, 40], segments: HandmadeJPEG.adobe).bytes(),
      try Encoder.png(pixels),
      HandmadePNG(
        width: 9, height: 9, depth: 4, colourType: 3, isInterlaced: true,
        chunks: [
          ("PLTE", [1, 2, 3, 250, 251, 252]), ("tRNS", [255, 0]), ("eXIf", exif.bytes()),
        ]
      ) { x, _ in [x & 1] }.bytes(),
      try Encoder.webP(pixels, quality: 70),
      try Encoder.webP(pixels, quality: nil),
      HandmadeGIF(
        width: 30, height: 20, colours: [0xFF0000, 0, 0xFF, 0xFFFFFF], blocks: HandmadeGIF.block(0xFE, [[1, 2, 3]]),
        frames: [true, false].map { isInterlaced in
          var frame = HandmadeGIF.Frame(left: 3, top: 2, width: 24, height: 16, isInterlaced: isInterlaced)
          (frame.control, frame.pixel) = ((1, 2), { x, y in x * y % 4 })
          return frame
        }
      ).bytes(),
    ]
  }

  /// Tries all that reads a file. Only a typed error may come out; sizes must be those of the header.
  private func tryAll(_ file: [UInt8], _ limits: PictureLimits) {
    do throws(ImageError) {
      let picture = try Decoder.decode(file, limits: limits)
      #expect(picture.pixels.size == picture.header.size)
      #expect(picture.pixels.bytes.count == 3 * picture.pixels.width * picture.pixels.height)
      let small = try Thumbnail.make(file, maxEdge: 8, limits: limits)
      #expect(max(small.pixels.width, small.pixels.height) <= 8)
      // In pieces, the file tells the same.
      if !picture.isDamaged {
        #expect(try Decoder.check(input(file), limits: limits).storedSize == picture.header.storedSize)
      }
    } catch {
      #expect(error.kind != .cancelled)
      #expect(error.message.hasSuffix("."))
    }
  }

  @Test func `an item of a HEIF file has no more parts than allowed, however often it is named`() {
    let big = HandmadeHEIF.big
    var place = big(1, 2) + big(0, 2) + big(64, 2)
    // The lengths together are beyond 63 bits.
    for _ in 0..<64 { place += big(1 << 48, 8) }
    var places: [UInt8] = [0x08, 0x00] + big(512, 2)
    for _ in 0..<512 { places += place }
    let exif: [UInt8] = [2, 0, 0, 0] + big(1, 2) + big(0, 2) + Array("Exif".utf8) + [0]
    let names = HandmadeHEIF.full("iinf", big(1, 2) + HandmadeHEIF.box("infe", exif))
    let body = HandmadeHEIF.full("pitm", big(1, 2)) + names + HandmadeHEIF.full("iloc", places)
    let head = HandmadeHEIF.box("ftyp", Array("heic".utf8) + big(0, 4) + Array("mif1heic".utf8))
    let file = head + HandmadeHEIF.full("meta", body)
    let error = #expect(throws: ImageError.self) { _ = try PictureHeader.read(file) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func `a file cut at any byte gives a part of the picture or an error`() throws {
    for file in try Self.seeds() {
      for length in 0..<file.count { tryAll(Array(file.prefix(length)), PictureLimits()) }
    }
  }

  @Test(arguments: 0..<8)
  func `3,000 seeded mutations of a file give a picture or an error`(index: Int) throws {
    let seed = try Self.seeds()[index]
    let limits = PictureLimits(maxPixels: 1_000_000)
    var numbers = SeededNumbers(UInt64(index) + 1)
    for _ in 0..<3000 {
      var file = seed
      for _ in 0..<Int.random(in: 1...4, using: &numbers) where !file.isEmpty {
        let at = Int.random(in: 0..<file.count, using: &numbers)
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: file[at] = UInt8.random(in: 0...255, using: &numbers)
        case 1: file[at] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 2: file[at] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
        case 3: file.removeSubrange(at..<min(file.count, at + Int.random(in: 1...8, using: &numbers)))
        case 4: file.insert(contentsOf: file[at..<min(file.count, at + 16)], at: at)
        default:
          for next in at..<min(file.count, at + 4) { file[next] = 0xFF }
        }
      }
      tryAll(file, limits)
    }
  }

  @Test func `a header of 65,535 x 65,535 is refused before anything is allocated`() {
    let jpeg = HandmadeJPEG(
      width: 65535, height: 65535, segments: HandmadeJPEG.segment(0xFE, [UInt8](repeating: 0, count: 700)),
      hasData: false)
    var png = HandmadePNG(width: 1, height: 1).bytes()
    png.replaceSubrange(16..<24, with: big(65535, 4) + big(65535, 4))
    for file in [jpeg.bytes(), png] {
      #expect(kind { () throws(ImageError) in try Decoder.decode(file) } == .tooLarge)
      #expect(kind { () throws(ImageError) in try Thumbnail.make(file, maxEdge: 100) } == .tooLarge)
      #expect(kind { () throws(ImageError) in try Decoder.check(input(file)) } == .tooLarge)
    }
  }

  @Test(arguments: [0xC0, 0xC2])
  func `a kilobyte that claims 490 megapixels is refused before anything is allocated`(frame: UInt8) {
    let file = HandmadeJPEG(width: 65500, height: 7500, frame: frame, hasData: false).bytes()
    let limits = PictureLimits(maxMemoryBytes: .max)
    #expect(kind { () throws(ImageError) in try Thumbnail.make(file, maxEdge: 100, limits: limits) } == .corrupt)
    // One flat colour needs few bits a block, and is whole.
    let flat = HandmadeJPEG(width: 1000, height: 1000, values: [200]).bytes()
    #expect(kind { () throws(ImageError) in try Decoder.check(input(flat)) } == nil)
  }

  @Test func `a side above the limit is refused at any number of pixels`() {
    var png = HandmadePNG(width: 1, height: 1).bytes()
    png.replaceSubrange(16..<24, with: big(0x7FFF_FFFF, 4) + big(1, 4))
    #expect(kind { () throws(ImageError) in try Decoder.decode(png) } == .tooLarge)
    png.replaceSubrange(16..<24, with: big(10, 4) + big(65536, 4))
    #expect(kind { () throws(ImageError) in try Decoder.decode(png) } == .tooLarge)
    png.replaceSubrange(16..<24, with: big(0xFFFF_FFFF, 4) + big(0xFFFF_FFFF, 4))
    #expect(kind { () throws(ImageError) in try Decoder.decode(png) } == .corrupt)
  }

  @Test func `what would need more memory than allowed is refused, and fits when made smaller`() throws {
    let limits = PictureLimits(maxMemoryBytes: 30_000)
    let pixels = SamplePictures.gradient(200, 100)
    for file in [try Encoder.jpeg(pixels, quality: 80), try Encoder.png(pixels)] {
      #expect(kind { () throws(ImageError) in try Decoder.decode(file, limits: limits) } == .memory)
      #expect(try Thumbnail.make(file, maxEdge: 50, limits: limits).pixels.size == PixelSize(width: 50, height: 25))
    }
    // A progressive JPEG keeps its coefficients, however small it comes out.
    let progressive = try Encoder.jpeg(pixels, quality: 80, isProgressive: true)
    #expect(kind { () throws(ImageError) in try Thumbnail.make(progressive, maxEdge: 9, limits: limits) } == .memory)
  }

  @Test func `a progressive JPEG of many scans is refused, one of a hundred is not`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(16, 16), quality: 80, isProgressive: true)
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let last = try #require(scans.last)
    let repeated = Array(file[last..<(file.count - 2)])
    func bomb(_ count: Int) -> [UInt8] {
      file[..<last] + Array(repeatElement(repeated, count: count).joined()) + [0xFF, 0xD9]
    }
    #expect(kind { () throws(ImageError) in try Decoder.decode(bomb(80_000)) } == .tooLarge)
    #expect(kind { () throws(ImageError) in try Decoder.decode(bomb(102 - scans.count)) } == .tooLarge)
    #expect(kind { () throws(ImageError) in try Decoder.decode(bomb(101 - scans.count)) } == nil)
    // Fewer scans are allowed for a larger picture.
    let work = PictureLimits(maxScanWork: 256 * 20)
    #expect(kind { () throws(ImageError) in try Decoder.decode(bomb(30), limits: work) } == .tooLarge)
    let many = PictureLimits(maxScans: 1_000_000)
    #expect(kind { () throws(ImageError) in try Decoder.decode(bomb(600), limits: many) } == nil)
  }

  @Test func `a large progressive JPEG of many empty scans is refused by what they cost together`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(4000, 2500), quality: 80, isProgressive: true)
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let last = try #require(scans.last)
    let repeated = Array(file[last..<(file.count - 2)])
    let bomb = file[..<last] + Array(repeatElement(repeated, count: 90).joined()) + [0xFF, 0xD9]
    // 10 megapixels in a hundred scans are cheap enough; the same scans of a picture of 225 are not.
    let usual = PictureLimits()
    #expect(usual.maxScanWork / (4000 * 2500) >= 100)
    #expect(usual.maxScanWork / (15_000 * 15_000) < 86)
    let work = PictureLimits(maxScanWork: 4000 * 2500 * 50)
    #expect(kind { () throws(ImageError) in try Thumbnail.make(Array(bomb), maxEdge: 64, limits: work) } == .tooLarge)
    // Its scans are counted before the decoder takes memory for it.
    for (most, isRefused) in [(scans.count - 1, true), (scans.count, false)] {
      var looks = 0
      let limits = PictureLimits(maxScans: most)
      let end = kind { () throws(ImageError) in
        try Decoder.decode(file, atLeast: PixelSize(width: 64, height: 40), limits: limits) {
          looks += 1
          return false
        }
      }
      #expect(end == (isRefused ? .tooLarge : nil) && (looks == 1) == isRefused)
    }
  }

  @Test func `EXIF loops, huge counts and offsets past the end are survived`() throws {
    let exif = HandmadeExif()
    let loops = exif.directory([exif.long(0x8769, 8), exif.long(0x8825, 8)], at: 8, next: 8)
    let lies = exif.directory(
      [
        .init(tag: 0x010F, kind: 2, count: 0xFFFF_FFFF, value: exif.number(0xFFFF_FFF0, 4)),
        .init(tag: 0x0110, kind: 2, count: 0xFFFF_FFFF, value: exif.number(8, 4)), exif.long(0x8769, 0xFFFF_FFFF),
      ], at: 8, next: 0xFFFF_FFFF)
    let crowd = exif.number(0xFFFF, 2) + [UInt8](repeating: 0x12, count: 60_000)
    let thumbnails = [(0xFFFF_FFFF, 0xFFFF_FFFF), (8, 0x7FFF_FFFF), (0, 4000), (60, 5)].map { start, length in
      let entries = [exif.long(0x0201, start), exif.long(0x0202, length)]
      return exif.directory([], at: 8, next: 14) + exif.directory(entries, at: 14)
    }
    for body in [loops, lies, crowd, []] + thumbnails {
      let data = [0x49, 0x49, 0x2A, 0] + exif.number(8, 4) + body
      let segment = HandmadeJPEG.segment(0xE1, Array("Exif\0\0".utf8) + data)
      let header = try PictureHeader.read(HandmadeJPEG(segments: segment).bytes())
      #expect(header.thumbnail == nil)
      #expect((header.cameraModel ?? "").utf8.count <= 128 * 3)
    }
  }

  @Test func `a packet of many fields is read to a limit`() throws {
    let packet = String(repeating: "GPano:A='1' ", count: 5000) + "GPano:ProjectionType='late'"
    let header = try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes())
    #expect(header.panorama != nil)
    #expect(header.panorama?.projection == nil)
  }

  @Test func `check tells a whole picture from one that ends early`() throws {
    let pixels = SamplePictures.checkerboard(64, 64, square: 3)
    for file in [try Encoder.jpeg(pixels, quality: 90), try Encoder.png(pixels), try Encoder.webP(pixels, quality: 90)]
    {
      #expect(try Decoder.check(input(file)).size == pixels.size)
      #expect(
        kind { () throws(ImageError) in try Decoder.check(input(Array(file.prefix(file.count * 2 / 3)))) } == .corrupt)
    }
    let half = try Encoder.jpeg(pixels, quality: 90)
    #expect(try Decoder.decode(Array(half.prefix(half.count / 2))).isDamaged)
    #expect(try !Decoder.decode(half).isDamaged)
  }
}
