extension Canvas {
  /// Writes one line of text as `text` does, the glyphs that begin in some places of it with more attributes. A text that
  /// is too long is cut so that these places are seen: at its beginning as well, when they are further on.
  public mutating func text(
    _ bytes: ArraySlice<UInt8>, x: Int, y: Int, style: Style = .plain, width: Int,
    places: [Range<Int>], with attributes: Style.Attributes
  ) {
    guard !places.isEmpty else {
      text(bytes, x: x, y: y, style: style, width: width)
      return
    }
    let limit = min(width, size.width - x)
    let skipped = Self.columnsToSkip(bytes, showing: places, in: limit)
    var used = 0
    var column = 0
    if skipped > 0 { used = text("~", x: x, y: y, style: style) }
    var reader = GlyphReader(bytes)
    while let glyph = reader.next() {
      defer { column += glyph.width }
      guard column >= skipped else { continue }
      let place = glyph.range.lowerBound - bytes.startIndex
      let isInPlace = places.contains { $0.contains(place) }
      if used + glyph.width > limit || used + glyph.width == limit && glyph.range.upperBound < bytes.endIndex {
        text("~", x: x + max(0, limit - 1), y: y, style: style)
        return
      }
      used += self.glyph(glyph, x: x + used, y: y, style: isInPlace ? style.with(attributes) : style)
    }
  }

  /// How many columns of a text go at its beginning, so that some places of it are seen in so many columns: all of them,
  /// or else the first.
  private static func columnsToSkip(_ bytes: ArraySlice<UInt8>, showing places: [Range<Int>], in limit: Int) -> Int {
    var (total, first, last) = (0, Int.max, 0)
    for glyph in GlyphReader(bytes) {
      let place = glyph.range.lowerBound - bytes.startIndex
      if places.contains(where: { $0.contains(place) }) {
        first = min(first, total)
        last = total + glyph.width
      }
      total += glyph.width
    }
    // A column at each cut is for the mark.
    guard total > limit, last > limit - 1, limit > 2 else { return 0 }
    let context = 3
    let end = min(total, last + context)
    let room = limit - (end < total ? 2 : 1)
    return max(0, min(end - room, first))
  }
}
