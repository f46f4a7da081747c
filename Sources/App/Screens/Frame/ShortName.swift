internal import TextUI

/// The middle goes, because beginnings and extensions distinguish names.
enum ShortName {
  static func of(_ name: String, columns: Int) -> String {
    String(decoding: of(Array(name.utf8)[...], columns: columns), as: UTF8.self)
  }

  static func of(_ name: ArraySlice<UInt8>, columns: Int) -> ArraySlice<UInt8> {
    guard GlyphReader.columns(of: name) > columns else { return name }
    let bytes = Array(name)
    let glyphs = Array(GlyphReader(bytes[...]))
    // One column is for the mark of the gap.
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
    return (bytes[..<start] + [UInt8(ascii: "~")] + bytes[end...])[...]
  }

  /// `2: "a.md", "b.md"`, with at most three names.
  static func list(_ names: [String]) -> String {
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(names.count): \(names.prefix(3).map { "\"\($0)\"" }.joined(separator: ", "))\(more)"
  }

  /// The beginning of a name, with a mark for a missing end.
  static func beginning(of name: String, columns: Int) -> String {
    let bytes = Array(name.utf8)
    guard GlyphReader.columns(of: bytes[...]) > columns else { return name }
    var room = max(0, columns - 1)
    var end = 0
    for glyph in GlyphReader(bytes[...]) {
      guard glyph.width <= room else { break }
      room -= glyph.width
      end = glyph.range.upperBound
    }
    return String(decoding: bytes[..<end] + [UInt8(ascii: "~")], as: UTF8.self)
  }
}
