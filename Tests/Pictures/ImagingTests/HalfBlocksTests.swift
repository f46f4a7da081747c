import Imaging
import TestKit
import Testing

@Suite struct HalfBlocksTests {
  @Test func `two rows of pixels make a row of cells`() {
    var pixels = Pixels(width: 2, height: 3)
    for index in 0..<6 { pixels[index % 2, index / 2] = UInt32(0x010203 * (index + 1)) }
    let cells = HalfBlockPicture(pixels)
    #expect(cells.columns == 2 && cells.rows == 2)
    #expect(cells.tops == [0x010203, 0x020406, 0x05_0A0F, 0x06_0C12])
    #expect(cells.bottoms == [0x030609, 0x04_080C, 0x05_0A0F, 0x06_0C12])
  }

  @Test(arguments: [
    (8000, 2000, 80, 24, 80, 10),
    (2000, 8000, 80, 24, 12, 24),
    (100, 100, 48, 24, 48, 24),
    (4, 2, 80, 10, 40, 10),
    (9000, 1, 10, 5, 10, 1),
    (1, 9000, 10, 5, 1, 5),
  ])
  func `a picture keeps its shape in cells twice as high as wide`(
    width: Int, height: Int, columns: Int, rows: Int, across: Int, down: Int
  ) throws {
    let cells = try HalfBlocks.picture(Pixels(width: width, height: height), columns: columns, rows: rows)
    #expect(cells.columns == across && cells.rows == down)
    #expect(cells.tops.count == cells.columns * cells.rows && cells.bottoms.count == cells.tops.count)
  }

  @Test func `every entry of the cube and the greys is its own nearest, or another of the same colour`() {
    for index in UInt8(16)...255 {
      let colour = XtermPalette.colour(index)
      #expect(XtermPalette.colour(XtermPalette.index256(colour)) == colour)
    }
    for index in UInt8(0)..<16 { #expect(XtermPalette.index16(XtermPalette.colour(index)) == index) }
  }

  @Test func `the nearest of 256 is nearly as near as any`() {
    func distance(_ one: UInt32, _ other: UInt32) -> Int {
      [16, 8, 0].reduce(0) { sum, shift in
        let apart = Int(one >> shift & 255) - Int(other >> shift & 255)
        return sum + apart * apart
      }
    }
    var numbers = SeededNumbers(11)
    for _ in 0..<3000 {
      let colour = UInt32.random(in: 0...0xFFFFFF, using: &numbers)
      let best = (UInt8(16)...255).reduce(Int.max) { min($0, distance(XtermPalette.colour($1), colour)) }
      #expect(distance(XtermPalette.colour(XtermPalette.index256(colour)), colour) <= best + 40)
    }
  }

  @Test(
    arguments: [
      (0x000000, 16, 0), (0xFFFFFF, 231, 15), (0xFF0000, 196, 9), (0x808080, 244, 8), (0x5F87AF, 67, 8),
      (0x080808, 232, 0), (0x00CD00, 40, 2), (0x0000D0, 20, 4),
    ] as [(UInt32, UInt8, UInt8)])
  func `known colours have known entries`(colour: UInt32, in256: UInt8, in16: UInt8) {
    #expect(XtermPalette.index256(colour) == in256)
    #expect(XtermPalette.index16(colour) == in16)
    let cells = HalfBlockPicture(Pixels(width: 1, height: 2, colour: colour))
    #expect(cells.indices256() == ([in256], [in256]))
    #expect(cells.indices16() == ([in16], [in16]))
  }

  @Test func `without colour brightness becomes characters`() {
    #expect(AsciiRamp.luminance(0xFFFFFF) == 255 && AsciiRamp.luminance(0) == 0)
    #expect(AsciiRamp.luminance(0x00FF00) > AsciiRamp.luminance(0xFF0000))
    let ramp = HalfBlockPicture(SamplePictures.gradient(1, 1)).characters()
    #expect(ramp.count == 1)
  }

  @Test func `the characters of an even grey are as bright as it in the mean, and at most two neighbours`() {
    for grey in UInt32(0)...255 {
      let cells = HalfBlockPicture(Pixels(width: 8, height: 8, colour: grey << 16 | grey << 8 | grey))
      let levels = cells.characters().compactMap { AsciiRamp.characters.firstIndex(of: $0) }
      let mean = Double(levels.reduce(0, +)) / Double(levels.count)
      #expect(abs(mean - Double(grey) * 9 / 255) <= 1 / 16, "grey \(grey)")
      #expect(Set(levels).count <= 2 && (levels.max() ?? 0) - (levels.min() ?? 0) <= 1)
    }
  }
}
