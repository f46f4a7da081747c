/// A picture for terminal cells: each cell shows two square pixels, one above the other (U+2580, the upper in the
/// foreground colour, the lower in the background colour). Colours are 0xRRGGBB.
public struct HalfBlockPicture: Sendable, Equatable {
  /// Cells across.
  public let columns: Int
  /// Cells down.
  public let rows: Int
  /// The upper pixel of each cell, row by row.
  public let tops: [UInt32]
  /// The lower pixel of each cell, row by row.
  public let bottoms: [UInt32]

  /// Two rows of pixels make a row of cells; a last odd row has `background` (0xRRGGBB) below it.
  public init(_ pixels: Pixels, background: UInt32 = 0) {
    columns = pixels.width
    rows = (pixels.height + 1) / 2
    let width = pixels.width
    func line(_ y: Int, into colours: inout [UInt32]) {
      guard y < pixels.height else {
        colours.append(contentsOf: repeatElement(background, count: width))
        return
      }
      pixels.bytes.withUnsafeBufferPointer { bytes in
        for at in stride(from: 3 * y * width, to: 3 * (y + 1) * width, by: 3) {
          colours.append(UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]))
        }
      }
    }
    var tops: [UInt32] = []
    var bottoms: [UInt32] = []
    tops.reserveCapacity(columns * rows)
    bottoms.reserveCapacity(columns * rows)
    for row in 0..<rows {
      line(2 * row, into: &tops)
      line(2 * row + 1, into: &bottoms)
    }
    (self.tops, self.bottoms) = (tops, bottoms)
  }

  /// The cells in the palette of 256 colours (see `XtermPalette.index256`).
  public func indices256() -> (tops: [UInt8], bottoms: [UInt8]) {
    (tops.map(XtermPalette.index256), bottoms.map(XtermPalette.index256))
  }

  /// The cells in the palette of 16 colours (see `XtermPalette.index16`).
  public func indices16() -> (tops: [UInt8], bottoms: [UInt8]) {
    (tops.map(XtermPalette.index16), bottoms.map(XtermPalette.index16))
  }

  /// For terminals without colour: one character of `AsciiRamp` a cell, row by row, by the mean of both pixels.
  public func characters() -> [UInt8] {
    zip(tops, bottoms).map { top, bottom in
      AsciiRamp.character(luminance: (AsciiRamp.luminance(top) + AsciiRamp.luminance(bottom) + 1) / 2)
    }
  }
}
