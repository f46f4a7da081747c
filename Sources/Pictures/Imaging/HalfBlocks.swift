/// Terminal cells are twice as high as wide.
public enum HalfBlocks {
  public static func pixels(columns: Int, rows: Int) -> PixelSize { PixelSize(width: columns, height: 2 * rows) }

  /// The largest picture of its own shape that fits into the cells; at least one cell.
  /// - Throws: only `cancelled`.
  public static func picture(
    _ pixels: Pixels, columns: Int, rows: Int, isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> HalfBlockPicture {
    let size = pixels.size.scaled(toFit: self.pixels(columns: max(1, columns), rows: max(1, rows)))
    return HalfBlockPicture(try Resampler.resize(pixels, to: size, isCancelled: isCancelled))
  }
}

/// Each cell shows two square pixels, one above the other (U+2580: the upper in the foreground colour, the lower in the
/// background colour); colours are 0xRRGGBB.
public struct HalfBlockPicture: Sendable, Equatable {
  public let columns: Int
  public let rows: Int
  public let tops: [UInt32]
  public let bottoms: [UInt32]
  /// Those of finer blocks, the top's colour before the bottom's; empty for half-blocks.
  public private(set) var glyphs: [UInt32] = []

  init(columns: Int, rows: Int, blocks: [Mosaic.Block]) {
    (self.columns, self.rows) = (columns, rows)
    tops = blocks.map(\.foreground)
    bottoms = blocks.map(\.background)
    glyphs = blocks.map(\.glyph)
  }

  /// Two rows make a row of cells; an odd last row fills both halves of its cells.
  public init(_ pixels: Pixels) {
    columns = pixels.width
    rows = (pixels.height + 1) / 2
    let width = pixels.width
    func line(_ y: Int, into colours: inout [UInt32]) {
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
      line(min(2 * row + 1, pixels.height - 1), into: &bottoms)
    }
    (self.tops, self.bottoms) = (tops, bottoms)
  }

  public func indices256() -> (tops: [UInt8], bottoms: [UInt8]) {
    (tops.map(XtermPalette.index256), bottoms.map(XtermPalette.index256))
  }

  public func indices16() -> (tops: [UInt8], bottoms: [UInt8]) {
    (tops.map(XtermPalette.index16), bottoms.map(XtermPalette.index16))
  }

  /// One character of `AsciiRamp` a cell, by the mean of both pixels, dithered.
  public func characters() -> [UInt8] {
    tops.indices.map { index in
      let luminance = (AsciiRamp.luminance(tops[index]) + AsciiRamp.luminance(bottoms[index]) + 1) / 2
      return AsciiRamp.character(luminance: luminance, x: index % columns, y: index / columns)
    }
  }
}

public enum AsciiRamp {
  public static let characters = Array(" .:-=+*#%@".utf8)

  /// 0 to 255, of 0xRRGGBB, with the weights of ITU-R BT.709.
  public static func luminance(_ colour: UInt32) -> Int {
    (Int(colour >> 16 & 255) * 54 + Int(colour >> 8 & 255) * 183 + Int(colour & 255) * 19 + 128) >> 8
  }

  /// For 0 to 255. Between two characters' brightness, neighbouring places take one or the other.
  public static func character(luminance: Int, x: Int, y: Int) -> UInt8 {
    let parts = 2 * Dither.steps
    let level = (luminance * (characters.count - 1) * parts / 255 + 2 * Dither.step(x: x, y: y) + 1) / parts
    return characters[level]
  }
}
