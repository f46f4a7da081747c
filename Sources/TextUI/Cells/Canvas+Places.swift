extension Canvas {
  /// Writes one line of text as `text` does, the glyphs that begin in some places of it with more attributes.
  public mutating func text(
    _ bytes: ArraySlice<UInt8>, x: Int, y: Int, style: Style = .plain, width: Int,
    places: [Range<Int>], with attributes: Style.Attributes
  ) {
    guard !places.isEmpty else {
      text(bytes, x: x, y: y, style: style, width: width)
      return
    }
    let limit = min(width, size.width - x)
    var used = 0
    var reader = GlyphReader(bytes)
    while let glyph = reader.next() {
      let place = glyph.range.lowerBound - bytes.startIndex
      let isInPlace = places.contains { $0.contains(place) }
      if used + glyph.width > limit || used + glyph.width == limit && glyph.range.upperBound < bytes.endIndex {
        text("~", x: x + max(0, limit - 1), y: y, style: style)
        return
      }
      used += self.glyph(glyph, x: x + used, y: y, style: isInPlace ? style.with(attributes) : style)
    }
  }
}
