import Imaging
import Synchronization
import TestKit
import Testing

/// The bytes of a picture in memory, as a decoder asks for them.
func input(_ bytes: [UInt8]) -> PictureInput { PictureInput(count: bytes.count) { copy(bytes, to: $0, from: $1) } }

private func copy(_ bytes: [UInt8], to target: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
  let part = bytes[min(offset, bytes.count)..<min(bytes.count, offset + target.count)]
  target.copyBytes(from: part)
  return part.count
}

@Suite struct `A picture read in pieces` {
  private func kind(_ file: [UInt8], _ limits: PictureLimits = PictureLimits()) -> ImageError.Kind? {
    do throws(ImageError) {
      _ = try Decoder.check(input(file), limits: limits)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `is never asked for more than a piece, and not for what lies behind it`() throws {
    let pixels = SamplePictures.checkerboard(900, 700, square: 1)
    for file in [
      try Encoder.jpeg(pixels, quality: 95), try Encoder.png(pixels, level: 0), try Encoder.webP(pixels, quality: 100),
    ] {
      let whole = file + [UInt8](repeating: 0, count: 8 << 20)
      let most = Mutex((piece: 0, end: 0))
      let header = try Decoder.check(
        PictureInput(count: whole.count) { target, offset in
          most.withLock { $0 = (max($0.piece, target.count), max($0.end, offset + target.count)) }
          return copy(whole, to: target, from: offset)
        })
      #expect(header.size == pixels.size)
      let (piece, end) = most.withLock { $0 }
      #expect(piece <= PictureHeader.usualPrefix && end <= file.count + PictureHeader.usualPrefix)
    }
  }

  @Test func `that is broken at its beginning is not read to its end to find that out`() throws {
    let size = HandmadeJPEG.segment(0xC0, [8] + big(8, 2) + big(8, 2) + [1, 1, 0x11, 0])
    let heads: [[UInt8]] = [
      Array(HandmadeJPEG(segments: size + size).bytes()), [0xFF, 0xD8, 0xFF, 0xE0, 0, 1],
      [0xFF, 0xD8] + [UInt8](repeating: 0, count: 70_000),
    ]
    for head in heads {
      let whole = head + [UInt8](repeating: 0, count: 4 << 20)
      let end = Mutex(0)
      let broken = PictureInput(count: whole.count) { target, offset in
        end.withLock { $0 = max($0, offset + target.count) }
        return copy(whole, to: target, from: offset)
      }
      #expect(throws: ImageError.self) { try Decoder.check(broken) }
      #expect(end.withLock { $0 } <= PictureHeader.usualPrefix)
    }
    // Nothing but notes, for ever: that is looked at up to a limit.
    let note = HandmadeJPEG.segment(0xFE, [UInt8](repeating: 1, count: 65_000))
    var notes: [UInt8] = [0xFF, 0xD8]
    for _ in 0..<300 { notes += note }
    let file = notes
    let end = Mutex(0)
    let endless = PictureInput(count: file.count) { target, offset in
      end.withLock { $0 = max($0, offset + target.count) }
      return copy(file, to: target, from: offset)
    }
    #expect(throws: ImageError.self) { try Decoder.check(endless) }
    #expect(end.withLock { $0 } <= 64 * PictureHeader.usualPrefix)
  }

  @Test func `may have a long way to its size, and to its first scan`() throws {
    let notes = (0..<9).flatMap { HandmadeJPEG.segment(0xFE, [UInt8](repeating: $0, count: 65_000)) }
    let file = HandmadeJPEG(segments: notes).bytes()
    #expect(try Decoder.check(input(file)).size == PixelSize(width: 8, height: 8))
    // Whether it has a scan for each colour shows behind its size: that it needs more memory then must be known.
    let whole = HandmadeJPEG(width: 64, height: 64, values: [1, 2, 3], hasScanEach: true).bytes()
    let tables = try #require(whole.indices.dropLast().first { whole[$0] == 0xFF && whole[$0 + 1] == 0xC4 })
    let far = Array(whole[..<tables]) + notes + Array(whole[tables...])
    for file in [whole, far] {
      #expect(kind(file) == nil)
      #expect(kind(file, PictureLimits(maxMemoryBytes: 20_000)) == .memory)
    }
  }

  @Test func `has its scans counted across the borders of pieces`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(16, 16), quality: 80, isProgressive: true)
    let first = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }.count
    for place in (65_535 - 2)...(65_535 + 2) {
      let note = HandmadeJPEG.segment(0xFE, [UInt8](repeating: 0, count: place - first - 4))
      let moved = Array(file[..<2]) + note + Array(file[2...])
      #expect(moved[place] == 0xFF && moved[place + 1] == 0xDA)
      #expect(kind(moved, PictureLimits(maxScans: scans)) == nil)
      #expect(kind(moved, PictureLimits(maxScans: scans - 1)) == .tooLarge)
    }
  }

  @Test func `that cannot be read to its end looks cut`() throws {
    var noise = UInt64(1)
    var pixels = Pixels(width: 400, height: 400)
    for y in 0..<400 {
      for x in 0..<400 {
        noise = noise &* 6_364_136_223_846_793_005 &+ 1
        pixels[x, y] = UInt32(noise >> 40)
      }
    }
    for file in [
      try Encoder.jpeg(pixels, quality: 95), try Encoder.png(pixels), try Encoder.webP(pixels, quality: nil),
    ] {
      try #require(file.count > 128 * 1024)
      let broken = PictureInput(count: file.count) { target, offset in
        offset > 0 && offset + target.count > file.count / 2 ? 0 : copy(file, to: target, from: offset)
      }
      #expect(throws: ImageError.self) { try Decoder.check(broken) }
    }
  }

  @Test func `of one scan is left when the caller loses interest, in the middle`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(64, 2000), quality: 80)
    var asked = 0
    #expect(throws: ImageError(.cancelled, "Reading the picture was cancelled.")) {
      try Decoder.decode(file) {
        asked += 1
        return asked > 20
      }
    }
    #expect(asked == 21)
  }
}
