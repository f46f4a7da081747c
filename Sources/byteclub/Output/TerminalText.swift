import TextUI

/// Makes text of names and files safe for a terminal: characters that could control it or hide in it are spelled out.
enum TerminalText {
  /// Spells out controls, bidi marks and invisible characters (`^[`, `<U+202E>`), including line feeds.
  static func filtered(_ bytes: some Sequence<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    for glyph in IteratorSequence(GlyphReader(Array(bytes)[...])) { shown.append(contentsOf: glyph.scalars) }
    return String(shown)
  }

  /// Keeps line feeds.
  static func filteredLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { filtered($0.utf8) }.joined(separator: "\n")
  }

  static func columns(_ text: String) -> Int {
    IteratorSequence(GlyphReader(Array(text.utf8)[...])).reduce(0) { $0 + $1.width }
  }
}

extension TerminalText {
  /// The longest beginning that fits, and its width.
  static func cut(_ text: String, columns: Int) -> (text: String, columns: Int) {
    var shown = String.UnicodeScalarView()
    var width = 0
    for glyph in IteratorSequence(GlyphReader(Array(text.utf8)[...])) {
      guard width + glyph.width <= columns else { break }
      shown.append(contentsOf: glyph.scalars)
      width += glyph.width
    }
    return (String(shown), width)
  }
}
