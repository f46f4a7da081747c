/// Brightness as characters, for light text on a dark screen.
public enum AsciiRamp {
  /// From dark to bright.
  public static let characters = Array(" .:-=+*#%@".utf8)

  /// Brightness of 0xRRGGBB, 0 to 255, with the weights of ITU-R BT.709.
  public static func luminance(_ colour: UInt32) -> Int {
    (Int(colour >> 16 & 255) * 54 + Int(colour >> 8 & 255) * 183 + Int(colour & 255) * 19 + 128) >> 8
  }

  /// The character for a brightness of 0 to 255; others are taken as the nearest.
  public static func character(luminance: Int) -> UInt8 {
    characters[min(255, max(0, luminance)) * characters.count / 256]
  }
}
