/// Text objects: words, paragraphs, quoted text and brackets.
extension ViText {
  /// nil if there is none at the place.
  mutating func object(_ object: ViObject, _ count: Int, at cursor: Int, _ operation: ViOperator) -> ViRegion? {
    switch object.kind {
    case .word(let isBig): return word(count, at: cursor, isBig: isBig, isWhole: object.isWhole)
    case .paragraph: return paragraphObject(count, at: cursor, isWhole: object.isWhole)
    case .quotes(let quote): return quotes(quote, at: cursor, isWhole: object.isWhole)
    case .brackets(let bracket): return brackets(bracket, count, at: cursor, isWhole: object.isWhole, operation)
    }
  }

  /// The end of the run of one kind of characters, within the line.
  private mutating func runEnd(_ place: Int, isBig: Bool) -> Int {
    let kind = kind(place, isBig: isBig)
    var at = place
    let limit = at + Self.reach
    while !isLineEnd(at), at < limit, self.kind(at, isBig: isBig) == kind { at = after(at) }
    return at
  }

  private mutating func runStart(_ place: Int, isBig: Bool) -> Int {
    let kind = kind(place, isBig: isBig)
    var at = place
    let limit = at - Self.reach
    while !isLineStart(at), at > limit {
      let before = before(at)
      if self.kind(before, isBig: isBig) != kind { break }
      at = before
    }
    return at
  }

  /// Runs of blanks count as words of the inner object.
  private mutating func word(_ count: Int, at cursor: Int, isBig: Bool, isWhole: Bool) -> ViRegion? {
    if count == 1, !isWhole, isEmptyLine(cursor) { return ViRegion(range: cursor..<cursor, cursor: cursor) }
    let start = runStart(cursor, isBig: isBig)
    let beginsBlank = kind(cursor, isBig: isBig) == 0
    var end = start
    var endsBlank = false
    for index in 0..<count {
      if index > 0, isLineEnd(end) {
        guard step(forward: &end) == .toNextLine else { return nil }
      }
      let isBlank = kind(end, isBig: isBig) == 0
      end = runEnd(end, isBig: isBig)
      endsBlank = isBlank
      guard isWhole else { continue }
      // A blank before, or behind, belongs to the word.
      if isBlank, isLineEnd(end) {
        guard step(forward: &end) == .toNextLine else { return nil }
        while !isLineEnd(end), self.isBlank(byte(end)) { end = after(end) }
      }
      if isBlank || !isLineEnd(end) && kind(end, isBig: isBig) == 0 {
        end = runEnd(end, isBig: isBig)
        endsBlank = !isBlank
      }
    }
    var first = start
    if isWhole, !beginsBlank, !endsBlank, !isLineStart(start) {
      let blank = before(start)
      if kind(blank, isBig: isBig) == 0 {
        let blanks = runStart(blank, isBig: isBig)
        // An indentation stays.
        if !isLineStart(blanks) { first = blanks }
      }
    }
    return end > first ? ViRegion(range: first..<end, cursor: first) : nil
  }

  private mutating func paragraphObject(_ count: Int, at cursor: Int, isWhole: Bool) -> ViRegion? {
    var start = lineStart(cursor)
    let beginsBlank = isBlankLine(start)
    let limit = start - Self.reach
    while let line = previousLine(start), line > limit, isBlankLine(line) == beginsBlank { start = line }
    var end = start
    if beginsBlank { end = lastLine(from: end, isBlank: true) }
    // The last line of the region; nil before its first.
    var last: Int? = beginsBlank ? end : nil
    var left = count
    if !isWhole, beginsBlank { left -= 1 }
    while left > 0 {
      left -= 1
      guard let first = last.map({ nextLine($0) }) ?? start else { return nil }
      let isBlank = isBlankLine(first)
      if isWhole || !isBlank { last = lastLine(from: first, isBlank: false) }
      if left == 0, beginsBlank, isWhole { break }
      if isWhole || isBlank, let from = last.map({ nextLine($0) }) ?? first, isBlankLine(from) {
        last = lastLine(from: from, isBlank: true)
      }
    }
    guard let last else { return nil }
    if isWhole, !beginsBlank, !isBlankLine(last) {
      while let line = previousLine(start), isBlankLine(line) { start = line }
    }
    return lines(start, last, cursor: start)
  }

