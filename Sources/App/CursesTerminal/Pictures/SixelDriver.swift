internal import TextUI

/// DEC's sixels (VT340, xterm's `ctlseqs`): the pixels of a part for each change.
struct SixelDriver: PictureDriver {
  private var shown: Set<PicturePart> = []
  private var writer = SixelWriter()

  var isInCells: Bool { true }

  mutating func show(_ parts: [PicturePart], _ frame: PictureFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts where !shown.contains(part) {
      var extent = part.extent(frame.cell)
      // Sixels on the last row scroll the screen.
      if part.cells.y + part.cells.height == frame.size.height {
        extent.height = min(extent.height, (part.cells.height - 1) * frame.cell.height)
      }
      guard extent.height > 0, let whole = frame.pixels(of: part) else { continue }
      bytes.append(moveTo: Point(part.cells.x, part.cells.y))
      writer.write(part.pixels(of: whole, extent: extent), into: &bytes)
    }
    shown = Set(parts)
    return bytes
  }

  mutating func forget() { shown = [] }
}

/// Writes pixels in 252 fixed colours (6 of red, 7 of green, 6 of blue), dithered by an ordered pattern, so that equal
/// pixels at a place are equal in each frame.
struct SixelWriter {
  private static let levels = (red: 6, green: 7, blue: 6)
  /// A Bayer matrix of 8 by 8.
  private static let pattern: [Int] = (0..<64).map { place in
    let (x, y) = (place & 7, place >> 3)
    var value = 0
    for bit in 0..<3 {
      let (right, down) = (x >> bit & 1, y >> bit & 1)
      value = value << 2 | (right ^ down) << 1 | down
    }
    return value
  }

  /// For each channel, place in the pattern, and value: the colour's part.
  private let red: [UInt8]
  private let green: [UInt8]
  private let blue: [UInt8]
  /// The six bits of each column, for each colour of a band of six rows.
  private var bits: [UInt8] = []
  private var colors: [UInt8] = []
  /// The columns that a colour uses; empty if none.
  private var spans: [Range<Int>] = []

  init() {
    func table(_ levels: Int, _ factor: Int) -> [UInt8] {
      (0..<64).flatMap { place in
        (0..<256).map { value in
          // Half of the distance between two levels keeps the pattern fine.
          let shift = (Self.pattern[place] * 2 - 63) * 255 / (levels - 1) / 128
          let level = ((value + shift).clamped(0, 255) * (levels - 1) + 127) / 255
          return UInt8(level * factor)
        }
      }
    }
    let levels = Self.levels
    red = table(levels.red, levels.green * levels.blue)
    green = table(levels.green, levels.blue)
    blue = table(levels.blue, 1)
  }

  /// 0 to 100, as sixels count.
  static func color(_ index: Int) -> (red: Int, green: Int, blue: Int) {
    (
      index / (levels.green * levels.blue) * 100 / (levels.red - 1),
      index / levels.blue % levels.green * 100 / (levels.green - 1), index % levels.blue * 100 / (levels.blue - 1)
    )
  }

  mutating func write(_ pixels: PicturePixels, into bytes: inout [UInt8]) {
    let (width, height) = (pixels.width, pixels.height)
    // Square pixels; those without a colour stay as they are.
    bytes.append("\u{1B}P0;1q\"1;1;\(width);\(height)")
    for index in 0..<252 {
      let color = Self.color(index)
      bytes.append("#\(index);2;\(color.red);\(color.green);\(color.blue)")
    }
    if bits.count != 252 * width { bits = [UInt8](repeating: 0, count: 252 * width) }
    colors = [UInt8](repeating: 0, count: width)
    for top in stride(from: 0, to: height, by: 6) {
      spans = [Range<Int>](repeating: 0..<0, count: 252)
      for y in top..<min(height, top + 6) { take(pixels, y, bit: UInt8(1) << UInt8(y - top)) }
      writeBand(width, into: &bytes)
    }
    bytes.append("\u{1B}\\")
  }

  private mutating func take(_ pixels: PicturePixels, _ y: Int, bit: UInt8) {
    let width = pixels.width
    let (red, green, blue) = (red, green, blue)
    pixels.bytes.withUnsafeBufferPointer { source in
      red.withUnsafeBufferPointer { red in
        green.withUnsafeBufferPointer { green in
          blue.withUnsafeBufferPointer { blue in
            colors.withUnsafeMutableBufferPointer { colors in
              for x in 0..<width {
                let table = ((y & 7) << 3 | (x & 7)) << 8
                let at = 3 * (y * width + x)
                colors[x] =
                  red[table | Int(source[at])] &+ green[table | Int(source[at + 1])]
                  &+ blue[table | Int(source[at + 2])]
              }
            }
          }
        }
      }
    }
    bits.withUnsafeMutableBufferPointer { bits in
      spans.withUnsafeMutableBufferPointer { spans in
        for x in 0..<width {
          let color = Int(colors[x])
          bits[color * width + x] |= bit
          let span = spans[color]
          spans[color] = span.isEmpty ? x..<(x + 1) : min(span.lowerBound, x)..<max(span.upperBound, x + 1)
        }
      }
    }
  }

  /// Writes and clears the bits.
  private mutating func writeBand(_ width: Int, into bytes: inout [UInt8]) {
    bits.withUnsafeMutableBufferPointer { bits in
      for color in 0..<252 where !spans[color].isEmpty {
        let span = spans[color]
        bytes.append(UInt8(ascii: "#"))
        Self.append(color, to: &bytes)
        Self.append(run: span.lowerBound, of: 0, to: &bytes)
        var x = span.lowerBound
        while x < span.upperBound {
          let value = bits[color * width + x]
          var end = x
          while end < span.upperBound, bits[color * width + end] == value {
            bits[color * width + end] = 0
            end += 1
          }
          Self.append(run: end - x, of: value, to: &bytes)
          x = end
        }
        // Back to the first column.
        bytes.append(UInt8(ascii: "$"))
      }
    }
    bytes.append(UInt8(ascii: "-"))
  }

  private static func append(run count: Int, of value: UInt8, to bytes: inout [UInt8]) {
    guard count > 0 else { return }
    if count > 3 {
      bytes.append(UInt8(ascii: "!"))
      append(count, to: &bytes)
      bytes.append(value + 0x3F)
    } else {
      for _ in 0..<count { bytes.append(value + 0x3F) }
    }
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &bytes) }
    bytes.append(UInt8(0x30 + number % 10))
  }
}

extension Int {
  fileprivate func clamped(_ low: Int, _ high: Int) -> Int { Swift.min(high, Swift.max(low, self)) }
}
