/// The part of a text on which an operator acts.
struct ViRegion: Hashable, Sendable {
  /// Of lines: from the start of the first to the end of the last, without its line feed.
  var range: Range<Int>
  var isLines = false
  /// The cursor after a yank.
  var cursor: Int
}

extension ViText {
  mutating func lines(_ from: Int, _ to: Int, cursor: Int) -> ViRegion {
    let start = lineStart(from)
    return ViRegion(range: start..<max(start, lineEnd(to)), isLines: true, cursor: cursor)
  }

  /// The region between two places, by Vim's rules for exclusive and inclusive motions; nil if it is empty.
  mutating func region(from cursor: Int, to move: ViMove, _ operation: ViOperator) -> ViRegion? {
    let start = min(cursor, move.place)
    var end = max(cursor, move.place)
    if move.isLines { return lines(start, end, cursor: start) }
    var isInclusive = move.isInclusive
    let spans = lineStart(end) > start
    if spans, !isInclusive, isLineStart(end) {
      _ = step(backward: &end)
      if isInIndent(start) { return lines(start, end, cursor: start) }
      if !isLineStart(end) {
        end = before(end)
        isInclusive = true
      }
    }
    if operation.actsOnLines { return lines(start, end, cursor: start) }
    if end == start, !isInclusive || operation == .yank && isLineEnd(end) { return nil }
    let upper = isInclusive ? after(end) : end
    if operation == .delete, lineStart(end) > start, isInIndent(start), isLineEnd(blanksEnd(upper)) {
      return lines(start, end, cursor: start)
    }
    return start == upper ? nil : ViRegion(range: start..<upper, cursor: start)
  }

  private mutating func blanksEnd(_ place: Int) -> Int {
    var at = place
    while at < count, isBlank(byte(at)) { at += 1 }
    return at
  }

  /// The region between the two ends of a selection.
  mutating func selection(_ anchor: Int, _ cursor: Int, isLines: Bool) -> ViRegion {
    let (start, last) = (min(anchor, cursor), max(anchor, cursor))
    if isLines { return lines(start, last, cursor: min(lineStart(anchor), cursor)) }
    var end = after(last)
    // Behind the last character, the selection has the line feed.
    if isLineEnd(last) { end = nextLine(last) ?? last }
    return ViRegion(range: start..<end, cursor: start)
  }

  /// The region of an earlier selection's size.
  mutating func region(_ shape: ViShape, at cursor: Int) -> ViRegion {
    let line = line(shape.lines, below: cursor) ?? cursor
    if shape.isLines { return lines(cursor, line, cursor: cursor) }
    guard let characters = shape.characters else { return selection(cursor, lineEnd(line), isLines: false) }
    var last = shape.lines == 0 ? cursor : lineStart(line)
    for _ in 0..<max(0, characters - 1) {
      let next = after(last)
      if isLineEnd(next) { break }
      last = next
    }
    return selection(cursor, last, isLines: false)
  }

  /// The size of a selection. `toEnd`: it goes to the end of its last line, however long that is.
  mutating func shape(_ region: ViRegion, _ anchor: Int, _ cursor: Int, toEnd: Bool) -> ViShape {
    let (start, last) = (min(anchor, cursor), max(anchor, cursor))
    let lines = buffer.line(at: last) - buffer.line(at: start)
    if region.isLines || toEnd { return ViShape(isLines: region.isLines, lines: lines) }
    var characters = 1
    var at = lines == 0 ? start : lineStart(last)
    let limit = at + 0x10000
    while at < last, at < limit {
      at = after(at)
      characters += 1
    }
    return ViShape(isLines: false, lines: lines, characters: characters)
  }
}
