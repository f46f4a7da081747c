extension Canvas {
  /// Writes the glyphs of one wrapped row from the left border on, each in the style of its first byte's index; cut
  /// at the right border.
  mutating func row(_ bytes: [UInt8], y: Int, tabWidth: Int, style: (Int) -> Style) {
    var reader = GlyphReader(bytes[...], tabWidth: tabWidth)
    var x = 0
    while x < size.width, let glyph = reader.next() {
      x += self.glyph(glyph, x: x, y: y, style: style(glyph.range.lowerBound))
    }
  }
}
