import POSIX
@testable import Imaging
import TestKit
import Testing

/// Expected colours are those that other programs get with the same profiles.
@Suite struct ColourProfileTests {
  private static let formats: [PictureFormat] = [.jpeg, .png, .webp]

  /// A picture of one colour with a profile.
  private func file(
    _ format: PictureFormat, _ colour: UInt32, _ profile: [UInt8], isGrey: Bool = false, alpha: [UInt8] = []
  ) throws -> [UInt8] {
    let pixels = Pixels(width: 16, height: 16, colour: colour)
    switch format {
    case .jpeg:
      let plain =
        isGrey
        ? HandmadeJPEG(width: 16, height: 16, values: [Int(colour & 255)]).bytes()
        : try Encoder.jpeg(pixels, quality: 100)
      return insert(Array(HandmadeProfile.segments(profile).joined()), into: plain)
    case .png:
      var png = HandmadePNG(width: 16, height: 16, colourType: isGrey ? 0 : 2) { _, _ in
        isGrey ? [Int(colour & 255)] : [16, 8, 0].map { Int(colour >> $0 & 255) }
      }
      png.chunks = [("iCCP", Array("a name\0\0".utf8) + HandmadePNG.stored(profile))]
      return png.bytes()
    default:
      func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(body.count, 4).reversed() + body + [UInt8](repeating: 0, count: body.count % 2)
      }
      let flags: UInt8 = alpha.isEmpty ? 0x20 : 0x30
      var body = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0, 15, 0, 0, 15, 0, 0]) + chunk("ICCP", profile)
      if !alpha.isEmpty { body += chunk("ALPH", [0] + alpha) }
      body += try Encoder.webP(pixels, quality: alpha.isEmpty ? nil : 100)[12...]
      return Array("RIFF".utf8) + big(body.count, 4).reversed() + body
    }
  }

  private func expect(_ file: [UInt8], _ colour: UInt32, within limit: Int = 2) throws {
    let picture = try Decoder.decode(file)
    #expect(!picture.isDamaged)
    let flat = Pixels(width: picture.pixels.width, height: picture.pixels.height, colour: colour)
    #expect(difference(picture.pixels, flat) <= limit, "\(String(picture.pixels[3, 3], radix: 16))")
    #expect(
      difference(try Thumbnail.make(file, maxEdge: 4).pixels, flat.part(PixelRect(x: 0, y: 0, width: 4, height: 4)))
        <= limit)
    #expect(kind { () throws(ImageError) in try Decoder.check(input(file)) } == nil)
  }

  @Test(
    arguments: formats,
    [
      (HandmadeProfile.swapped, 0xFF0000, 0x00FF00),
      (HandmadeProfile(primaries: HandmadeProfile.adobe), 0xC7643B, 0xE26436),
      (HandmadeProfile(primaries: HandmadeProfile.displayP3, curve: HandmadeProfile.screenCurve), 0xC8643C, 0xD75D2F),
      (HandmadeProfile(gamma: 1), 0x808080, 0xBCBCBC), (HandmadeProfile(kind: "scnr", gamma: 1), 0x808080, 0xBCBCBC),
      (HandmadeProfile(curve: Array("curv\0\0\0\0\0\0\0\0".utf8)), 0x808080, 0xBCBCBC),
      (
        HandmadeProfile(curve: Array("curv\0\0\0\0\0\0\0\u{3}".utf8) + [0, 0, 0x40, 0, 0xFF, 0xFF]), 0x808080, 0x898989
      ),
    ] as [(HandmadeProfile, UInt32, UInt32)])
  func `a profile's own numbers make the colours`(
    format: PictureFormat, profile: (HandmadeProfile, stored: UInt32, shown: UInt32)
  ) throws {
    try expect(try file(format, profile.stored, profile.0.bytes()), profile.shown)
  }

  @Test(arguments: formats)
  func `a grey profile makes the levels of a grey picture`(format: PictureFormat) throws {
    let profile = HandmadeProfile(space: "GRAY", gamma: 1).bytes()
    try expect(try file(format, 0x808080, profile, isGrey: true), 0xBCBCBC)
    // One for other colours says nothing about it; a WebP does not say that it is grey.
    try expect(try file(format, 0xFF8000, profile), format == .webp ? 0xFFBC00 : 0xFF8000)
    if format == .jpeg {
      try expect(try file(.jpeg, 0x808080, HandmadeProfile(gamma: 1).bytes(), isGrey: true), 0xBCBCBC)
    }
  }

  @Test(
    arguments: [
      (0, 16, [0x8080]), (4, 8, [128, 255]), (4, 16, [0x8080, 0xFFFF]), (2, 16, [0x8080, 0x8080, 0x8080]),
      (6, 8, [128, 128, 128, 255]), (3, 8, [0]),
    ] as [(Int, Int, [Int])], [true, false])
  func `a profile counts in every kind of PNG`(kind: (Int, Int, [Int]), isInterlaced: Bool) throws {
    let (colourType, depth, samples) = kind
    let profile = HandmadeProfile(space: colourType % 4 == 0 ? "GRAY" : "RGB ", gamma: 1).bytes()
    var png = HandmadePNG(
      width: 16, height: 16, depth: depth, colourType: colourType, isInterlaced: isInterlaced
    ) { _, _ in samples }
    png.chunks = [("iCCP", Array("a name\0\0".utf8) + HandmadePNG.stored(profile))]
    if colourType == 3 { png.chunks.append(("PLTE", [128, 128, 128])) }
    try expect(png.bytes(), 0xBCBCBC)
  }

  @Test(arguments: [(2, false), (2, true), (6, false), (6, true), (0, false), (4, true)] as [(Int, Bool)])
  func `samples of 16 bits become colours before they become bytes`(colourType: Int, isInterlaced: Bool) throws {
    let isGrey = colourType % 4 == 0
    let profile = HandmadeProfile(space: isGrey ? "GRAY" : "RGB ", primaries: HandmadeProfile.adobe, gamma: 1)
    var png = HandmadePNG(width: 256, height: 8, depth: 16, colourType: colourType, isInterlaced: isInterlaced) {
      x, _ in
      (isGrey ? [16 * x] : [16 * x, 8 * x, 4 * x]) + (colourType >= 4 ? [65535] : [])
    }
    png.chunks = [("iCCP", Array("a name\0\0".utf8) + HandmadePNG.stored(profile.bytes()))]
    let pixels = try Decoder.decode(png.bytes()).pixels
    // From XYZ by the light of D50 to linear sRGB (Bradford).
    let matrix = [
      (3.1338561, -1.6168667, -0.4906146), (-0.9787684, 1.9161415, 0.0334540), (0.0719453, -0.2289914, 1.4052427),
    ]
    for x in 0..<256 {
      let light = [16, 8, 4].map { Double($0 * x) / 65535 }
      let columns = zip(HandmadeProfile.adobe, light)
      let xyz = columns.reduce((0.0, 0.0, 0.0)) { sum, column in
        (sum.0 + column.0.0 * column.1, sum.1 + column.0.1 * column.1, sum.2 + column.0.2 * column.1)
      }
      for (index, row) in matrix.enumerated() {
        let linear = isGrey ? light[0] : row.0 * xyz.0 + row.1 * xyz.1 + row.2 * xyz.2
        let shown = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
        let got = Double(pixels[x, 3] >> (16 - 8 * UInt32(index)) & 255)
        #expect(abs(got - min(max(shown, 0), 1) * 255) < 1.1, "\(x), \(index)")
      }
    }
  }

  @Test func `inks are shown by their table`() throws {
    // Full cyan alone prints bright green here; no ink is white, and all others are black.
    let table = HandmadeProfile.inks { inked in
      inked == [true, false, false, false] ? [224, 49, 208] : inked.contains(true) ? [0, 128, 128] : [255, 128, 128]
    }
    let profile = HandmadeProfile(space: "CMYK", kind: "prtr", table: table)
    for (adobe, none) in [([], 0), (HandmadeJPEG.adobe, 255)] {
      let segments = adobe + Array(profile.segments().joined())
      var cyan = HandmadeJPEG(width: 16, height: 16, values: [255 - none, none, none, none], segments: segments)
      try expect(cyan.bytes(), 0x00FF00, within: 20)
      cyan.hasScanEach = true
      try expect(cyan.bytes(), 0x00FF00, within: 20)
      try expect(
        HandmadeJPEG(width: 16, height: 16, values: [none, none, none, none], segments: segments).bytes(), 0xFFFFFF)
    }
  }

  @Test(arguments: formats)
  func `profiles that are as good as sRGB change nothing`(format: PictureFormat) throws {
    let profile = HandmadeProfile(curve: HandmadeProfile.screenCurve).bytes()
    let with = try Decoder.decode(try file(format, 0x123456, profile)).pixels
    #expect(try with == Decoder.decode(try file(format, 0x123456, [1])).pixels)
  }

  @Test(arguments: formats)
  func `a profile that is cut or changed anywhere costs itself alone`(format: PictureFormat) throws {
    let profile = HandmadeProfile(primaries: HandmadeProfile.adobe).bytes()
    for length in 0..<profile.count {
      let picture = try Decoder.decode(try file(format, 0xC7643B, Array(profile.prefix(length))))
      #expect(!picture.isDamaged && picture.pixels.width == 16)
    }
    var numbers = SeededNumbers(5)
    for _ in 0..<500 {
      let picture = try Decoder.decode(try file(format, 0xC7643B, changed(profile, &numbers)))
      #expect(!picture.isDamaged && picture.pixels.width == 16)
    }
  }

  private func changed(_ profile: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var changed = profile
    for _ in 0...numbers.below(6) { changed[numbers.below(changed.count)] = UInt8(numbers.below(256)) }
    return changed
  }

  @Test func `a table of inks that is changed anywhere costs itself alone`() throws {
    let table = HandmadeProfile(space: "CMYK", table: HandmadeProfile.inks { _ in [255, 128, 128] }).bytes()
    var numbers = SeededNumbers(6)
    for _ in 0..<60 {
      let segments = HandmadeProfile.segments(changed(table, &numbers))[0]
      let picture = try Decoder.decode(HandmadeJPEG(values: [1, 2, 3, 4], segments: segments).bytes())
      #expect(!picture.isDamaged && picture.pixels.width == 8)
    }
  }

  @Test(arguments: [
    HandmadeProfile(primaries: [(0, 0, 0), (0, 0, 0), (0, 0, 0)]), HandmadeProfile(gamma: 0),
    HandmadeProfile(primaries: [HandmadeProfile.screen[0], (0, 0, 0), (0, 0, 0)]),
    HandmadeProfile(curve: Array("curv\0\0\0\0\0\0\0\u{2}".utf8) + [0, 0, 0, 0]),
    HandmadeProfile(space: "Lab "), HandmadeProfile(kind: "link"), HandmadeProfile(kind: "nmcl"),
    HandmadeProfile(space: "CMYK"), HandmadeProfile(formulas: HandmadeProfile.formulas(1)),
    HandmadeProfile(formulas: HandmadeProfile.formulas(5000)),
  ])
  func `a readable profile that leaves no picture is left out`(profile: HandmadeProfile) throws {
    for format in Self.formats { try expect(try file(format, 0xC7643B, profile.bytes()), 0xC7643B) }
  }

  @Test func `a profile in several segments is read in their order, and not without one of them`() throws {
    let segments = HandmadeProfile.swapped.segments(5)
    let plain = try Encoder.jpeg(Pixels(width: 16, height: 16, colour: 0xFF0000), quality: 100)
    let scans = try Encoder.jpeg(Pixels(width: 16, height: 16, colour: 0xFF0000), quality: 100, isProgressive: true)
    for plain in [plain, scans] { try expect(insert(Array(segments.joined()), into: plain), 0x00FF00) }
    try expect(insert(Array(segments.reversed().joined()), into: plain), 0x00FF00)
    try expect(insert(Array(segments.dropLast().joined()), into: plain), 0xFF0000)
    try expect(insert(Array((segments + segments).joined()), into: plain), 0xFF0000)
  }

  @Test func `a part has the colours of the whole, and so has the small picture that a camera embeds`() throws {
    let segments = Array(HandmadeProfile.swapped.segments(3).joined())
    let pixels = SamplePictures.quarters(200, 100)
    let small = try Encoder.jpeg(SamplePictures.quarters(40, 20), quality: 95)
    let exif = HandmadeExif(thumbnail: small).segment()
    let file = insert(exif + segments, into: try Encoder.jpeg(pixels, quality: 95))
    let whole = try Decoder.decode(file).pixels
    let rect = PixelRect(x: 110, y: 10, width: 50, height: 30)
    let header = try PictureHeader.read(file)
    let part = try Decoder.area(input(file), header, rect, eighths: 8, limits: PictureLimits(), isCancelled: { false })
    #expect(part == whole.part(rect))
    let made = try Thumbnail.make(file, maxEdge: 40)
    #expect(made.isEmbedded && difference(made.pixels, Pixels(width: 40, height: 20)) == 255)
    #expect(made.pixels[5, 5] & 0xFFFF00 >> 8 > 0xF000 && whole[5, 5] & 0xFFFF00 >> 8 > 0xF000)
    // One with a profile of its own is shown by that.
    let own = try Encoder.jpeg(SamplePictures.quarters(40, 20), quality: 95)
    let screen = Array(HandmadeProfile(curve: HandmadeProfile.screenCurve).segments().joined())
    let other = HandmadeExif(thumbnail: insert(screen, into: own)).segment()
    let mixed = try Thumbnail.make(insert(other + segments, into: try Encoder.jpeg(pixels, quality: 95)), maxEdge: 40)
    #expect(mixed.isEmbedded && mixed.pixels[5, 5] >> 16 > 0xF0)
  }

  @Test(
    arguments: [
      ([100_000], [], [], 0xBCBCBC), ([45455], [], [], 0x808080), ([100_000], [], [0], 0x808080),
      ([], [], [], 0x808080),
      ([0], [], [], 0x808080), ([1_000_000_000], [], [], 0x808080), ([55556], [], [], 0x939393),
      ([100_000], [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000], [], 0xBCBCBC),
      ([100_000], [0, 0, 0, 0, 0, 0, 0, 0], [], 0xBCBCBC), ([100_000], [31270, 32900], [], 0xBCBCBC),
    ] as [([Int], [Int], [UInt8], UInt32)])
  func `a PNG's gamma counts where nothing else tells its colours`(
    gamma: [Int], chroma: [Int], screen: [UInt8], shown: UInt32
  ) throws {
    var png = HandmadePNG(width: 16, height: 16) { _, _ in [128, 128, 128] }
    if !screen.isEmpty { png.chunks.append(("sRGB", screen)) }
    if !gamma.isEmpty { png.chunks.append(("gAMA", big(gamma[0], 4))) }
    if !chroma.isEmpty { png.chunks.append(("cHRM", chroma.flatMap { big($0, 4) })) }
    try expect(png.bytes(), shown)
  }

  @Test func `a see-through picture is laid over the background in the background's own colour`() throws {
    for isInterlaced in [true, false] {
      var png = HandmadePNG(width: 4, height: 4, colourType: 6, isInterlaced: isInterlaced) { x, _ in
        [128, 128, 128, x < 2 ? 255 : 0]
      }
      png.chunks = [("gAMA", big(100_000, 4))]
      let pixels = try Decoder.decode(png.bytes()).pixels
      #expect(pixels[0, 0] == 0xBCBCBC && pixels[3, 3] == Decoder.background)
    }
  }

  @Test func `a see-through WebP keeps the background's own colour`() throws {
    let alpha = (0..<256).map { $0 % 16 < 8 ? UInt8(255) : 0 }
    let pixels = try Decoder.decode(try file(.webp, 0xFF0000, HandmadeProfile.swapped.bytes(), alpha: alpha)).pixels
    #expect(pixels[2, 2] >> 8 & 255 > 0xF0 && pixels[2, 2] >> 16 < 0x10 && pixels[13, 8] == Decoder.background)
  }

  @Test func `a smaller copy has the colours of sRGB and no profile`() throws {
    for format in Self.formats {
      let original = try file(format, 0xC7643B, HandmadeProfile(primaries: HandmadeProfile.adobe).bytes())
      let work = PictureWork.copy(maxEdge: 8, format: format, quality: format == .jpeg ? 100 : nil)
      let result = try original.withUnsafeBytes { bytes throws(ImageError) in
        try work.perform(
          on: PictureInput(bytes), orientation: .upright, limits: PictureLimits(), isCancelled: { false })
      }
      guard case .file(let bytes, _) = result else {
        Issue.record("It is no file.")
        return
      }
      let copy = try UploadCopy.describing(bytes, as: original, withPlace: true)
      try expect(copy, 0xE26436)
      // The same pixels with all their metadata keep the profile.
      try expect(try UploadCopy.withoutPlace(original), 0xE26436)
    }
  }
}
