/// Beginnings of blocks.
extension BlockParser {
  /// Opens the blocks that begin in this line; returns the deepest.
  mutating func openNewBlocks(in start: Int, allMatched: Bool) -> Int {
    var container = start
    var mayBeLazy = blocks[tip].kind == .paragraph
    while true {
      switch blocks[container].kind {
      case .code, .html: return container
      default: break
      }
      findNonspace()
      let isIndented = indent >= 4
      let first = byte(nonspace)
      if !isIndented, first == UInt8(ascii: ">"), hasRoom(in: container) {
        let start = nonspace
        advance(nonspace + 1 - offset)
        let end = offset
        if byte(offset).isMarkdownBlank { advance(1, columns: true) }
        container = open(.quote, in: container, at: start)
        extend(container, to: end)
      } else if !isIndented, first == UInt8(ascii: "#"), let level = headingLevel() {
        return openHeading(level, in: container)
      } else if !isIndented, first == UInt8(ascii: "`") || first == UInt8(ascii: "~"), let length = fenceLength() {
        return openFence(length, in: container)
      } else if !isIndented, first == UInt8(ascii: "<"), let condition = htmlCondition(in: container) {
        container = open(.html, in: container, at: offset)
        blocks[container].fence = condition
        return container
      } else if !isIndented, blocks[container].kind == .paragraph, let level = underlineLevel(),
        keepsText(container)
      {
        blocks[container].kind = .heading(level: level)
        advance(lineEnd - offset)
        extend(container, to: trimmedEnd)
        return container
      } else if !isIndented, !(blocks[container].kind == .paragraph && !allMatched && container == start), isRule() {
        container = open(.rule, in: container, at: nonspace)
        advance(lineEnd - offset)
        extend(container, to: trimmedEnd)
        return container
      } else if !isIndented, hasRoom(in: container), let mark = listMark(in: container) {
        container = openItem(mark, in: container)
        // Behind a check box, all is text.
        if case .item(.some) = blocks[container].kind { return container }
      } else if !isIndented, first == UInt8(ascii: "["), hasRoom(in: container), let mark = footnoteMark() {
        container = openFootnote(mark, in: container)
      } else if isIndented, !mayBeLazy, !isBlank {
        advance(4, columns: true)
        return open(.code(info: nil), in: container, at: offset)
      } else if !isIndented, let row = openTable(in: container) {
        return row
      } else {
        return container
      }
      mayBeLazy = false
    }
  }

  /// The end of the line without blanks.
  var trimmedEnd: Int {
    var end = lineEnd
    while end > lineStart, source[end - 1].isMarkdownSpace { end -= 1 }
    return end
  }

  private func hasRoom(in container: Int) -> Bool { blocks[container].depth < MarkdownDocument.deepestBlock }

  private func headingLevel() -> Int? {
    var end = nonspace
    while byte(end) == UInt8(ascii: "#") { end += 1 }
    let level = end - nonspace
    return level <= 6 && (byte(end).isMarkdownBlank || end >= lineEnd) ? level : nil
  }

  private mutating func openHeading(_ level: Int, in container: Int) -> Int {
    let heading = open(.heading(level: level), in: container, at: nonspace)
    var start = nonspace + level
    while start < lineEnd, source[start].isMarkdownBlank { start += 1 }
    var end = max(start, trimmedEnd)
    extend(heading, to: max(nonspace + level, trimmedEnd))
    var hashes = end
    while hashes > start, source[hashes - 1] == UInt8(ascii: "#") { hashes -= 1 }
    if hashes < end, hashes == start || source[hashes - 1].isMarkdownBlank {
      end = hashes
      while end > start, source[end - 1].isMarkdownBlank { end -= 1 }
    }
    if start < end { append(MarkdownLine(range: start..<end, padding: 0), to: heading) }
    advance(lineEnd - offset)
    return heading
  }

  private func fenceLength() -> Int? {
    let mark = byte(nonspace)
    var end = nonspace
    while byte(end) == mark { end += 1 }
    let length = end - nonspace
    guard length >= 3 else { return nil }
    if mark == UInt8(ascii: "`"), source[end..<lineEnd].contains(mark) { return nil }
    return length
  }

  private mutating func openFence(_ length: Int, in container: Int) -> Int {
    let code = open(.code(info: nonspace..<nonspace), in: container, at: nonspace)
    var start = nonspace + length
    while start < lineEnd, source[start].isMarkdownSpace { start += 1 }
    let end = max(start, trimmedEnd)
    blocks[code].kind = .code(info: start..<end)
    blocks[code].fence = byte(nonspace)
    blocks[code].fenceLength = length
    blocks[code].indent = nonspace - offset
    extend(code, to: max(nonspace + length, trimmedEnd))
    advance(lineEnd - offset)
    return code
  }

  private func htmlCondition(in container: Int) -> UInt8? {
    HTMLScanner.condition(source, nonspace..<lineEnd, interruptsText: blocks[container].kind == .paragraph)
  }

  /// The level of a heading that this line underlines.
  private func underlineLevel() -> Int? {
    let mark = byte(nonspace)
    guard mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-") else { return nil }
    var end = nonspace
    while byte(end) == mark { end += 1 }
    while byte(end).isMarkdownBlank { end += 1 }
    return end >= lineEnd ? (mark == UInt8(ascii: "=") ? 1 : 2) : nil
  }

  private func isRule() -> Bool {
    let mark = byte(nonspace)
    guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "_") || mark == UInt8(ascii: "*") else { return false }
    var count = 0
    for byte in source[nonspace..<lineEnd] {
      if byte == mark { count += 1 } else if !byte.isMarkdownBlank { return false }
    }
    return count >= 3
  }
}
