/// Blocks that divide a cell, in two colours a cell (Unicode's block elements, and its symbols for legacy computing).
public enum Mosaic: Sendable, Hashable {
  case halves
  /// Two by two.
  case quadrants
  /// Two by three.
  case sextants

  /// Upper left, upper right, lower left, lower right are bits 0 to 3.
  private static let quadrantGlyphs: [UInt32] = [
    0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599,
    0x259F, 0x2588,
  ]

  /// The glyph whose filled parts are the set bits, by rows from the upper left.
  func glyph(_ bits: Int) -> UInt32 {
    switch self {
    case .halves: return [0x20, 0x2580, 0x2584, 0x2588][bits & 3]
    case .quadrants: return Self.quadrantGlyphs[bits & 15]
    case .sextants:
      // U+1FB00 and the following leave out the patterns of other blocks.
      switch bits & 63 {
      case 0: return 0x20
      case 21: return 0x258C
      case 42: return 0x2590
      case 63: return 0x2588
      case let bits: return 0x1FB00 + UInt32(bits - 1 - (bits > 21 ? 1 : 0) - (bits > 42 ? 1 : 0))
      }
    }
  }

  struct Block: Equatable {
    var glyph: UInt32
    /// 0xRRGGBB.
    var foreground: UInt32
    var background: UInt32
  }

  /// The two colours are the means of the parts below and above the middle of the channel that differs most.
  func block(_ colors: [SIMD4<Int32>]) -> Block {
    var (least, most) = (colors[0], colors[0])
    for color in colors {
      least = pointwiseMin(least, color)
      most = pointwiseMax(most, color)
    }
    let spread = most &- least
    let channel = (0..<3).max { spread[$0] < spread[$1] } ?? 0
    let middle = (least[channel] + most[channel]) / 2
    var bits = 0
    var (high, low) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
    var count: Int32 = 0
    for (place, color) in colors.enumerated() {
      if color[channel] > middle {
        bits |= 1 << place
        high &+= color
        count += 1
      } else {
        low &+= color
      }
    }
    let rest = Int32(colors.count) - count
    let background = Self.mean(low, rest)
    return Block(
      glyph: glyph(bits), foreground: count > 0 ? Self.mean(high, count) : background, background: background)
  }

  private static func mean(_ sum: SIMD4<Int32>, _ count: Int32) -> UInt32 {
    let mean = (sum &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: max(1, count))
    return UInt32(mean[0]) << 16 | UInt32(mean[1]) << 8 | UInt32(mean[2])
  }
}

extension HalfBlockPicture {
  /// Two by four pixels make a cell; halves take two rows as they are.
  public init(_ pixels: Pixels, in mosaic: Mosaic) {
    guard mosaic != .halves else {
      self.init(pixels)
      return
    }
    let (columns, rows) = ((pixels.width + 1) / 2, (pixels.height + 3) / 4)
    var blocks: [Mosaic.Block] = []
    blocks.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        func color(_ x: Int, _ y: Int) -> SIMD4<Int32> {
          let color = pixels[min(pixels.width - 1, 2 * column + x), min(pixels.height - 1, 4 * row + y)]
          return SIMD4(Int32(color >> 16 & 255), Int32(color >> 8 & 255), Int32(color & 255), 0)
        }
        func mixed(_ x: Int, _ first: Int, _ firstParts: Int32, _ second: Int, _ secondParts: Int32) -> SIMD4<Int32> {
          (color(x, first) &* firstParts &+ color(x, second) &* secondParts) / (firstParts + secondParts)
        }
        let colors =
          mosaic == .quadrants
          ? [mixed(0, 0, 1, 1, 1), mixed(1, 0, 1, 1, 1), mixed(0, 2, 1, 3, 1), mixed(1, 2, 1, 3, 1)]
          : [
            mixed(0, 0, 3, 1, 1), mixed(1, 0, 3, 1, 1), mixed(0, 1, 1, 2, 1), mixed(1, 1, 1, 2, 1),
            mixed(0, 3, 3, 2, 1), mixed(1, 3, 3, 2, 1),
          ]
        blocks.append(mosaic.block(colors))
      }
    }
    self.init(columns: columns, rows: rows, blocks: blocks)
  }
}

/// Shifts pixels by an ordered pattern before they become one of few colours, so that neighbours mix to the colours
/// between. Equal pixels at a place stay equal in each frame.
public enum Dither {
  /// Bayer's matrix of 4 by 4.
  private static let pattern: [Int32] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
  /// The basic colours of terminals lie about this far apart in a channel.
  private static let basic: Int32 = 96
  private static let greys = (XtermPalette.cube + (0..<24).map { 8 + 10 * $0 }).sorted()
  /// Colours whose channels differ less are greys, which are finer than the cube's steps.
  private static let leastColour = 17

  static let steps = 16

  /// Each of 0 to 15 once in 4 by 4 places.
  static func step(x: Int, y: Int) -> Int { Int(pattern[(y & 3) << 2 | (x & 3)]) }

  /// 0xRRGGBB of an entry of xterm's 256 colours beyond the basic ones. Their mean is the colour itself, or its grey.
  public static func entry(_ color: UInt32, x: Int, y: Int) -> UInt32 {
    let step = step(x: x, y: y)
    let (red, green, blue) = (Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255))
    if max(red, green, blue) - min(red, green, blue) < leastColour {
      return UInt32(level((red * 3 + green * 4 + blue * 2) / 9, of: greys, step)) * 0x01_0101
    }
    func channel(_ value: Int) -> UInt32 { UInt32(level(value, of: XtermPalette.cube, step)) }
    return channel(red) << 16 | channel(green) << 8 | channel(blue)
  }

  /// The level above or below a value, the nearer one at the more of the 16 steps.
  private static func level(_ value: Int, of levels: [Int], _ step: Int) -> Int {
    var above = 1
    while levels[above] < value { above += 1 }
    let (low, high) = (levels[above - 1], levels[above])
    return (value - low) * 2 * steps > (2 * step + 1) * (high - low) ? high : low
  }

  /// 0xRRGGBB, to be replaced by the nearest basic colour.
  public static func shifted(_ color: UInt32, x: Int, y: Int) -> UInt32 {
    let shift = Int32(2 * step(x: x, y: y) - 15) * basic / 32
    func channel(_ place: UInt32) -> UInt32 {
      UInt32(max(0, min(255, Int32(color >> place & 255) + shift))) << place
    }
    return channel(16) | channel(8) | channel(0)
  }
}
