/// A colour as the screens ask for it; a terminal shows the nearest that it has.
public struct Color: Hashable, Sendable {
  /// 0 the terminal's own; 0x01_0000NN palette entry NN; 0x02_RRGGBB.
  public let code: UInt32

  private init(code: UInt32) { self.code = code }

  /// The terminal's own foreground or background.
  public static let standard = Color(code: 0)
  /// An entry of xterm's palette; 0 to 7 are the basic colours, 8 to 15 the bright ones.
  public static func palette(_ index: UInt8) -> Color { Color(code: 0x0100_0000 | UInt32(index)) }
  /// 24-bit colour, 0xRRGGBB.
  public static func rgb(_ value: UInt32) -> Color { Color(code: 0x0200_0000 | (value & 0xFF_FFFF)) }

  /// The palette entry, when it is one.
  public var paletteIndex: UInt8? { code >> 24 == 1 ? UInt8(code & 0xFF) : nil }
  /// 0xRRGGBB, when it is 24-bit.
  public var rgbValue: UInt32? { code >> 24 == 2 ? code & 0xFF_FFFF : nil }
}

/// How a cell looks.
public struct Style: Hashable, Sendable {
  /// Bits that every terminal can show in some way.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Brighter or heavier.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter.
    public static let dim = Attributes(rawValue: 2)
    /// Foreground and background change places.
    public static let reverse = Attributes(rawValue: 4)
    /// A line below.
    public static let underline = Attributes(rawValue: 8)
  }

  /// Of the glyph.
  public var foreground: Color
  /// Behind it.
  public var background: Color
  /// The rest.
  public var attributes: Attributes

  /// Makes a style.
  public init(_ attributes: Attributes = [], foreground: Color = .standard, background: Color = .standard) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// As cells are compared: without a call.
  @inlinable
  public static func == (left: Style, right: Style) -> Bool {
    left.foreground.code == right.foreground.code && left.background.code == right.background.code
      && left.attributes.rawValue == right.attributes.rawValue
  }

  /// The terminal's own look.
  public static let plain = Style()
  /// Heavier.
  public static let bold = Style(.bold)
  /// Fainter.
  public static let dim = Style(.dim)
  /// Selected.
  public static let reverse = Style(.reverse)

  /// As terminals are told: in reverse nothing is faint, so that a selected line is one bar.
  public var shown: Style {
    guard attributes.contains(.reverse) else { return self }
    var style = self
    style.attributes.remove(.dim)
    return style
  }

  /// This and more attributes.
  public func with(_ more: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(more)
    return style
  }
}
