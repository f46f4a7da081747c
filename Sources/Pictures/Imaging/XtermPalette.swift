/// Palettes of xterm and compatible terminals, and the nearest entry for 0xRRGGBB.
public enum XtermPalette {
  /// Entries 16 to 231.
  static let cube: [Int] = [0, 95, 135, 175, 215, 255]

  /// xterm's defaults. Terminals change these at will.
  static let first16: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  public static func colour(_ index: UInt8) -> UInt32 {
    let index = Int(index)
    if index < 16 { return first16[index] }
    if index >= 232 {
      let grey = UInt32(8 + 10 * (index - 232))
      return grey << 16 | grey << 8 | grey
    }
    let (red, green, blue) = (cube[(index - 16) / 36], cube[(index - 16) / 6 % 6], cube[(index - 16) % 6])
    return UInt32(red << 16 | green << 8 | blue)
  }

  /// In the cube or the greys (16 to 255), which are the same everywhere; prefers the cube on ties.
  public static func index256(_ colour: UInt32) -> UInt8 {
    let (red, green, blue) = (Int(colour >> 16 & 255), Int(colour >> 8 & 255), Int(colour & 255))
    let (redStep, greenStep, blueStep) = (step(red), step(green), step(blue))
    let mean = (red + green + blue) / 3
    let greyStep = min(23, max(0, (mean - 3) / 10))
    let grey = 8 + 10 * greyStep
    let toCube = distance(red - cubeLevel(redStep), green - cubeLevel(greenStep), blue - cubeLevel(blueStep))
    let toGrey = distance(red - grey, green - grey, blue - grey)
    return UInt8(toGrey < toCube ? 232 + greyStep : 16 + 36 * redStep + 6 * greenStep + blueStep)
  }

  public static func index16(_ colour: UInt32) -> UInt8 {
    let (red, green, blue) = (Int(colour >> 16 & 255), Int(colour >> 8 & 255), Int(colour & 255))
    var best = 0
    var nearest = Int.max
    for index in 0..<16 {
      let entry = first16[index]
      let away = distance(red - Int(entry >> 16 & 255), green - Int(entry >> 8 & 255), blue - Int(entry & 255))
      if away < nearest { (best, nearest) = (index, away) }
    }
    return UInt8(best)
  }

  private static func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }

  private static func cubeLevel(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }

  private static func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    red * red + green * green + blue * blue
  }
}
