/// The contrast of two colours by WCAG 2, from 1 to 21; colours are 0xRRGGBB.
public enum Contrast {
  public static func ratio(_ one: UInt32, _ other: UInt32) -> Double {
    let (high, low) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
  }

  private static func luminance(_ rgb: UInt32) -> Double {
    func channel(_ shift: UInt32) -> Double {
      let value = Double(rgb >> shift & 0xFF) / 255
      // WCAG's curve, with x^2.4 as the square times the fifth root of the square.
      return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
    }
    return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
  }

  private static func power(_ value: Double) -> Double {
    let square = value * value
    // Newton's steps for the fifth root.
    var root = square.squareRoot()
    for _ in 0..<40 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
    return square * root
  }
}
