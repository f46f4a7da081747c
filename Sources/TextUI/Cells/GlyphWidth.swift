internal import CWidth

/// How many columns a character takes: what the C library says, because ncurses, which moves the cursor, asks it,
/// too. A newer table of our own would disagree with it and shift cells.
public enum GlyphWidth {
  /// 1 or 2; 0 for combining marks; -1 for what the C library does not know.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? -1 : 1 }
    return Int(cw_columns(scalar.value))
  }

  /// Whether it joins the glyph before it.
  public static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: columns(of: scalar) == 0
    default: false
    }
  }

  /// Whether it would not be seen, or would change how others are seen: format characters, line and paragraph
  /// separators, fillers.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator, .control, .surrogate: true
    default: [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800].contains(scalar.value)
    }
  }
}
