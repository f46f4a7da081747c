/// Text as it would be drawn: with controls, and what is not seen, spelled out.
public enum ShownText {
  /// The text in at most so many columns; what does not fit is left out.
  public static func of(_ text: String, columns: Int = .max) -> String {
    var shown = String.UnicodeScalarView()
    var room = columns
    for glyph in GlyphReader(Array(text.utf8)[...]) {
      guard glyph.width <= room else { break }
      room -= glyph.width
      shown += glyph.scalars
    }
    return String(shown)
  }
}
