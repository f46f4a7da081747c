internal import TextUI

/// The colours of a picture, 0xRRGGBB.
enum PictureColour {
  /// The terminal's own colours, as many members have them.
  static let ground: UInt32 = 0x1A1B26
  static let ink: UInt32 = 0xDDE1F0

  private static let basic: [UInt32] = [
    0x15161E, 0xF7768E, 0x9ECE6A, 0xE0AF68, 0x7AA2F7, 0xBB9AF7, 0x7DCFFF, 0xA9B1D6,
    0x565B73, 0xFF8FA3, 0xB4F08A, 0xFFD08A, 0x9DBDFF, 0xD5BCFF, 0xA4E4FF, 0xFFFFFF,
  ]

  static func foreground(_ style: Style) -> UInt32 {
    style.attributes.contains(.reverse) ? value(style.background) ?? ground : value(style.foreground) ?? ink
  }

  /// Nil shows the window's own background.
  static func background(_ style: Style) -> UInt32? {
    style.attributes.contains(.reverse) ? value(style.foreground) ?? ink : value(style.background)
  }

  /// Nil is the terminal's default.
  private static func value(_ color: Color) -> UInt32? {
    if let rgb = color.rgbValue { return rgb }
    guard let index = color.paletteIndex.map(Int.init) else { return nil }
    if index < 16 { return basic[index] }
    if index >= 232 { return UInt32(8 + 10 * (index - 232)) * 0x01_0101 }
    return [36, 6, 1].reduce(0) { colour, part in
      let step = (index - 16) / part % 6
      return colour << 8 | UInt32(step == 0 ? 0 : 55 + 40 * step)
    }
  }
}

extension UInt32 {
  /// The colour in the shortest spelling, such as `#1af` or `#1a2b3c`.
  var hex: String {
    let digits = String(self, radix: 16)
    let six = Array(String(repeating: "0", count: 6 - digits.count) + digits)
    let isShort = six[0] == six[1] && six[2] == six[3] && six[4] == six[5]
    return "#" + String(isShort ? [six[0], six[2], six[4]] : six)
  }

  /// The nearest colour with fewer bits in each part.
  func reduced(to bits: UInt32) -> UInt32 {
    guard bits < 8 else { return self }
    let most: UInt32 = (1 << bits) - 1
    return [16, 8, 0].reduce(0) { colour, shift in
      let part = self >> shift & 0xFF
      return colour | (((part * most + 127) / 255 * 255 + most / 2) / most) << shift
    }
  }
}

/// A glyph that fills halves of its cell.
enum PictureBlock {
  case upper, lower, full

  init?(_ base: UInt32) {
    switch base {
    case 0x2580: self = .upper
    case 0x2584: self = .lower
    case 0x2588: self = .full
    default: return nil
    }
  }
}

/// A box-drawing glyph of thin lines, from the middle of its cell.
struct PictureRule {
  let left: Bool
  let right: Bool
  let up: Bool
  let down: Bool

  init?(_ base: UInt32) {
    // Left, right, up, down, from the highest bit.
    let lines: [UInt32: UInt8] = [
      0x2500: 0b1100, 0x2502: 0b0011, 0x250C: 0b0101, 0x2510: 0b1001, 0x2514: 0b0110, 0x2518: 0b1010, 0x251C: 0b0111,
      0x2524: 0b1011, 0x252C: 0b1101, 0x2534: 0b1110, 0x253C: 0b1111, 0x256D: 0b0101, 0x256E: 0b1001, 0x256F: 0b1010,
      0x2570: 0b0110,
    ]
    guard let bits = lines[base] else { return nil }
    (left, right, up, down) = (bits & 8 != 0, bits & 4 != 0, bits & 2 != 0, bits & 1 != 0)
  }
}

/// Paths of one colour each, in the order in which the colours appear.
private struct PicturePaths {
  private var order: [UInt32] = []
  private var paths: [UInt32: String] = [:]

  mutating func add(_ path: String, _ colour: UInt32) {
    if paths[colour] == nil { order.append(colour) }
    paths[colour, default: ""] += path
  }

  var elements: [String] { order.map { "<path stroke=\"\($0.hex)\" d=\"\(paths[$0] ?? "")\"/>" } }
}

extension ScreenPicture {
  /// Backgrounds and half blocks: strokes one half cell high. Only half blocks of 24-bit colour lose bits.
  func blocks(bits: UInt32) -> [String] { Self.blocks(grid.size) { filling($0, $1, bits: bits) } }

  /// `colour` of a column and a half row; nil leaves it as it is.
  static func blocks(_ size: Size, _ colour: (Int, Int) -> UInt32?) -> [String] {
    let filling = colour
    var paths = PicturePaths()
    for half in 0..<(size.height * 2) {
      var (start, colour): (Int, UInt32?) = (0, nil)
      for x in 0...size.width {
        let next = x < size.width ? filling(x, half) : nil
        guard next != colour else { continue }
        if let colour { paths.add("M\(start) \(half)h\(x - start)", colour) }
        (start, colour) = (x, next)
      }
    }
    let scale = "scale(\(Self.cell.width) \(Self.cell.height / 2)) translate(0 .5)"
    return ["<g transform=\"\(scale)\" shape-rendering=\"crispEdges\">"] + paths.elements + ["</g>"]
  }

  /// The colour that fills a half of a cell; nil for the window's background.
  func filling(_ x: Int, _ half: Int, bits: UInt32) -> UInt32? {
    let cell = grid[x, half / 2]
    // The right half of a wide glyph looks like its left half.
    let style = cell.width == 0 && x > 0 ? grid[x - 1, half / 2].style : cell.style
    guard let block = PictureBlock(cell.base) else { return PictureColour.background(style) }
    let isFront = block == .full || (block == .upper) == (half % 2 == 0)
    let colour = isFront ? PictureColour.foreground(style) : PictureColour.background(style)
    return colour?.reduced(to: style.foreground.rgbValue == nil ? 8 : bits)
  }

  /// Box-drawing glyphs as lines, which join at any size of the font.
  func rules() -> [String] {
    var paths = PicturePaths()
    let (width, height) = (Self.cell.width, Self.cell.height)
    for y in 0..<grid.size.height {
      let middle = y * height + height / 2
      var (start, end, colour): (Int, Int, UInt32) = (0, 0, 0)
      func flush() {
        if end > start { paths.add("M\(start) \(middle)H\(end)", colour) }
      }
      for x in 0..<grid.size.width {
        guard let rule = PictureRule(grid[x, y].base) else { continue }
        let (own, centre) = (PictureColour.foreground(grid[x, y].style), x * width + width / 2)
        if rule.up || rule.down {
          let (top, bottom) = (rule.up ? y * height : middle, rule.down ? (y + 1) * height : middle)
          paths.add("M\(centre) \(top)V\(bottom)", own)
        }
        guard rule.left || rule.right else { continue }
        let from = rule.left ? x * width : centre
        if from != end || own != colour || end == start {
          flush()
          (start, colour) = (from, own)
        }
        end = rule.right ? (x + 1) * width : centre
      }
      flush()
    }
    return paths.elements
  }
}
