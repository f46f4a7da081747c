/// The colours of a terminal that has the palette of one of byteclub's themes, 0xRRGGBB.
public struct ThemeGround: Sendable {
  public let theme: String
  public let ground: UInt32
  public let ink: UInt32

  private init(_ theme: String, _ ground: UInt32, _ ink: UInt32) {
    (self.theme, self.ground, self.ink) = (theme, ground, ink)
  }

  /// As the palettes' own pages have them.
  public static let all = [
    ThemeGround("dracula", 0x282A36, 0xF8F8F2), ThemeGround("everforest", 0x2D353B, 0xD3C6AA),
    ThemeGround("github-light", 0xFFFFFF, 0x1F2328), ThemeGround("gruvbox", 0x282828, 0xEBDBB2),
    ThemeGround("gruvbox-light", 0xFBF1C7, 0x3C3836), ThemeGround("nord", 0x2E3440, 0xD8DEE9),
    ThemeGround("rose-pine", 0x191724, 0xE0DEF4), ThemeGround("tokyo-night", 0x1A1B26, 0xC0CAF5),
  ]
}

extension ThemeGround: CustomStringConvertible {
  public var description: String { theme }
}
