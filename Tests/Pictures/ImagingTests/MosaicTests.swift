import Imaging
import TestKit
import Testing

@Suite struct MosaicTests {
  /// A disc of 6 by 3 cells.
  private static var disc: Pixels {
    var pixels = Pixels(width: 12, height: 12)
    for y in 0..<12 {
      for x in 0..<12 {
        let (right, down) = (2 * x - 11, 2 * y - 11)
        if right * right + down * down < 121 { pixels[x, y] = 0xFFFFFF }
      }
    }
    return pixels
  }

  private func text(_ picture: HalfBlockPicture) -> [String] {
    (0..<picture.rows).map { row in
      String(
        String.UnicodeScalarView(
          (0..<picture.columns).compactMap { Unicode.Scalar(picture.glyphs[row * picture.columns + $0]) }))
    }
  }

  @Test func `a disc in quadrants and in sextants`() {
    #expect(text(HalfBlockPicture(Self.disc, in: .quadrants)) == ["▗▄▄▄▄▖", "▐    ▌", "▝▀▀▀▀▘"])
    #expect(text(HalfBlockPicture(Self.disc, in: .sextants)).count == 3)
    #expect(HalfBlockPicture(Self.disc, in: .halves).glyphs.isEmpty)
  }

  @Test("Two colours in a cell are kept exactly", arguments: 0..<64)
  func exact(_ bits: Int) {
    // The sextants of a cell, in rows that 2 by 4 pixels hold exactly: the middle row is doubled.
    var pixels = Pixels(width: 2, height: 4, colour: 0x204060)
    for (y, row) in [0, 1, 1, 2].enumerated() {
      for x in 0..<2 where bits >> (2 * row + x) & 1 == 1 { pixels[x, y] = 0xE0C0A0 }
    }
    let picture = HalfBlockPicture(pixels, in: .sextants)
    #expect(picture.columns == 1 && picture.rows == 1)
    let glyph = picture.glyphs[0]
    #expect(
      glyph == 0x20 || glyph == 0x2588 || glyph == 0x258C || glyph == 0x2590 || (0x1FB00...0x1FB3B).contains(glyph))
    if bits == 0 { #expect(glyph == 0x20 && picture.bottoms == [0x204060]) }
  }
}

@Suite struct DitherTests {
  /// The mean of an area of a colour, and the number of entries that it is made of.
  private static func mean(_ color: UInt32, _ entry: (UInt32, Int, Int) -> UInt32) -> (channels: [Int], used: Int) {
    var (sums, used) = ([0, 0, 0], Set<UInt32>())
    for y in 0..<4 {
      for x in 0..<4 {
        let shown = entry(color, x, y)
        used.insert(shown)
        for channel in 0..<3 { sums[channel] += Int(shown >> (16 - 8 * UInt32(channel)) & 255) }
      }
    }
    return (sums.map { $0 / 16 }, used.count)
  }

  private static func channels(_ color: UInt32) -> [Int] { [16, 8, 0].map { Int(color >> $0 & 255) } }

  private static func farthest(_ one: [Int], _ other: [Int]) -> Int { zip(one, other).map { abs($0 - $1) }.max() ?? 0 }

  @Test(arguments: [0x8A7BB5, 0xB08D57, 0x506A44, 0x201008] as [UInt32])
  func `in 256 colours the neighbours of a flat area mix to its colour`(color: UInt32) {
    let mean = Self.mean(color) { Dither.entry($0, x: $1, y: $2) }
    #expect(mean.used > 1)
    #expect(Self.farthest(mean.channels, Self.channels(color)) <= 4)
  }

  @Test func `an area's mean is within a step of its colour, in 256 colours and in 16`() {
    var numbers = SeededNumbers(12)
    for round in 0..<2_000 {
      var color = UInt32.random(in: 0...0xFFFFFF, using: &numbers)
      // Dark colours, of which the cube has few, and those near the greys.
      if round % 3 == 1 { color &= 0x3F3F3F }
      if round % 3 == 2 { color = (color & 0xFF) * 0x01_0101 ^ (color >> 8 & 0x07_0707) }
      let in256 = Self.mean(color) { Dither.entry($0, x: $1, y: $2) }
      #expect(Self.farthest(in256.channels, Self.channels(color)) < 20)
      let in16 = Self.mean(color) { XtermPalette.colour(XtermPalette.index16(Dither.shifted($0, x: $1, y: $2))) }
      #expect(Self.farthest(in16.channels, Self.channels(color)) < 128)
    }
  }

  @Test func `in 256 colours every pixel is an entry itself, the same in each frame and 4 pixels on`() {
    var numbers = SeededNumbers(13)
    for _ in 0..<2_000 {
      let color = UInt32.random(in: 0...0xFFFFFF, using: &numbers)
      let (x, y) = (Int.random(in: 0..<400, using: &numbers), Int.random(in: 0..<200, using: &numbers))
      let entry = Dither.entry(color, x: x, y: y)
      #expect(XtermPalette.colour(XtermPalette.index256(entry)) == entry)
      #expect(entry == Dither.entry(color, x: x, y: y) && entry == Dither.entry(color, x: x + 4, y: y + 4))
    }
    for entry in UInt8(16)...255 {
      let color = XtermPalette.colour(entry)
      #expect((0..<16).allSatisfy { Dither.entry(color, x: $0 & 3, y: $0 >> 2) == color }, "entry \(entry)")
    }
  }

  @Test func `the pattern keeps the mean, and each place its shift`() {
    var sum = 0
    for y in 0..<4 {
      for x in 0..<4 {
        let shifted = Dither.shifted(0x808080, x: x, y: y)
        #expect(shifted == Dither.shifted(0x808080, x: x + 4, y: y + 8))
        sum += Int(shifted & 255)
      }
    }
    #expect(abs(sum / 16 - 0x80) <= 1)
    #expect(Dither.shifted(0, x: 0, y: 0) == 0 && Dither.shifted(0xFFFFFF, x: 3, y: 0) == 0xFFFFFF)
  }
}
