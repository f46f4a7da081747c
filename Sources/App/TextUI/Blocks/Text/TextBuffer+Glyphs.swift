extension TextBuffer {
  /// The end of a character as a reader sees it (a grapheme cluster). Treats a line end as one.
  func glyphEnd(after offset: Int) -> Int {
    guard offset < count else { return count }
    let segment = segment(at: offset)
    if offset >= segment.range.upperBound { return segment.next ?? count }
    // Marks beyond the second window become a character of their own.
    for size in [64, 1024] {
      let window = bytes(in: offset..<min(segment.range.upperBound, offset + size))
      let starts = Graphemes.starts(in: window)
      if starts.count > 1 { return offset + starts[1] }
      if window.count < size || size == 1024 { return offset + max(1, window.count) }
    }
    return offset + 1
  }

  /// Treats a line end as one glyph.
  func glyphStart(before offset: Int) -> Int {
    guard offset > 0 else { return 0 }
    let lineStart = lineStart(at: offset)
    if offset == lineStart {
      return lineEnd(at: offset - 1)
    }
    let lineEnd = lineEnd(at: offset)
    if offset > lineEnd { return lineEnd }
    let segment = segment(at: offset - 1)
    var from = max(segment.range.lowerBound, offset - 1024)
    var window = bytes(in: from..<offset)
    // Between two ASCII bytes a character begins: bytes before them do not matter.
    if let sync = window.indices.dropLast().last(where: { window[$0] < 0x80 && ($0 == 0 || window[$0 - 1] < 0x80) }) {
      window.removeFirst(sync)
      from += sync
    } else if from > segment.range.lowerBound, let lead = window.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      window.removeFirst(lead)
      from += lead
    }
    return from + (Graphemes.starts(in: window).last ?? 0)
  }

  /// The place to which Backspace deletes: in scripts that write vowels and tones as marks, the last mark alone.
  func backspaceStart(before offset: Int) -> Int {
    let start = glyphStart(before: offset)
    let scalars = String(decoding: bytes(in: start..<offset), as: UTF8.self).unicodeScalars
    // A joiner belongs to the letter before it.
    let letter = scalars.last { $0.value & 0xFFFF_FFFE != 0x200C }
    guard scalars.count > 1, let last = scalars.last, letter?.hasMarksOfItsOwn == true else { return start }
    return offset - last.utf8.count
  }

  /// The offset, or the start of the character that it cuts.
  func glyphBorder(at offset: Int) -> Int {
    guard offset > 0, offset < count, self[offset] >= 0x80 || self[offset] == 0x0A else { return min(offset, count) }
    // The glyph before half a character is not the one that the character is in.
    let place = (0..<4).lazy.map { offset - $0 }.first { $0 <= 0 || self[$0] & 0xC0 != 0x80 } ?? offset
    guard place > 0 else { return 0 }
    let start = glyphStart(before: place)
    return glyphEnd(after: start) == place ? place : start
  }

  /// Reads at most 64 KiB.
  func wordEnd(after offset: Int) -> Int {
    let window = bytes(in: offset..<min(count, offset + 0x10000))
    guard let start = window.firstIndex(where: Self.isWord) else { return offset + window.count }
    return offset + (window[start...].firstIndex { !Self.isWord($0) } ?? window.count)
  }

  /// Reads at most 64 KiB.
  func wordStart(before offset: Int) -> Int {
    let from = max(0, offset - 0x10000)
    let window = bytes(in: from..<offset)
    guard let last = window.lastIndex(where: Self.isWord) else { return from }
    return from + (window[...last].lastIndex { !Self.isWord($0) }.map { $0 + 1 } ?? 0)
  }

  /// The word around an offset, or the character at it.
  func word(at offset: Int) -> Range<Int> {
    let line = lineStart(at: offset)..<lineEnd(at: offset)
    let from = max(line.lowerBound, offset - 0x1000)
    let window = bytes(in: from..<min(line.upperBound, offset + 0x1000))
    let index = offset - from
    guard index < window.count, Self.isWord(window[index]) else {
      return offset..<min(max(offset, line.upperBound), glyphEnd(after: offset))
    }
    let start = window[..<index].lastIndex { !Self.isWord($0) }.map { $0 + 1 } ?? 0
    return (from + start)..<(from + (window[index...].firstIndex { !Self.isWord($0) } ?? window.count))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}
