/// Emphasis and strikethrough.
extension InlineParser {
  /// Takes a run of `*`, `_`, `~` or `=` and notes if it may open or close.
  mutating func parseDelimiters(_ mark: UInt8) {
    let start = offset
    var end = offset
    while end < bytes.count, bytes[end] == mark { end += 1 }
    // As on GitHub, tildes between emphasis and its words do not count.
    let isTilde = mark == UInt8(ascii: "~")
    let before = scalar(before: isTilde ? start : skipTildes(before: start))
    let after = scalar(at: isTilde ? end : skipTildes(from: end))
    let isLeft = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before))
    let isRight = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after))
    var canOpen = isLeft
    var canClose = isRight
    if mark == UInt8(ascii: "_") {
      canOpen = isLeft && (!isRight || isPunctuation(before))
      canClose = isRight && (!isLeft || isPunctuation(after))
    } else if isTilde, end - start > 2 {
      (canOpen, canClose) = (false, false)
    } else if mark == UInt8(ascii: "="), end - start != 2 {
      return takeText(end - start)
    }
    guard mark != UInt8(ascii: "=") || canOpen || canClose else { return takeText(end - start) }
    offset = end
    let node = append(.text, start..<end)
    guard canOpen || canClose else { return }
    delimiters.append(
      Delimiter(
        node: node, mark: mark, length: end - start, canOpen: canOpen, canClose: canClose, previous: lastDelimiter))
    if lastDelimiter >= 0 { delimiters[lastDelimiter].next = delimiters.count - 1 }
    lastDelimiter = delimiters.count - 1
  }

  private func skipTildes(before offset: Int) -> Int {
    var offset = offset
    while offset > 0, bytes[offset - 1] == UInt8(ascii: "~") { offset -= 1 }
    return offset
  }

  private func skipTildes(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, bytes[offset] == UInt8(ascii: "~") { offset += 1 }
    return offset
  }

  private func scalar(before offset: Int) -> Unicode.Scalar {
    guard offset > 0 else { return "\n" }
    var start = offset - 1
    while start > 0, offset - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self).unicodeScalars.last ?? "\n"
  }

  private func scalar(at offset: Int) -> Unicode.Scalar {
    guard offset < bytes.count else { return "\n" }
    if bytes[offset] < 0x80 { return Unicode.Scalar(bytes[offset]) }
    return String(decoding: bytes[offset..<min(bytes.count, offset + 4)], as: UTF8.self).unicodeScalars.first ?? "\n"
  }

  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return UInt8(scalar.value).isMarkdownSpace }
    return scalar.properties.generalCategory == .spaceSeparator
  }

  private func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return UInt8(scalar.value).isPunctuation }
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      return true
    default: return false
    }
  }

  /// Pairs the delimiters above one in the stack, and drops them.
  mutating func processEmphasis(above bottom: Int) {
    guard lastDelimiter > bottom else { return }
    // The lowest opener that may still match, for each kind of closer: without it, repeated closers would look
    // through all openers again.
    var lowest = Array(repeating: bottom, count: 24)
    var closer = lastDelimiter
    while closer >= 0, delimiters[closer].previous != bottom { closer = delimiters[closer].previous }
    while closer >= 0 {
      guard delimiters[closer].canClose else {
        closer = delimiters[closer].next
        continue
      }
      let slot = slot(of: closer)
      var opener = delimiters[closer].previous
      var isFound = false
      while opener > lowest[slot] {
        if delimiters[opener].canOpen, delimiters[opener].mark == delimiters[closer].mark, pairs(opener, closer) {
          isFound = true
          break
        }
        opener = delimiters[opener].previous
      }
      if isFound {
        closer = wrap(opener, closer, above: bottom)
      } else {
        lowest[slot] = delimiters[closer].previous
        let after = delimiters[closer].next
        if !delimiters[closer].canOpen { remove(closer) }
        closer = after
      }
    }
    while lastDelimiter >= 0, lastDelimiter != bottom { remove(lastDelimiter) }
  }

  private func slot(of closer: Int) -> Int {
    let mark = delimiters[closer].mark
    let kind = mark == UInt8(ascii: "*") ? 0 : mark == UInt8(ascii: "_") ? 1 : mark == UInt8(ascii: "~") ? 2 : 3
    return kind * 6 + (delimiters[closer].canOpen ? 3 : 0) + delimiters[closer].length % 3
  }

  /// The specification's rule of three.
  private func pairs(_ opener: Int, _ closer: Int) -> Bool {
    let (open, close) = (delimiters[opener], delimiters[closer])
    guard open.canClose || close.canOpen, close.length % 3 != 0 else { return true }
    return (open.length + close.length) % 3 != 0
  }

  /// Makes emphasis of all between two delimiters; returns the next delimiter to look at.
  private mutating func wrap(_ opener: Int, _ closer: Int, above bottom: Int) -> Int {
    let openPlace = inlines.nodes[delimiters[opener].node].place
    let closePlace = inlines.nodes[delimiters[closer].node].place
    let isMarked = delimiters[opener].mark == UInt8(ascii: "=")
    let isStrike = isMarked || delimiters[opener].mark == UInt8(ascii: "~")
    if isStrike, openPlace.count != closePlace.count {
      let after = delimiters[closer].next
      removeBetween(opener, closer)
      remove(opener)
      remove(closer)
      return after
    }
    removeBetween(opener, closer)
    let count = isStrike ? openPlace.count : openPlace.count >= 2 && closePlace.count >= 2 ? 2 : 1
    let kind: MarkdownInline.Kind = isMarked ? .highlight : isStrike ? .strikethrough : count == 2 ? .strong : .emphasis
    let openNode = delimiters[opener].node
    let closeNode = delimiters[closer].node
    guard heightBetween(openNode, closeNode) < MarkdownDocument.deepestInline else {
      // Too deep: the marks stay as text, and so do all that would be around them.
      let after = delimiters[closer].next
      remove(closer)
      dropOpeners(from: opener, above: bottom)
      return after
    }
    let node = add(kind, (openPlace.upperBound - count)..<(closePlace.lowerBound + count))
    move(after: openNode, before: closeNode, into: node)
    inlines.nodes[openNode].place = openPlace.lowerBound..<(openPlace.upperBound - count)
    inlines.nodes[closeNode].place = (closePlace.lowerBound + count)..<closePlace.upperBound
    if inlines.nodes[openNode].place.isEmpty {
      remove(opener)
      unlink(openNode)
    }
    guard inlines.nodes[closeNode].place.isEmpty else { return closer }
    let after = delimiters[closer].next
    remove(closer)
    unlink(closeNode)
    return after
  }

  private mutating func dropOpeners(from opener: Int, above bottom: Int) {
    var opener = opener
    while opener > bottom {
      let before = delimiters[opener].previous
      remove(opener)
      opener = before
    }
  }

  /// The number of levels between two nodes of a row; an end of -1 is the end of the row.
  func heightBetween(_ first: Int, _ last: Int) -> Int {
    var height = 0
    var node = inlines.nodes[first].next
    while node >= 0, node != last {
      height = max(height, inlines.nodes[node].height + 1)
      node = inlines.nodes[node].next
    }
    return height
  }

  /// Moves the nodes between two others into a new one, which takes their place.
  mutating func move(after first: Int, before end: Int, into node: Int) {
    var child = inlines.nodes[first].next
    while child >= 0, child != end {
      let after = inlines.nodes[child].next
      link(child, under: node)
      child = after
    }
    inlines.nodes[first].next = node
    inlines.nodes[node].previous = first
    inlines.nodes[node].next = end
    if end >= 0 { inlines.nodes[end].previous = node } else { last = node }
  }

  /// Takes a node out of its row.
  mutating func unlink(_ node: Int) {
    let (before, after) = (inlines.nodes[node].previous, inlines.nodes[node].next)
    if before >= 0 { inlines.nodes[before].next = after } else { inlines.first = after }
    if after >= 0 { inlines.nodes[after].previous = before } else { last = before }
  }

  private mutating func removeBetween(_ opener: Int, _ closer: Int) {
    while delimiters[closer].previous >= 0, delimiters[closer].previous != opener {
      remove(delimiters[closer].previous)
    }
  }

  private mutating func remove(_ delimiter: Int) {
    let (before, after) = (delimiters[delimiter].previous, delimiters[delimiter].next)
    if before >= 0 { delimiters[before].next = after }
    if after >= 0 { delimiters[after].previous = before } else { lastDelimiter = before }
  }
}
