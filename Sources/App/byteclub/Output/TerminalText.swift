import TextUI

/// Makes text of names and files safe for a terminal: characters that could control it or hide in it are spelled out.
enum TerminalText {
  /// Spells out controls, bidi marks and invisible characters (`^[`, `<U+202E>`), including line feeds.
  static func filtered(_ bytes: some Sequence<UInt8>, tabWidth: Int? = nil) -> String {
    var shown = String.UnicodeScalarView()
    for glyph in GlyphReader(Array(bytes)[...], tabWidth: tabWidth) { shown.append(contentsOf: glyph.scalars) }
    return String(shown)
  }

  /// Keeps line feeds, makes CRLF one, and tabs spaces.
  static func filteredLines(_ text: some Sequence<UInt8>) -> String {
    Array(text).split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { filtered($0.last == 0x0D ? $0.dropLast() : $0, tabWidth: 8) }.joined(separator: "\n")
  }

  /// Keeps line feeds, and colours and attributes (SGR: ESC, a bracket, numbers, `m`). Every other control is spelled out.
  static func filteredDrawing(_ drawing: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(drawing)
    var shown: [UInt8] = []
    var (text, position) = (0, 0)
    while position < bytes.count {
      guard let end = endOfStyle(bytes, position) else {
        position += 1
        continue
      }
      shown += filtered(bytes[text..<position]).utf8
      shown += bytes[position..<end]
      (text, position) = (end, end)
    }
    return shown + filtered(bytes[text...]).utf8
  }

  /// The end of the line feed or the style that begins here.
  private static func endOfStyle(_ bytes: [UInt8], _ start: Int) -> Int? {
    if bytes[start] == 0x0A { return start + 1 }
    guard bytes[start] == 0x1B, start + 1 < bytes.count, bytes[start + 1] == 0x5B else { return nil }
    let numbers = bytes[(start + 2)...].prefix { (0x30...0x39).contains($0) || $0 == 0x3B }
    return numbers.endIndex < bytes.count && bytes[numbers.endIndex] == 0x6D ? numbers.endIndex + 1 : nil
  }

  static func columns(_ text: String) -> Int {
    IteratorSequence(GlyphReader(Array(text.utf8)[...])).reduce(0) { $0 + $1.width }
  }
}

extension TerminalText {
  /// With spaces behind, up to a number of columns.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

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
