import TextUI

/// Text from names and files as it may go to a terminal: what could drive it or hide in it is spelled out.
enum TerminalText {
  /// The text with controls, bidi marks and invisible characters spelled (`^[`, `<U+202E>`); line feeds, too.
  static func filtered(_ bytes: some Sequence<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    for glyph in IteratorSequence(GlyphReader(Array(bytes)[...])) { shown.append(contentsOf: glyph.scalars) }
    return String(shown)
  }

  /// As above, for sentences that may have several lines: line feeds stay.
  static func filteredLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { filtered($0.utf8) }.joined(separator: "\n")
  }

  /// How many columns the text takes once it is filtered.
  static func columns(_ text: String) -> Int {
    IteratorSequence(GlyphReader(Array(text.utf8)[...])).reduce(0) { $0 + $1.width }
  }
}

extension TerminalText {
  /// As much of the filtered text as fits, and how many columns that takes.
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
