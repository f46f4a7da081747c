import Imaging

/// Letters for the four directions, on the horizon of a picture of all directions whose middle is north.
enum DemoCompass {
  /// Five columns and seven rows each, the left column in the highest bit.
  private static let letters: [(letter: [UInt8], heading: Double)] = [
    ([0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001], 0),
    ([0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111], 90),
    ([0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110], 180),
    ([0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001], 270),
  ]

  /// Draws the letters.
  static func draw(on pixels: inout Pixels, horizon: Double) {
    let dot = max(2, pixels.height / 110)
    let top = Int(Double(pixels.height) * horizon) - 4 * dot
    for (letter, heading) in letters {
      let middle = Int(Double(pixels.width) * (0.5 + heading / 360))
      for (row, bits) in letter.enumerated() {
        for column in 0..<5 where bits >> UInt8(4 - column) & 1 == 1 {
          // South lies where the picture closes: half of it at each side.
          let x = (middle + (column - 2) * dot - dot / 2 + pixels.width) % pixels.width
          let square = Pixels(width: dot, height: dot, colour: 0xFFFFFF)
          pixels.paste(square, x: x, y: top + row * dot)
          if x + dot > pixels.width { pixels.paste(square, x: x - pixels.width, y: top + row * dot) }
        }
      }
    }
  }
}
