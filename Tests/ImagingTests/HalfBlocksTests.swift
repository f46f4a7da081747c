import Imaging
import TestKit
import Testing

@Suite struct HalfBlocksTests {
  @Test func `two rows of pixels make a row of cells`() {
    var pixels = Pixels(width: 2, height: 3)
    for index in 0..<6 { pixels[index % 2, index / 2] = UInt32(0x010203 * (index + 1)) }
    let cells = HalfBlockPicture(pixels, background: 0xABCDEF)
    #expect(cells.columns == 2 && cells.rows == 2)
    #expect(cells.tops == [0x010203, 0x020406, 0x05_0A0F, 0x06_0C12])
    #expect(cells.bottoms == [0x030609, 0x04_080C, 0xABCDEF, 0xABCDEF])
  }

  @Test(arguments: [
    (8000, 2000, 80, 24, CellRect(column: 0, row: 7, columns: 80, rows: 10)),
    (2000, 8000, 80, 24, CellRect(column: 34, row: 0, columns: 12, rows: 24)),
    (100, 100, 48, 24, CellRect(column: 0, row: 0, columns: 48, rows: 24)),
    (4, 2, 80, 10, CellRect(column: 20, row: 0, columns: 40, rows: 10)),
    (9000, 1, 10, 5, CellRect(column: 0, row: 2, columns: 10, rows: 1)),
    (1, 9000, 10, 5, CellRect(column: 4, row: 0, columns: 1, rows: 5)),
    (10, 10, 0, 5, CellRect(column: 0, row: 0, columns: 0, rows: 0)),
  ])
  func `a picture is letterboxed into cells twice as high as wide`(
    width: Int, height: Int, columns: Int, rows: Int, expected: CellRect
  ) throws {
    let size = PixelSize(width: width, height: height)
    #expect(HalfBlocks.letterbox(size, columns: columns, rows: rows) == expected)
    guard columns > 0 else { return }
    let cells = try HalfBlocks.picture(Pixels(width: width, height: height), columns: columns, rows: rows)
    #expect(cells.columns == expected.columns && cells.rows == expected.rows)
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
    #expect(AsciiRamp.character(luminance: -5) == UInt8(ascii: " "))
    #expect(AsciiRamp.character(luminance: 999) == UInt8(ascii: "@"))
    #expect(AsciiRamp.luminance(0xFFFFFF) == 255 && AsciiRamp.luminance(0) == 0)
    #expect(AsciiRamp.luminance(0x00FF00) > AsciiRamp.luminance(0xFF0000))
    let ramp = HalfBlockPicture(SamplePictures.gradient(1, 1)).characters()
    #expect(ramp.count == 1)
    var steps = Pixels(width: 10, height: 2)
    for x in 0..<10 { for y in 0..<2 { steps[x, y] = 0x1C1C1C * UInt32(x) } }
    #expect(HalfBlockPicture(steps).characters() == AsciiRamp.characters)
  }
}
