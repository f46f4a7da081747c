/// Paragraphs, sentences and brackets. The functions follow Vim's.
extension ViText {
  /// To the start of an empty line, or the end of the text. nil if there are not so many paragraphs.
  mutating func paragraph(_ place: Int, _ count: Int, isForward: Bool) -> (place: Int, isInclusive: Bool)? {
    var line = lineStart(place)
    let limit = isForward ? line + Self.reach : line - Self.reach
    var isAtEnd = false
    for left in (0..<count).reversed() {
      var hasText = false
      var isFirst = true
      while true {
        let isEmpty = isLineEnd(line)
        if !isEmpty { hasText = true }
        if !isFirst, hasText, isEmpty { break }
        isFirst = false
        guard let next = isForward ? nextLine(line) : previousLine(line), isForward ? next < limit : next > limit
        else {
          if left > 0 { return nil }
          isAtEnd = true
          break
        }
        line = next
      }
    }
    if isForward, isAtEnd || nextLine(line) == nil {
      let end = lineEnd(line)
      return end > line ? (before(end), true) : (line, false)
    }
    return (line, false)
  }

  private func isIn(_ scalar: UInt32, _ characters: String) -> Bool {
    characters.unicodeScalars.contains { $0.value == scalar }
  }

  /// To the start of a sentence. nil if there are not so many.
  mutating func sentence(_ place: Int, _ count: Int, isForward: Bool) -> Int? {
    var at = place
    let limit = isForward ? at + Self.reach : at - Self.reach
    func isBeyond(_ place: Int) -> Bool { isForward ? place > limit : place < limit }
    for left in (0..<count).reversed() {
      var skipsBlanks = true
      search: do {
        if isLineEnd(at) {
          repeat {
            guard isForward ? skip(forward: &at) : skip(backward: &at), !isBeyond(at) else { break }
          } while isLineEnd(at)
          if isForward { break search }
        } else if isForward, isLineStart(at), isLineEnd(at) {
          guard let next = nextLine(at) else { return nil }
          at = next
          break search
        } else if !isForward {
          _ = skip(backward: &at)
        }
        sentenceMark(&at, isForward: isForward)
        let line = lineStart(at)
        while true {
          let scalar = scalar(at)
          if scalar == 0 {
            if !isForward, lineStart(at) != line, let next = nextLine(at) { at = next }
            break
          }
          if isIn(scalar, ".!?") {
            var behind = at
            var isOver = false
            repeat { isOver = step(forward: &behind) == .none } while !isOver && isIn(self.scalar(behind), ")]\"'")
            let next = self.scalar(behind)
            if isOver || next == 0x20 || next == 0x09 || next == 0 {
              at = behind
              if isLineEnd(at) { _ = step(forward: &at) }
              break
            }
          }
          guard isForward ? skip(forward: &at) : skip(backward: &at), !isBeyond(at) else {
            if left > 0 { return nil }
            skipsBlanks = false
            break
          }
        }
      }
      while skipsBlanks, at < self.count, isBlank(byte(at)) {
        guard skip(forward: &at) else { break }
      }
    }
    return at
  }

  /// Back over blanks and the punctuation that ends a sentence.
  private mutating func sentenceMark(_ at: inout Int, isForward: Bool) {
    var hasMark = false
    while true {
      let scalar = scalar(at)
      guard scalar == 0x20 || scalar == 0x09 || isIn(scalar, ".!?)]\"'") else { return }
      var before = at
      guard skip(backward: &before), !(isForward && isEmptyLine(before)), !hasMark else { return }
      if isIn(scalar, ".!?") { hasMark = true }
      if isIn(scalar, ")]\"'"), !isIn(self.scalar(before), ".!?)]\"'") { return }
      _ = skip(backward: &at)
    }
  }

  private static let pairs: [(open: UInt8, close: UInt8)] = [(0x28, 0x29), (0x5B, 0x5D), (0x7B, 0x7D), (0x3C, 0x3E)]

  static func pair(of bracket: UInt8) -> (open: UInt8, close: UInt8)? {
    pairs.first { $0.open == bracket || $0.close == bracket }
  }

  /// The bracket that matches the first one in the line from a place on.
  mutating func matchingBracket(_ place: Int) -> Int? {
    var at = place
    let limit = at + Self.reach
    while !isLineEnd(at), at < limit {
      if let pair = Self.pair(of: byte(at)), pair.open != 0x3C {
        return byte(at) == pair.open ? closing(pair, behind: at) : opening(pair, before: at)
      }
      at += 1
    }
    return nil
  }

  /// The bracket that closes the one at a place.
  mutating func closing(_ pair: (open: UInt8, close: UInt8), behind place: Int) -> Int? {
    var depth = 0
    var at = place + 1
    let limit = min(count, place + Self.reach)
    while at < limit {
      let byte = byte(at)
      if byte == pair.open { depth += 1 }
      if byte == pair.close {
        if depth == 0 { return at }
        depth -= 1
      }
      at += 1
    }
    return nil
  }

  /// The open bracket around a place.
  mutating func opening(_ pair: (open: UInt8, close: UInt8), before place: Int) -> Int? {
    var depth = 0
    var at = place - 1
    let limit = max(0, place - Self.reach)
    while at >= limit {
      let byte = byte(at)
      if byte == pair.close { depth += 1 }
      if byte == pair.open {
        if depth == 0 { return at }
        depth -= 1
      }
      at -= 1
    }
    return nil
  }
}