  /// The last of the lines from one on that are all blank, or all not.
  private mutating func lastLine(from line: Int, isBlank: Bool) -> Int {
    var last = line
    let limit = line + Self.reach
    while let next = nextLine(last), next < limit, isBlankLine(next) == isBlank { last = next }
    return last
  }

  private mutating func quotes(_ quote: UInt8, at cursor: Int, isWhole: Bool) -> ViRegion? {
    let start = lineStart(cursor)
    let end = lineEnd(cursor)
    guard end - start <= Self.reach else { return nil }
    var open: Int?
    var close: Int?
    if cursor < end, byte(cursor) == quote {
      var from = start
      while close == nil || close ?? 0 < cursor {
        guard let first = next(quote, from: from, end, escapes: false), first <= cursor,
          let second = next(quote, from: first + 1, end, escapes: true)
        else { return nil }
        (open, close, from) = (first, second, second + 1)
      }
    } else {
      open = previous(quote, before: cursor, start) ?? next(quote, from: cursor, end, escapes: false)
      close = open.flatMap { next(quote, from: $0 + 1, end, escapes: true) }
    }
    guard let open, let close else { return nil }
    guard isWhole else { return ViRegion(range: (open + 1)..<close, cursor: open + 1) }
    var (first, last) = (open, close + 1)
    while last < end, isBlank(byte(last)) { last += 1 }
    if last == close + 1 {
      while first > start, isBlank(byte(first - 1)) { first -= 1 }
    }
    return ViRegion(range: first..<last, cursor: first)
  }

  private mutating func next(_ quote: UInt8, from place: Int, _ end: Int, escapes: Bool) -> Int? {
    var at = place
    while at < end {
      let byte = byte(at)
      if escapes, byte == 0x5C {
        at += 2
        continue
      }
      if byte == quote { return at }
      at += 1
    }
    return nil
  }

  private mutating func previous(_ quote: UInt8, before place: Int, _ start: Int) -> Int? {
    var at = place - 1
    while at >= start {
      if byte(at) == quote {
        var escapes = 0
        while at - escapes - 1 >= start, byte(at - escapes - 1) == 0x5C { escapes += 1 }
        if escapes % 2 == 0 { return at }
        at -= escapes
      }
      at -= 1
    }
    return nil
  }

  private mutating func brackets(
    _ bracket: UInt8, _ count: Int, at cursor: Int, isWhole: Bool, _ operation: ViOperator
  ) -> ViRegion? {
    guard let pair = Self.pair(of: bracket) else { return nil }
    var open = cursor
    let isOnOpen = cursor < self.count && byte(cursor) == pair.open
    var left = isOnOpen ? count - 1 : count
    while left > 0 {
      guard let outer = opening(pair, before: open) else { return nil }
      open = outer
      left -= 1
    }
    guard let close = closing(pair, behind: open) else { return nil }
    guard !isWhole else { return ViRegion(range: open..<(close + 1), cursor: open) }
    var start = open
    var end = close
    _ = skip(forward: &start)
    var isAtLineStart = isLineStart(close)
    _ = skip(backward: &end)
    while pair.open == 0x7B, end >= start, isBlankUp(to: end) {
      isAtLineStart = true
      let before = end
      guard step(backward: &end) != .none, lineStart(end) == lineStart(before) || !isLineStart(end) else { break }
    }
    if isAtLineStart { _ = skip(forward: &end) }
    let move = ViMove(place: end, isInclusive: !isAtLineStart)
    guard end >= start else { return ViRegion(range: start..<start, cursor: start) }
    return region(from: start, to: move, operation) ?? ViRegion(range: start..<start, cursor: start)
  }

  private mutating func isBlankUp(to place: Int) -> Bool { firstNonBlank(place) > place }
}
