/// A terminal shows the nearest colour that it has.
public struct Color: Hashable, Sendable {
  /// 0 is the terminal's default, 0x01_0000NN palette entry NN, 0x02_RRGGBB a 24-bit colour, 0xNN_RRGGBB with NN from
  /// 16 a 24-bit colour shown as entry NN in 256 colours.
  public let code: UInt32

  private init(code: UInt32) { self.code = code }

  public static let standard = Color(code: 0)
  /// xterm's palette: 0 to 7 are the basic colours, 8 to 15 the bright ones.
  public static func palette(_ index: UInt8) -> Color { Color(code: 0x0100_0000 | UInt32(index)) }
  /// 0xRRGGBB.
  public static func rgb(_ value: UInt32) -> Color { Color(code: 0x0200_0000 | (value & 0xFF_FFFF)) }

  /// 0xRRGGBB, replaced by entry 16 to 255 of xterm's palette in 256 colours.
  public static func rgb(_ value: UInt32, palette index: UInt8) -> Color {
    Color(code: UInt32(max(16, index)) << 24 | (value & 0xFF_FFFF))
  }

  public var paletteIndex: UInt8? { code >> 24 == 1 ? UInt8(code & 0xFF) : nil }
  /// 0xRRGGBB; nil for other colours.
  public var rgbValue: UInt32? { code >> 24 >= 2 ? code & 0xFF_FFFF : nil }
  /// The palette entry in 256 colours; nil for the nearest.
  public var replacement: UInt8? { code >> 24 >= 16 ? UInt8(code >> 24) : nil }
}

public struct Style: Hashable, Sendable {
  /// Every terminal shows these in some way.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let reverse = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let italic = Attributes(rawValue: 16)
    /// Shown with 24-bit colours only.
    public static let strikethrough = Attributes(rawValue: 32)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public init(_ attributes: Attributes = [], foreground: Color = .standard, background: Color = .standard) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Inlinable: cells compare styles by the hundred.
  @inlinable
  public static func == (left: Style, right: Style) -> Bool {
    left.foreground.code == right.foreground.code && left.background.code == right.background.code
      && left.attributes.rawValue == right.attributes.rawValue
  }

  public static let plain = Style()
  public static let bold = Style(.bold)
  public static let dim = Style(.dim)
  public static let reverse = Style(.reverse)

  /// Two pixels in a cell, 0xRRGGBB: the upper one in the foreground.
  public static func pixels(_ top: UInt32, over bottom: UInt32) -> Style {
    Style(foreground: .rgb(top), background: .rgb(bottom))
  }

  /// As sent to terminals: reverse drops dim and basic colours, which makes a selected line one even bar.
  public var shown: Style {
    guard attributes.contains(.reverse) else { return self }
    var style = self
    style.attributes.remove(.dim)
    if style.foreground.paletteIndex != nil { style.foreground = .standard }
    return style
  }

  public func with(_ more: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(more)
    return style
  }
}
