enum Palette {
  /// 0xRRGGBB by xterm's defaults; terminals differ here.
  private static let basic: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  /// 0xRRGGBB: 16 to 231 are a cube of six levels a channel, 232 to 255 are greys.
  static func rgb(of index: UInt8) -> UInt32 {
    if index < 16 { return basic[Int(index)] }
    if index >= 232 { return (UInt32(index - 232) * 10 + 8) * 0x01_0101 }
    let place = UInt32(index - 16)
    return level(place / 36) << 16 | level(place / 6 % 6) << 8 | level(place % 6)
  }

  private static func level(_ step: UInt32) -> UInt32 { step == 0 ? 0 : 55 + 40 * step }

  private static func step(_ value: UInt32) -> UInt32 { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }

  private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
    let red = Int(one >> 16 & 0xFF) - Int(other >> 16 & 0xFF)
    let green = Int(one >> 8 & 0xFF) - Int(other >> 8 & 0xFF)
    let blue = Int(one & 0xFF) - Int(other & 0xFF)
    // Eyes are most sensitive to green and least to blue.
    return 3 * red * red + 4 * green * green + 2 * blue * blue
  }

  /// In the cube or the greys, never one of the first 16, which users redefine.
  static func nearest(to rgb: UInt32) -> UInt8 {
    let (red, green, blue) = (rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF)
    let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
    let mean = (red * 3 + green * 4 + blue * 2) / 9
    let grey = UInt8(232 + (mean < 8 ? 0 : min(23, (mean - 3) / 10)))
    return distance(rgb, Self.rgb(of: grey)) < distance(rgb, Self.rgb(of: cube)) ? grey : cube
  }

  static func nearest(to rgb: UInt32, ofFirst count: Int) -> UInt8 {
    var best = (index: 0, distance: Int.max)
    for index in 0..<count {
      let distance = distance(rgb, basic[index])
      if distance < best.distance { best = (index, distance) }
    }
    return UInt8(best.index)
  }
}
