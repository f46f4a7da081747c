/// The last pass: neighbouring texts become one, mail addresses and tags are found, and places become source ranges.
extension InlineParser {
  mutating func finishTexts() {
    var rows = [(first: inlines.first, isPlain: true)]
    while let row = rows.popLast() {
      var node = row.first
      while node >= 0 {
        switch inlines.nodes[node].kind {
        case .text: finishText(node, isPlain: row.isPlain)
        case .emphasis, .strong, .strikethrough, .highlight: rows.append((inlines.nodes[node].firstChild, row.isPlain))
        default: rows.append((inlines.nodes[node].firstChild, false))
        }
        inlines.nodes[node].range = content.source(of: inlines.nodes[node].place)
        inlines.nodes[node].target = inlines.nodes[node].target.map(content.source)
        node = inlines.nodes[node].next
      }
    }
  }

  private mutating func finishText(_ node: Int, isPlain: Bool) {
    while true {
      let next = inlines.nodes[node].next
      guard next >= 0, inlines.nodes[next].kind == .text,
        inlines.nodes[next].place.lowerBound == inlines.nodes[node].place.upperBound,
        !isEscapedBar(inlines.nodes[next].place.lowerBound)
      else { break }
      inlines.nodes[node].place = inlines.nodes[node].place.lowerBound..<inlines.nodes[next].place.upperBound
      inlines.nodes[node].next = inlines.nodes[next].next
      if inlines.nodes[next].next >= 0 { inlines.nodes[inlines.nodes[next].next].previous = node }
    }
    let place = inlines.nodes[node].place
    if isPlain {
      var index = place.lowerBound
      while index < place.upperBound {
        if bytes[index] == UInt8(ascii: "@"), let mail = mail(around: index, in: place) {
          return cut(node, mail, .autolink(MarkdownTarget("mailto:" + String(decoding: bytes[mail], as: UTF8.self))))
        }
        if bytes[index] == UInt8(ascii: "#"), let tag = tag(at: index, in: place) {
          return cut(node, tag, .tag(String(decoding: bytes[(index + 1)..<tag.upperBound], as: UTF8.self)))
        }
        index += 1
      }
    }
    splitAtEscapedBar(node)
  }

  /// Makes a part of a text a node of another kind; the text behind it is looked at next.
  private mutating func cut(_ node: Int, _ part: Range<Int>, _ kind: MarkdownInline.Kind) {
    let place = inlines.nodes[node].place
    let middle = insert(kind, part, after: node)
    if part.upperBound < place.upperBound { insert(.text, part.upperBound..<place.upperBound, after: middle) }
    if case .autolink = kind { link(add(.text, part), under: middle) }
    inlines.nodes[node].place = place.lowerBound..<part.lowerBound
    splitAtEscapedBar(node)
  }

  @discardableResult
  private mutating func insert(_ kind: MarkdownInline.Kind, _ place: Range<Int>, after node: Int) -> Int {
    let new = add(kind, place)
    let next = inlines.nodes[node].next
    inlines.nodes[new].next = next
    inlines.nodes[new].previous = node
    if next >= 0 { inlines.nodes[next].previous = new }
    inlines.nodes[node].next = new
    return new
  }

  /// The source of a cell has a backslash that its text has not: there the text is cut.
  private mutating func splitAtEscapedBar(_ node: Int) {
    let place = inlines.nodes[node].place
    guard content.source(of: place).count != place.count else { return }
    var end = place.upperBound
    for index in place.dropFirst().reversed() where isEscapedBar(index) {
      insert(.text, index..<end, after: node)
      end = index
    }
    inlines.nodes[node].place = place.lowerBound..<end
  }

  private func isEscapedBar(_ index: Int) -> Bool {
    index > 0 && bytes[index] == UInt8(ascii: "|") && content.source(of: index) != content.source(of: index - 1) + 1
  }

  private func mail(around sign: Int, in place: Range<Int>) -> Range<Int>? {
    guard options.contains(.addresses) else { return nil }
    var start = sign
    while start > place.lowerBound, bytes[start - 1].isAlphanumeric || ".+-_".utf8.contains(bytes[start - 1]) {
      start -= 1
    }
    if start == sign || start > place.lowerBound && bytes[start - 1] == UInt8(ascii: "/") { return nil }
    var end = sign + 1
    var dots = 0
    while end < place.upperBound {
      let byte = bytes[end]
      if byte == UInt8(ascii: "@") { return nil }
      if byte == UInt8(ascii: "."), end + 1 < place.upperBound, bytes[end + 1].isAlphanumeric {
        dots += 1
      } else if !byte.isAlphanumeric, byte != UInt8(ascii: "-"), byte != UInt8(ascii: "_") {
        break
      }
      end += 1
    }
    guard dots > 0, end - sign > 2, bytes[end - 1].isLetter else { return nil }
    return start..<withoutTrailing(start..<end)
  }

  /// `#tag`: at the start of a word, with at least one byte that is no digit.
  private func tag(at sign: Int, in place: Range<Int>) -> Range<Int>? {
    guard options.contains(.tags) else { return nil }
    if sign > 0, !bytes[sign - 1].isMarkdownSpace, !"([{,;".utf8.contains(bytes[sign - 1]) { return nil }
    var end = sign + 1
    while end < place.upperBound, bytes[end].isAlphanumeric || bytes[end] >= 0x80 || "_-/".utf8.contains(bytes[end]) {
      end += 1
    }
    while end > sign + 1, "-/".utf8.contains(bytes[end - 1]) { end -= 1 }
    guard bytes[(sign + 1)..<end].contains(where: { !$0.isDigit && $0 != UInt8(ascii: "-") }) else { return nil }
    return sign..<end
  }
}
