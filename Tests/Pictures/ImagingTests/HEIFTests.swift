@testable import Imaging
import TestKit
import Testing

/// HEIC and AVIF pictures, decoded in this process. heif-enc codes them.
@Suite(.enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed")) struct HEIFTests {
  init() throws { try #require(Decoder.loadHEIF()) }

  static func expect(_ ours: Pixels, near theirs: Pixels, within step: Int = 1) {
    #expect(ours.size == theirs.size)
    guard ours.size == theirs.size else { return }
    #expect(zip(ours.bytes, theirs.bytes).allSatisfy { abs(Int($0) - Int($1)) <= step })
  }

  static func png(_ width: Int, _ height: Int, depth: Int = 8, _ colourType: Int = 2) -> [UInt8] {
    let most = 1 << depth - 1
    return HandmadePNG(width: width, height: height, depth: depth, colourType: colourType) { x, y in
      let (across, down) = (x * most / max(1, width - 1), y * most / max(1, height - 1))
      let colour = [across, down, (x / 8 + y / 8) % 2 * most / 2]
      return colourType == 0 ? [across] : colourType == 6 ? colour + [down] : colour
    }.bytes()
  }

  /// One coded picture in one colour.
  static func tile(_ colour: UInt32, _ side: Int = 64) throws -> HandmadeHEIF {
    let png = try Encoder.png(Pixels(width: side, height: side, colour: colour))
    return HandmadeHEIF(coded: try HEIFPrograms.file(png), side, side)
  }

  @Test(arguments: ["heic", "avif"], [(96, 64, 8, 2), (97, 63, 8, 2), (64, 64, 8, 6), (64, 64, 8, 0), (1, 1, 8, 2)])
  func `pixels are those of heif-convert within a step`(
    ending: String, form: (width: Int, height: Int, depth: Int, type: Int)
  ) throws {
    let file = try HEIFPrograms.file(Self.png(form.width, form.height, depth: form.depth, form.type), ending)
    let ours = try Decoder.decode(file)
    Self.expect(ours.pixels, near: try Decoder.decode(try HEIFPrograms.decoded(file, ending)).pixels)
    #expect(ours.header.format.rawValue == ending && ours.header.size == ours.pixels.size)
    #expect(ours.header.hasAlpha == (form.type == 6))
  }

  @Test func `10 bits become 8`() throws {
    let file = try HEIFPrograms.file(Self.png(96, 64, depth: 16), "heic", ["-b", "10"])
    let ours = try Decoder.decode(file)
    #expect(ours.header.bitsPerSample > 8)
    Self.expect(ours.pixels, near: try Decoder.decode(try HEIFPrograms.decoded(file)).pixels)
  }

  @Test(arguments: 0..<4, [nil, 0, 1])
  func `the container turns and mirrors, and EXIF does not do it again`(angle: Int, axis: Int?) throws {
    var file = HandmadeHEIF(coded: try HEIFPrograms.file(Self.png(96, 64)), 96, 64)
    let plain = try Decoder.decode(file.bytes()).pixels
    file.add(HandmadeHEIF.box("irot", [UInt8(angle)]), to: 1)
    if let axis { file.add(HandmadeHEIF.box("imir", [UInt8(axis)]), to: 1) }
    // heif-convert copies EXIF data into its PNG.
    let theirs = try Decoder.decode(try HEIFPrograms.decoded(file.bytes())).pixels
    file.items.append(.init(2, "Exif", [0, 0, 0, 0] + HandmadeExif(orientation: 6).bytes()))
    file.references = [("cdsc", 2, [1])]
    let ours = try Decoder.decode(file.bytes())
    #expect(ours.header.size == (angle % 2 == 0 ? plain.size : plain.size.turned))
    #expect(ours.header.orientation == .upright)
    // Counter-clockwise.
    let turned = plain.oriented([.upright, .quarterLeft, .upsideDown, .quarterRight][angle])
    if axis == nil { #expect(ours.pixels == turned) }
    Self.expect(ours.pixels, near: theirs)
  }

  @Test func `a cut is part of the size`() throws {
    var file = HandmadeHEIF(coded: try HEIFPrograms.file(Self.png(96, 64)), 96, 64)
    let numbers = [61, 1, 33, 1, 0, 1, 0, 1]
    file.add(HandmadeHEIF.box("clap", numbers.flatMap { HandmadeHEIF.big($0, 4) }), to: 1)
    let ours = try Decoder.decode(file.bytes())
    #expect(ours.pixels.size == PixelSize(width: 61, height: 33) && ours.header.size == ours.pixels.size)
  }

  @Test func `tiles make one picture`() throws {
    var file = HandmadeHEIF()
    for (index, colour) in ([0xC02020, 0x20C020, 0x2020C0, 0xC0C020] as [UInt32]).enumerated() {
      let tile = try Self.tile(colour)
      if index == 0 { file.properties = tile.properties + [HandmadeHEIF.size(120, 100)] }
      file.items.append(.init(index + 2, "hvc1", tile.items[0].data, [1, 2]))
    }
    file.items.insert(.init(1, "grid", [0, 0, 1, 1, 0, 120, 0, 100], [3]), at: 0)
    file.references = [("dimg", 1, [2, 3, 4, 5])]
    let ours = try Decoder.decode(file.bytes())
    #expect(ours.pixels.size == PixelSize(width: 120, height: 100))
    Self.expect(ours.pixels, near: try Decoder.decode(try HEIFPrograms.decoded(file.bytes())).pixels)
    let small = try Thumbnail.make(file.bytes(), maxEdge: 12)
    #expect(small.pixels.size == PixelSize(width: 12, height: 10))
    for (place, part) in [(0, 16), (11, 8), (9 * 12, 0)].enumerated() where place < 3 {
      #expect(small.pixels.bytes[3 * part.0 + place] > 0x80)
    }
  }

  @Test func `an embedded picture serves thumbnails that are not larger`() throws {
    var file = try Self.tile(0x20C020, 128)
    let small = try Self.tile(0xC02020)
    file.properties += small.properties
    file.items.append(.init(2, "hvc1", small.items[0].data, [3, 4]))
    file.references = [("thmb", 2, [1])]
    let (tiny, larger) = (try Thumbnail.make(file.bytes(), maxEdge: 60), try Thumbnail.make(file.bytes(), maxEdge: 70))
    #expect(tiny.pixels.size.width == 60 && tiny.pixels.bytes[0] > 0x80)
    #expect(larger.pixels.size.width == 70 && larger.pixels.bytes[0] < 0x80)
  }

  @Test func `wide colours are shown as they are meant`() throws {
    let p3 = HandmadeProfile(primaries: HandmadeProfile.displayP3, curve: HandmadeProfile.screenCurve).bytes()
    for colr in [Array("prof".utf8) + p3, Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80]] {
      var file = try Self.tile(0xC8643C)
      file.add(HandmadeHEIF.box("colr", colr), to: 1)
      let ours = try Decoder.decode(file.bytes()).pixels
      Self.expect(ours, near: Pixels(width: 64, height: 64, colour: 0xD75D2F), within: 4)
    }
  }

  /// Computed apart from this: PQ and HLG of BT.2100, 203 cd/m2 for white paper, rolled off by BT.2390 for 1,000 cd/m2.
  private static let bright: [(transfer: Int, primaries: Int, coded: UInt32, shown: UInt32)] = [
    (16, 9, 0x30_30_30, 0x19_19_19), (16, 9, 0x80_80_80, 0xB5_B5_B5), (16, 9, 0x94_94_94, 0xE5_E5_E5),
    (16, 9, 0xC0_C0_C0, 0xFF_FF_FF), (16, 1, 0x90_60_50, 0xDD_5B_3F), (18, 9, 0x30_30_30, 0x2B_2B_2B),
    (18, 9, 0x80_80_80, 0x89_89_89), (18, 9, 0xC0_C0_C0, 0xE6_E6_E6), (18, 9, 0x90_60_50, 0xAF_5E_52),
  ]

  @Test(arguments: bright, [8, 10])
  func `high dynamic range is shown as bright as paper, and highlights are rolled off`(
    form: (transfer: Int, primaries: Int, coded: UInt32, shown: UInt32), bits: Int
  ) throws {
    let png = try Encoder.png(Pixels(width: 64, height: 64, colour: form.coded))
    var file = HandmadeHEIF(coded: try HEIFPrograms.file(png, "heic", ["-b", "\(bits)", "-q", "100"]), 64, 64)
    // A profile cannot say it, and is left alone.
    file.add(HandmadeHEIF.box("colr", Array("prof".utf8) + HandmadeProfile.swapped.bytes()), to: 1)
    let numbers: [UInt8] = [0, UInt8(form.primaries), 0, UInt8(form.transfer), 0, 6, 0x80]
    file.add(HandmadeHEIF.box("colr", Array("nclx".utf8) + numbers), to: 1)
    let ours = try Decoder.decode(file.bytes()).pixels
    // The coding rounds, and one step of PQ may be four of a screen's.
    Self.expect(ours, near: Pixels(width: 64, height: 64, colour: form.shown), within: 8)
  }

  @Test(arguments: [("heic", "hevc"), ("heic", "msf1"), ("avif", "avis")])
  func `a moving file is shown as its first picture, and says so`(ending: String, brand: String) throws {
    let still = try HEIFPrograms.file(Self.png(96, 64), ending)
    var moving = still
    moving.replaceSubrange(8..<12, with: Array(brand.utf8))
    // The track's own samples are not read.
    moving += HandmadeHEIF.box("moov", HandmadeHEIF.box("trak", [UInt8](repeating: 0xFF, count: 100)))
    let ours = try Decoder.decode(moving)
    #expect(try ours.pixels == Decoder.decode(still).pixels)
    #expect(ours.header.partsNotShown == ["all frames but the first"])
    #expect(
      ours.header.format.rawValue == ending
        && PictureFormat.named("a.\(ending.uppercased())S") == .some(ours.header.format))
    #expect(try PictureHeader.read(still).partsNotShown.isEmpty)
  }

  @Test func `parts that are not shown are named`() throws {
    var file = try Self.tile(0x808080)
    file.items.append(.init(2, "hvc1", file.items[0].data, [1, 2]))
    file.items.append(.init(3, "hvc1", file.items[0].data, [1, 2]))
    file.add(HandmadeHEIF.auxiliary("urn:mpeg:hevc:2015:auxid:2"), to: 2)
    file.add(HandmadeHEIF.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"), to: 3)
    file.references = [("auxl", 2, [1]), ("auxl", 3, [1])]
    #expect(try PictureHeader.read(file.bytes()).partsNotShown == ["an HDR gain map", "a depth map"])
    #expect(try Decoder.decode(file.bytes()).pixels.size == PixelSize(width: 64, height: 64))
  }

  @Test func `a packet of a panorama is found`() throws {
    var file = try Self.tile(0x808080)
    var facts = PanoramaFacts()
    (facts.projection, facts.headingDegrees) = ("equirectangular", 90)
    file.items.append(.init(2, "mime", XMPText.packet(facts)))
    file.references = [("cdsc", 2, [1])]
    let header = try PictureHeader.read(file.bytes())
    #expect(header.panorama?.isEquirectangular == true && header.panorama?.headingDegrees == 90)
  }

  @Test func `a copy as JPEG has the metadata that still hold`() throws {
    var file = try Self.tile(0x204080)
    file.add(HandmadeHEIF.box("irot", [1]), to: 1)
    let exif = HandmadeExif(orientation: 6, make: "Maker", taken: "2024:05:31 18:04:09").bytes()
    file.items.append(.init(2, "Exif", [0, 0, 0, 0] + exif))
    file.references = [("cdsc", 2, [1])]
    let bytes = file.bytes()
    let header = try PictureHeader.read(bytes)
    #expect(try UploadCopy.quality(of: header, asJPEG: true, nil, usual: 92) == 92)
    let jpeg = try Encoder.jpeg(try Decoder.decode(bytes).pixels, quality: 92)
    let read = try PictureHeader.read(try UploadCopy.describing(jpeg, as: bytes, withPlace: true))
    #expect(read.format == .jpeg && read.orientation == .upright && read.cameraMake == "Maker")
    #expect(read.captured == header.captured && header.captured != nil)
    for work in [{ try UploadCopy.quality(of: header, 60, usual: 90) as Any }, { try UploadCopy.withoutPlace(bytes) }] {
      let error = #expect(throws: ImageError.self) { _ = try work() }
      #expect(error?.kind == .unsupported && error?.remedy.contains("--jpeg") == true)
    }
  }
}
