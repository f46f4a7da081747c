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
  @Test(arguments: [0x8A7BB5, 0xB08D57, 0x505A64] as [UInt32])
  func `in 256 colours the neighbours of a flat area mix to its colour`(color: UInt32) {
    var (sums, used) = ([0, 0, 0], Set<UInt8>())
    for y in 0..<4 {
      for x in 0..<4 {
        let index = XtermPalette.index256(Dither.shifted(color, x: x, y: y, apart: Dither.cube))
        used.insert(index)
        for channel in 0..<3 { sums[channel] += Int(XtermPalette.colour(index) >> (16 - 8 * channel) & 255) }
      }
    }
    #expect(used.count > 1)
    for channel in 0..<3 {
      #expect(abs(sums[channel] / 16 - Int(color >> UInt32(16 - 8 * channel) & 255)) <= 20, "channel \(channel)")
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
