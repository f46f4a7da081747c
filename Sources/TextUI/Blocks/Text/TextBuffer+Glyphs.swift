extension TextBuffer {
  /// The end of the glyph that begins at an offset; over a line's end in one step. The text's end stays.
  func glyphEnd(after offset: Int) -> Int {
    guard offset < count else { return count }
    let segment = segment(at: offset)
    if offset >= segment.range.upperBound { return segment.next ?? count }
    // Marks that go on for more than this are shown as a glyph of their own.
    let window = bytes(in: offset..<min(segment.range.upperBound, offset + 1024))
    var reader = GlyphReader(window[...])
    return offset + (reader.next()?.range.upperBound ?? 1)
  }

  /// Where the glyph before an offset begins; over a line's end in one step. The text's start stays.
  func glyphStart(before offset: Int) -> Int {
    guard offset > 0 else { return 0 }
    let lineStart = lineStart(at: offset)
    if offset == lineStart {
      // The line before ends in a line feed, with or without a carriage return.
      return lineEnd(at: offset - 1)
    }
    let lineEnd = lineEnd(at: offset)
    if offset > lineEnd { return lineEnd }
    let segment = segment(at: offset - 1)
    var from = max(segment.range.lowerBound, offset - 1024)
    var window = bytes(in: from..<offset)
    // An ASCII byte always begins a glyph: what lies before the last but one of them does not matter.
    if let sync = window.dropLast().lastIndex(where: { $0 < 0x80 }) {
      window.removeFirst(sync)
      from += sync
    } else if from > segment.range.lowerBound, let lead = window.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      window.removeFirst(lead)
      from += lead
    }
    var reader = GlyphReader(window[...])
    var start = 0
    while let glyph = reader.next() { start = glyph.range.lowerBound }
    return from + start
  }

  /// The end of the word at or after an offset. Looks at no more than 64 KiB.
  func wordEnd(after offset: Int) -> Int {
    let window = bytes(in: offset..<min(count, offset + 0x10000))
    guard let start = window.firstIndex(where: Self.isWord) else { return offset + window.count }
    return offset + (window[start...].firstIndex { !Self.isWord($0) } ?? window.count)
  }

  /// The start of the word at or before an offset. Looks at no more than 64 KiB.
  func wordStart(before offset: Int) -> Int {
    let from = max(0, offset - 0x10000)
    let window = bytes(in: from..<offset)
    guard let last = window.lastIndex(where: Self.isWord) else { return from }
    return from + (window[...last].lastIndex { !Self.isWord($0) }.map { $0 + 1 } ?? 0)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}
