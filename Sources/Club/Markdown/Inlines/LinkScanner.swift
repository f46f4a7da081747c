/// Finds the parts of links: labels, destinations, titles. Each scan stops at the first byte that cannot belong to it,
/// so that repeated beginnings cost no more than the text is long.
struct LinkScanner {
  struct Part {
    /// Without quotes, brackets or angles.
    var text: Range<Int>
    var end: Int
  }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// `[label]`: at most 999 bytes, no unescaped bracket inside.
  func label(at start: Int) -> Part? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return nil }
    var index = start + 1
    while index < bytes.count, index - start <= MarkdownReferences.longestLabel + 1 {
      switch bytes[index] {
      case UInt8(ascii: "]"): return Part(text: (start + 1)..<index, end: index + 1)
      case UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1].isPunctuation: index += 2
      default: index += 1
      }
    }
    return nil
  }

  /// `<address>`, or an address without spaces whose parentheses are balanced.
  func destination(at start: Int) -> Part? {
    guard start < bytes.count else { return Part(text: start..<start, end: start) }
    var index = start
    if bytes[start] == UInt8(ascii: "<") {
      index += 1
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: ">"): return Part(text: (start + 1)..<index, end: index + 1)
        case UInt8(ascii: "<"), 0x0A, 0x0D: return nil
        case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1].isPunctuation: index += 2
        default: index += 1
        }
      }
      return nil
    }
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1].isPunctuation {
        index += 2
        continue
      }
      if byte == UInt8(ascii: "(") {
        depth += 1
        if depth > 32 { return nil }
      } else if byte == UInt8(ascii: ")") {
        if depth == 0 { break }
        depth -= 1
      } else if byte <= 0x20 || byte == 0x7F {
        break
      }
      index += 1
    }
    return depth == 0 ? Part(text: start..<index, end: index) : nil
  }

  /// A title in double quotes, single quotes or parentheses.
  func title(at start: Int) -> Part? {
    guard start < bytes.count else { return nil }
    let open = bytes[start]
    let close: UInt8
    switch open {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): close = open
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    default: return nil
    }
    var index = start + 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == close { return Part(text: (start + 1)..<index, end: index + 1) }
      if byte == open { return nil }
      index += byte == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1].isPunctuation ? 2 : 1
    }
    return nil
  }

  /// Skips blanks and at most one line end.
  func skipSpaces(from start: Int) -> Int {
    var index = start
    var hasLineEnd = false
    while index < bytes.count {
      if bytes[index] == 0x0A {
        if hasLineEnd { break }
        hasLineEnd = true
      } else if !bytes[index].isMarkdownBlank {
        break
      }
      index += 1
    }
    return index
  }

  /// The start of the next line, if only blanks are left in this one.
  func lineEnd(from start: Int) -> Int? {
    var index = start
    while index < bytes.count, bytes[index].isMarkdownBlank { index += 1 }
    guard index < bytes.count else { return index }
    return bytes[index] == 0x0A ? index + 1 : nil
  }
}
