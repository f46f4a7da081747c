@testable import Imaging
import TestKit
import Testing

/// A GIF is shown as its first frame.
@Suite struct GIFTests {
  private static let colours: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
  private static let grey: UInt32 = 0x808080

  private func quarters(_ width: Int, _ height: Int) -> HandmadeGIF.Frame {
    HandmadeGIF.Frame(width: width, height: height) { x, y in (2 * x / width) + 2 * (2 * y / height) }
  }

  private func file(_ frames: [HandmadeGIF.Frame], width: Int, height: Int) -> HandmadeGIF {
    HandmadeGIF(width: width, height: height, colours: Self.colours, frames: frames)
  }

  @Test(arguments: [(40, 30), (1, 1), (7, 9), (9, 3), (300, 2)], [true, false])
  func `each pixel has its colour, interlaced or not`(size: (Int, Int), isInterlaced: Bool) throws {
    var frame = HandmadeGIF.Frame(width: size.0, height: size.1) { x, y in (x + 3 * y) % 4 }
    frame.isInterlaced = isInterlaced
    let bytes = file([frame], width: size.0, height: size.1).bytes()
    let picture = try Decoder.decode(bytes)
    #expect(!picture.isDamaged && picture.header.format == .gif && !picture.header.isMoving)
    #expect(picture.header.isProgressive == isInterlaced && picture.pixels.size == picture.header.size)
    for y in 0..<size.1 {
      for x in 0..<size.0 { #expect(picture.pixels[x, y] == Self.colours[(x + 3 * y) % 4], "\(x), \(y)") }
    }
    #expect(kind { () throws(ImageError) in try Decoder.check(input(bytes)) } == nil)
  }

  @Test func `of an animation the first frame is shown, and said to be the only one`() throws {
    var second = quarters(40, 30)
    second.pixel = { _, _ in 2 }
    let moving = try Decoder.decode(file([quarters(40, 30), second], width: 40, height: 30).bytes())
    let still = try Decoder.decode(file([quarters(40, 30)], width: 40, height: 30).bytes())
    #expect(moving.pixels == still.pixels)
    #expect(moving.header.partsNotShown == ["all frames but the first"] && still.header.partsNotShown.isEmpty)
  }

  @Test func `the first frame lies in its place, over the background where nothing is`() throws {
    var frame = HandmadeGIF.Frame(left: 5, top: 3, width: 4, height: 2) { _, _ in 0 }
    frame.control = (1, 1)
    frame.pixel = { x, _ in x == 0 ? 1 : 0 }
    for isInterlaced in [true, false] {
      frame.isInterlaced = isInterlaced
      let picture = try Decoder.decode(file([frame], width: 12, height: 8).bytes())
      #expect(picture.header.size == PixelSize(width: 12, height: 8) && picture.header.hasAlpha)
      for (x, y, colour) in [
        (0, 0, Self.grey), (11, 7, Self.grey), (5, 3, Self.grey), (6, 3, 0xFF0000), (8, 4, 0xFF0000),
        (9, 4, Self.grey), (6, 5, Self.grey),
      ] { #expect(picture.pixels[x, y] == colour, "\(x), \(y)") }
    }
    // Without the flag, no colour is see-through.
    frame.control = (0, 1)
    #expect(try Decoder.decode(file([frame], width: 12, height: 8).bytes()).pixels[5, 3] == 0x00FF00)
  }

  @Test(arguments: [(0, 0), (3, 2), (10, 2)])
  func `a canvas that is smaller than its first frame grows`(width: Int, height: Int) throws {
    let frame = HandmadeGIF.Frame(left: 1, top: 2, width: 8, height: 4) { _, _ in 3 }
    let picture = try Decoder.decode(file([frame], width: width, height: height).bytes())
    #expect(picture.pixels.size == PixelSize(width: max(9, width), height: 6))
    #expect(picture.pixels[8, 5] == 0xFFFFFF && picture.pixels[0, 0] == Self.grey)
  }

  @Test func `a frame's own colours count, a picture without any is damaged, and a missing one is black`() throws {
    var frame = quarters(4, 4)
    frame.colours = [0x111111, 0x222222, 0x333333, 0x444444]
    #expect(try Decoder.decode(file([frame], width: 4, height: 4).bytes()).pixels[3, 3] == 0x444444)
    var bare = HandmadeGIF(width: 4, height: 4, frames: [quarters(4, 4)])
    #expect(kind { () throws(ImageError) in try Decoder.decode(bare.bytes()) } == .corrupt)
    bare.colours = [0xAABBCC, 0xDDEEFF]
    #expect(try Decoder.decode(bare.bytes()).pixels[3, 3] == 0)
  }

  @Test func `comments, a loop's length and other blocks before the frame are passed over`() throws {
    var gif = file([quarters(8, 8)], width: 8, height: 8)
    let comment = HandmadeGIF.block(0xFE, Array(repeating: Array(repeating: 0x2C, count: 255), count: 2000))
    gif.blocks =
      comment + HandmadeGIF.block(0xFF, [Array("NETSCAPE2.0".utf8), [1, 0, 0]]) + HandmadeGIF.block(0xCE, [])
    let file = gif.bytes()
    #expect(file.count > PictureHeader.usualPrefix)
    #expect(try Decoder.check(input(file)).size == PixelSize(width: 8, height: 8))
    gif.blocks = Array(repeatElement(comment, count: 40).joined())
    #expect(kind { () throws(ImageError) in try Decoder.check(input(gif.bytes())) } == .corrupt)
  }

  @Test func `a thumbnail is made of the first frame, row by row`() throws {
    let bytes = file([quarters(400, 200)], width: 400, height: 200).bytes()
    let limits = PictureLimits(maxMemoryBytes: 3 * 40 * 20)
    let small = try Thumbnail.make(bytes, maxEdge: 40, limits: limits).pixels
    #expect(small.size == PixelSize(width: 40, height: 20) && small[2, 2] == 0xFF0000 && small[38, 18] == 0xFFFFFF)
    var interlaced = quarters(400, 200)
    interlaced.isInterlaced = true
    let whole = file([interlaced], width: 400, height: 200).bytes()
    #expect(kind { () throws(ImageError) in try Thumbnail.make(whole, maxEdge: 40, limits: limits) } == .memory)
    #expect(try Thumbnail.make(whole, maxEdge: 40).pixels == small)
  }

  @Test func `a copy of a GIF is refused in words, and its size before any memory is taken`() throws {
    let bytes = file([quarters(8, 8)], width: 8, height: 8).bytes()
    let header = try PictureHeader.read(bytes)
    #expect(kind { () throws(ImageError) in try UploadCopy.quality(of: header, nil, usual: 90) } == .unsupported)
    #expect(kind { () throws(ImageError) in try UploadCopy.withoutPlace(bytes) } == .unsupported)
    let huge = file([HandmadeGIF.Frame(width: 8, height: 8)], width: 65_535, height: 65_535).bytes()
    #expect(kind { () throws(ImageError) in try Thumbnail.make(huge, maxEdge: 8) } == .tooLarge)
  }

  @Test func `codes beyond the table, sizes of zero and no frame at all are damage`() throws {
    let whole = file([quarters(8, 8)], width: 8, height: 8).bytes()
    // Behind the screen, the colours and the descriptor, a piece's length comes before the first code.
    let start = 13 + 12 + 10
    #expect(whole[start] == 2)
    for codes in [[0xFF, 0xFF, 0xFF], [0b0011_1100, 0, 0], [0b0010_1100, 0, 0], [0, 0, 0]] as [[UInt8]] {
      var file = whole
      file.replaceSubrange((start + 2)..<(start + 5), with: codes)
      let end = kind { () throws(ImageError) in try Decoder.check(input(file)) }
      #expect(end == .corrupt || end == nil && codes == [0, 0, 0])
    }
    for code in [0, 9, 12, 255] as [UInt8] {
      var file = whole
      file[start] = code
      #expect((try? Decoder.decode(file))?.pixels.size != PixelSize(width: 0, height: 0))
    }
    var flat = whole
    flat.replaceSubrange((start - 5)..<(start - 1), with: [0, 0, 8, 0])
    #expect(kind { () throws(ImageError) in try PictureHeader.read(flat) } == .corrupt)
    #expect(kind { () throws(ImageError) in try PictureHeader.read(Array(whole[..<25]) + [0x3B]) } == .corrupt)
    #expect(kind { () throws(ImageError) in try PictureHeader.read(Array(whole[..<25])) } == .corrupt)
  }
}
