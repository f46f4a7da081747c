internal import TextUI

/// A name in fewer columns: its middle goes, because beginnings and endings tell names apart.
enum ShortName {
  static func of(_ name: String, columns: Int) -> String {
    let bytes = Array(name.utf8)
    guard GlyphReader.columns(of: bytes[...]) > columns else { return name }
    let glyphs = Array(GlyphReader(bytes[...]))
    // A column is for the mark where something is missing.
    var room = max(0, columns - 1)
    var end = bytes.count
    var left = room / 2
    for glyph in glyphs.reversed() {
      guard glyph.width <= left else { break }
      left -= glyph.width
      room -= glyph.width
      end = glyph.range.lowerBound
    }
    var start = 0
    for glyph in glyphs {
      guard glyph.width <= room else { break }
      room -= glyph.width
      start = glyph.range.upperBound
    }
    return String(decoding: bytes[..<start] + [UInt8(ascii: "~")] + bytes[end...], as: UTF8.self)
  }
}
