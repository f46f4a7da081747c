@testable import Imaging
import TestKit
import Testing

/// Animations are shown as their first frame.
@Suite struct MovingPictureTests {
  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(body.count, 4).reversed() + body + [UInt8](repeating: 0, count: body.count % 2)
  }

  /// A still's image without its container, at an even place.
  private func frame(_ still: [UInt8], _ size: (width: Int, height: Int), x: Int = 0, y: Int = 0) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { big(value, 3).reversed() }
    let head = little(x / 2) + little(y / 2) + little(size.width - 1) + little(size.height - 1) + little(100) + [0]
    return chunk("ANMF", head + still[12...])
  }

  private func file(_ frames: [[UInt8]], width: Int, height: Int, extra: [UInt8] = []) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { big(value, 3).reversed() }
    var body = Array("WEBP".utf8) + chunk("VP8X", [0x02, 0, 0, 0] + little(width - 1) + little(height - 1))
    body += extra + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + Array(frames.joined())
    body += chunk("EXIF", HandmadeExif(orientation: 6).bytes())
    return Array("RIFF".utf8) + big(body.count, 4).reversed() + body
  }

  private let second = Pixels(width: 64, height: 48, colour: 0x0AC80A)

  @Test(arguments: [nil, 90])
  func `a WebP's first frame is the picture`(quality: Int?) throws {
    let pixels = SamplePictures.quarters(64, 48)
    let still = try Encoder.webP(pixels, quality: quality)
    let frames = [frame(still, (64, 48)), frame(try Encoder.webP(second, quality: nil), (64, 48))]
    let moving = file(frames, width: 64, height: 48)
    let picture = try Decoder.decode(moving)
    #expect(!picture.isDamaged && picture.header.orientation == .quarterRight)
    #expect(try picture.pixels == Decoder.decode(still).pixels.oriented(.quarterRight))
    #expect(try Thumbnail.make(moving, maxEdge: 16).pixels.size == PixelSize(width: 12, height: 16))
    // In pieces, the metadata behind the frames are not read.
    #expect(try Decoder.check(input(moving)).storedSize == pixels.size)
    let swapped = chunk("ICCP", HandmadeProfile.swapped.bytes())
    let green = try Decoder.decode(file(frames, width: 64, height: 48, extra: swapped)).pixels
    #expect(green[40, 5] >> 8 & 255 > 0xF0 && green[40, 5] >> 16 < 0x10)
  }

  @Test func `a first frame that is a part lies over the background`() throws {
    let still = try Encoder.webP(Pixels(width: 20, height: 10, colour: 0xFF0000), quality: nil)
    let moving = file([frame(still, (20, 10), x: 4, y: 30)], width: 64, height: 48)
    let pixels = try Decoder.decode(moving).pixels.oriented(.quarterLeft)
    var expected = Pixels(width: 64, height: 48, colour: Decoder.background)
    expected.paste(Pixels(width: 20, height: 10, colour: 0xFF0000), x: 4, y: 30)
    #expect(pixels == expected)
    let small = try Decoder.decode(moving, atLeast: PixelSize(width: 12, height: 16)).pixels.oriented(.quarterLeft)
    #expect(small.size == PixelSize(width: 16, height: 12))
    #expect(small[3, 8] == 0xFF0000 && small[10, 8] == Decoder.background && small[3, 3] == Decoder.background)
  }

  @Test func `a WebP whose first frame lies or is missing is damaged`() throws {
    let still = try Encoder.webP(Pixels(width: 20, height: 10), quality: nil)
    for frames in [
      [], [frame(still, (20, 11))], [frame(still, (20, 10), x: 46)], [frame(still, (20, 10), y: 40)],
      [frame(still, (16_384, 16_384))], [frame(Array(still.prefix(20)), (20, 10))],
    ] {
      let moving = file(frames, width: 64, height: 48)
      #expect(kind { () throws(ImageError) in try Decoder.decode(moving) } == .corrupt)
      #expect(kind { () throws(ImageError) in try Decoder.check(input(moving)) } == .corrupt)
    }
  }

  @Test func `an animation that is cut or changed anywhere gives a picture or an error`() throws {
    let pixels = SamplePictures.gradient(24, 16)
    let frames = [try Encoder.webP(pixels, quality: nil), try Encoder.webP(pixels, quality: 80)]
    for still in frames {
      let moving = file([frame(still, (24, 16))], width: 30, height: 20)
      func tryAll(_ file: [UInt8]) {
        do throws(ImageError) {
          let picture = try Decoder.decode(file, limits: PictureLimits(maxPixels: 1_000_000))
          #expect(picture.pixels.size == picture.header.size)
        } catch {
          #expect(error.message.hasSuffix("."))
        }
        _ = try? UploadCopy.withoutPlace(file)
      }
      for length in 0..<moving.count { tryAll(Array(moving.prefix(length))) }
      var numbers = SeededNumbers(9)
      for _ in 0..<2000 {
        var changed = moving
        for _ in 0...numbers.below(3) { changed[numbers.below(changed.count)] = UInt8(numbers.below(256)) }
        tryAll(changed)
      }
    }
  }

  @Test func `a smaller copy of an animation is refused, one without the place moves`() throws {
    let still = try Encoder.webP(second, quality: nil)
    let moving = file([frame(still, (64, 48)), frame(still, (64, 48))], width: 64, height: 48)
    var png = HandmadePNG(width: 4, height: 4)
    png.chunks = [("acTL", big(2, 4) + big(0, 4))]
    for file in [moving, png.bytes()] {
      let header = try PictureHeader.read(file)
      #expect(kind { () throws(ImageError) in try UploadCopy.quality(of: header, nil, usual: 90) } == .unsupported)
    }
    let copy = try UploadCopy.withoutPlace(moving)
    #expect(try PictureHeader.read(copy).isMoving)
    #expect(try Decoder.decode(copy).pixels == Decoder.decode(moving).pixels)
  }

  @Test(
    arguments: [
      ([], "", []), ([0xE2], "MPF\0II", ["further pictures"]), ([0xE2], "MPFX", []),
      ([0xE2], "ICC_PROFILE\0\u{1}\u{1}", []),
      ([0xE1], "http://ns.adobe.com/xap/1.0/\0<x GCamera:MotionPhoto='1'/>", ["the film of a motion photo"]),
      ([0xE1], "http://ns.adobe.com/xap/1.0/\0<x GCamera:MotionPhoto='0'/>", []),
      (
        [0xE1], "http://ns.adobe.com/xap/1.0/\0<x xmlns:c='http://ns.google.com/photos/1.0/camera/' c:MicroVideo='1'/>",
        ["the film of a motion photo"]
      ),
      ([0xE1], "http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version='1.0'/>", ["an HDR gain map"]),
    ] as [([UInt8], String, [String])])
  func `a photo's further parts are named, and its first picture is shown`(
    marker: [UInt8], body: String, parts: [String]
  ) throws {
    let pixels = SamplePictures.quarters(64, 48)
    let plain = try Encoder.jpeg(pixels, quality: 90)
    let segments = marker.flatMap { HandmadeJPEG.segment($0, Array(body.utf8)) }
    let photo = insert(segments, into: plain) + (try Encoder.jpeg(second, quality: 90)) + Array("ftypmp42".utf8)
    #expect(try PictureHeader.read(photo).partsNotShown == parts)
    #expect(try Decoder.decode(photo).pixels == Decoder.decode(plain).pixels)
    #expect(kind { () throws(ImageError) in try Decoder.check(input(photo)) } == nil)
  }

  @Test func `the parts that an animation, a gain map in a list, and Samsung's trailer hide are named`() throws {
    let still = try Encoder.webP(second, quality: nil)
    let moving = file([frame(still, (64, 48))], width: 64, height: 48)
    #expect(try PictureHeader.read(moving).partsNotShown == ["all frames but the first"])
    let both =
      HandmadeJPEG.segment(0xE2, Array("MPF\0".utf8)) + xmpSegment("<x hdrgm:Version='1.0' GCamera:MotionPhoto='1'/>")
    let jpeg = try Encoder.jpeg(second, quality: 90)
    #expect(
      try PictureHeader.read(insert(both, into: jpeg)).partsNotShown
        == ["the film of a motion photo", "an HDR gain map"])
    func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }
    let directory =
      Array("SEFH".utf8) + little(1, 4) + little(1, 4) + little(0, 2) + little(0x0A30, 2) + little(3, 4) + little(3, 4)
    let trailer = [1, 2, 3] + directory + little(directory.count, 4) + Array("SEFT".utf8)
    #expect(try PictureHeader.read(jpeg + trailer).partsNotShown == ["the film of a motion photo"])
  }

  private static let camera = "xmlns:c='http://ns.google.com/photos/1.0/camera/'"
  private static let container =
    "xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/'"

  @Test(
    arguments: [
      ("<x \(camera) c:MicroVideo='1' c:MicroVideoOffset='123456'/>", 123_456),
      (
        "<x c:MotionPhoto='1' \(camera) \(container)><C:Item I:Mime='image/jpeg' I:Semantic='Primary' I:Length='0'/>"
          + "<C:Item I:Mime='image/jpeg' I:Semantic='GainMap' I:Length='777'/>"
          + "<C:Item I:Mime='video/mp4' I:Semantic='MotionPhoto' I:Length='3456789'/></x>", 3_456_789
      ),
      (
        // In another order, as elements, and without the first one's length.
        "<x c:MotionPhoto='1' \(camera) \(container)><C:Item><I:Semantic>Primary</I:Semantic></C:Item><C:Item>"
          + "<I:Length>42</I:Length><I:Semantic>MotionPhoto</I:Semantic></C:Item></x>", 42
      ),
      ("<x \(camera) c:MicroVideo='1' c:MicroVideoOffset='-5'/>", nil),
      ("<x c:MotionPhoto='1' \(camera) \(container)><C:Item I:Semantic='MotionPhoto' I:Length='9e99'/></x>", nil),
      ("<x c:MotionPhoto='1' \(camera) \(container) I:Semantic='MotionPhoto' I:Length='7'/>", nil),
    ] as [(String, Int?)])
  func `the film's length is that of its item, or of the older mark`(packet: String, bytes: Int?) throws {
    let header = try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes())
    #expect(header.hasFilm && header.filmBytes == bytes)
  }

  @Test func `Samsung's trailer says the film's length, and one that lies gives none below zero`() throws {
    func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }
    let jpeg = try Encoder.jpeg(second, quality: 90)
    let name = Array("MotionPhoto_Data".utf8)
    let block = little(0, 2) + little(0x0A30, 2) + little(name.count, 4) + name + [UInt8](repeating: 7, count: 500)
    func trailer(back: Int, length: Int) -> [UInt8] {
      let entry = little(0, 2) + little(0x0A30, 2) + little(back, 4) + little(length, 4)
      let directory = Array("SEFH".utf8) + little(106, 4) + little(1, 4) + entry
      return block + directory + little(directory.count, 4) + Array("SEFT".utf8)
    }
    let film = try PictureHeader.read(jpeg + trailer(back: block.count, length: block.count))
    #expect(film.hasFilm && film.filmBytes == 500)
    for (back, length) in [(0xFFFF_FFFF, 9), (0, 0), (block.count, 3)] {
      let lies = try PictureHeader.read(jpeg + trailer(back: back, length: length))
      #expect(lies.hasFilm && (lies.filmBytes ?? 0) == (back > 1_000_000 ? 1 : 0))
    }
  }
}
