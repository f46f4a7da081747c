/// Links, pictures, `[[notes]]` and footnotes.
extension InlineParser {
  mutating func openBracket(isImage: Bool) {
    let start = offset
    offset += isImage ? 2 : 1
    let node = append(.text, start..<offset)
    if !brackets.isEmpty { brackets[brackets.count - 1].hasBracketAfter = true }
    if !isImage { linkBrackets.append(brackets.count) }
    activeBrackets += 1
    brackets.append(Bracket(node: node, isImage: isImage, delimiter: lastDelimiter, start: offset))
  }

  private mutating func popBracket() {
    guard let bracket = brackets.popLast() else { return }
    if bracket.isActive { activeBrackets -= 1 }
    if linkBrackets.last == brackets.count { linkBrackets.removeLast() }
  }

  /// Links do not contain links: a bracket before this one cannot become a link any more.
  private mutating func deactivateLinks() {
    for index in linkBrackets where index < brackets.count && brackets[index].isActive {
      brackets[index].isActive = false
      activeBrackets -= 1
    }
    linkBrackets = []
  }

  mutating func closeBracket() {
    let close = offset
    guard let bracket = brackets.last else { return takeText(1) }
    guard bracket.isActive, let found = target(of: bracket, closedAt: close) else {
      popBracket()
      return takeText(1)
    }
    offset = close
    processEmphasis(above: bracket.delimiter)
    guard heightBetween(bracket.node, -1) < MarkdownDocument.deepestInline else {
      while !brackets.isEmpty { popBracket() }
      processNothing()
      return takeText(1)
    }
    offset = found.end
    let start = inlines.nodes[bracket.node].place.lowerBound
    let node = add(bracket.isImage ? .image(found.target) : .link(found.target), start..<found.end)
    inlines.nodes[node].target = found.place
    move(after: bracket.node, before: -1, into: node)
    unlink(bracket.node)
    popBracket()
    if !bracket.isImage { deactivateLinks() }
  }

  /// Drops all delimiters: they would enclose text that is too deep already.
  private mutating func processNothing() { lastDelimiter = -1 }

  /// `place` has the target's bytes; nil for one that a definition names.
  private func target(
    of bracket: Bracket, closedAt close: Int
  ) -> (target: MarkdownTarget, place: Range<Int>?, end: Int)? {
    if let inline = inlineTarget(at: close + 1) { return inline }
    var label = bracket.start..<close
    var end = close + 1
    if let explicit = scanner.label(at: close + 1) {
      end = explicit.end
      if !explicit.text.isEmpty {
        return references[bytes[explicit.text]].map { ($0, nil, end) }
      }
    }
    // A label does not contain brackets.
    guard !bracket.hasBracketAfter, label.count <= MarkdownReferences.longestLabel else { return nil }
    if label.isEmpty { label = close..<close }
    return references[bytes[label]].map { ($0, nil, end) }
  }

  /// `(destination "title")`.
  private func inlineTarget(at start: Int) -> (target: MarkdownTarget, place: Range<Int>?, end: Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
    let place = skipSpaces(from: start + 1)
    guard let destination = scanner.destination(at: place) else { return nil }
    var index = skipSpaces(from: destination.end)
    var title: String?
    if index > destination.end, let found = scanner.title(at: index) {
      title = InlineText.decoded(bytes[found.text])
      index = skipSpaces(from: found.end)
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ")") else { return nil }
    return (MarkdownTarget(InlineText.decoded(bytes[destination.text]), title: title), destination.text, index + 1)
  }

  private func skipSpaces(from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isMarkdownSpace { index += 1 }
    return index
  }

  /// `[^label]` of a footnote that the note has.
  mutating func parseFootnote() -> Bool {
    guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "^"), !references.footnotes.isEmpty,
      let label = scanner.label(at: offset), let footnote = references.footnote(bytes[label.text].dropFirst())
    else { return false }
    append(.footnote(footnote), offset..<label.end)
    offset = label.end
    return true
  }

  /// `[[note]]`, `[[note|label]]` or `![[picture]]`, within a line. `[[text]](address)` is a link.
  mutating func parseWikiLink(isImage: Bool) -> Bool {
    let start = offset
    let inner = start + (isImage ? 3 : 2)
    guard options.contains(.wikiLinks), inner < bytes.count, bytes[inner - 1] == UInt8(ascii: "[") else { return false }
    var end = inner
    var bar: Int?
    while end < bytes.count, bytes[end] != UInt8(ascii: "]") {
      if bytes[end] == UInt8(ascii: "[") || bytes[end] == 0x0A || end - inner > 500 { return false }
      if bytes[end] == UInt8(ascii: "|"), bar == nil { bar = end }
      end += 1
    }
    guard end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "]") else { return false }
    if end + 2 < bytes.count, bytes[end + 2] == UInt8(ascii: "(") || bytes[end + 2] == UInt8(ascii: "[") {
      return false
    }
    let name = trimmed(inner..<(bar ?? end))
    let words = bar.map { trimmed(($0 + 1)..<end) } ?? name
    let label = isImage && isSize(words) ? name : words
    guard !name.isEmpty else { return false }
    // A note within a note is a link to it.
    let isImage = isImage && Self.isFile(String(decoding: bytes[name], as: UTF8.self))
    let target = String(decoding: bytes[name], as: UTF8.self)
    offset = end + 2
    let node = append(isImage ? .wikiImage(path: target) : .wikiLink(note: target), start..<offset)
    inlines.nodes[node].target = name
    appendLines(of: label.isEmpty ? name : label, to: node)
    return true
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while end > start, bytes[end - 1].isMarkdownBlank { end -= 1 }
    while start < end, bytes[start].isMarkdownBlank { start += 1 }
    return start..<end
  }
}
