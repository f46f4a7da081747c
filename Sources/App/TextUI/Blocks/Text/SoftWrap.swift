public struct WrappedRow: Equatable, Sendable {
  public var start: Int
  /// Includes a space at which the row was broken, which may lie beyond the width.
  public var end: Int
  public var next: Int?

  public var isBroken: Bool { next == end }
}

/// Breaks lines into rows at words, reading only the text near the requested rows.
/// Rows end after spaces, hyphens and wide characters, but not at the hyphens of an option (`--drop-pages`); a wider word is
/// cut. One space may hang over the right border; a glyph wider than a row has its own row.
public struct SoftWrap: Equatable, Sendable {
  /// At least 1.
  public let width: Int
  /// Counted from the start of a row.
  public let tabWidth: Int
  /// True if an empty row for the cursor follows a line that ends in a hanging space.
  public let hasRowForCursor: Bool

  public init(width: Int, tabWidth: Int = 4, hasRowForCursor: Bool = false) {
    self.width = max(1, width)
    self.tabWidth = max(1, tabWidth)
    self.hasRowForCursor = hasRowForCursor
  }

  /// Rows from that of an offset on.
  public func rows(from offset: Int, count: Int, in text: TextBuffer) -> [WrappedRow] {
    guard count > 0 else { return [] }
    var rows: [WrappedRow] = []
    var offset = offset
    while true {
      let segment = text.segment(at: offset)
      let all = self.rows(of: segment, in: text)
      let first = rows.isEmpty ? Self.index(of: offset, in: all) : 0
      rows.append(contentsOf: all[first...].prefix(count - rows.count))
      guard rows.count < count, let next = segment.next else { return rows }
      offset = next
    }
  }

  /// An offset between two rows of a line belongs to the second.
  public func row(at offset: Int, in text: TextBuffer) -> WrappedRow {
    let all = rows(of: text.segment(at: offset), in: text)
    return all[Self.index(of: offset, in: all)]
  }

  /// Counts up from the row of an offset, at most to the first row.
  public func start(_ distance: Int, rowsAbove offset: Int, in text: TextBuffer) -> Int {
    var left = distance
    var offset = offset
    while true {
      let segment = text.segment(at: offset)
      let all = rows(of: segment, in: text)
      let index = Self.index(of: offset, in: all)
      if index >= left { return all[index - left].start }
      left -= index + 1
      guard segment.range.lowerBound > 0 else { return 0 }
      offset = segment.range.lowerBound - 1
    }
  }

  public func column(of offset: Int, in row: WrappedRow, of text: TextBuffer) -> Int {
    let bytes = text.bytes(in: row.start..<max(row.start, min(offset, row.end)))[...]
    var index = bytes.startIndex
    var column = 0
    while index < bytes.endIndex {
      let step = step(over: bytes, at: index, column: column)
      index = step.end
      column += step.width
    }
    return column
  }

  /// The glyph at a column, or the last cursor position of the row.
  public func offset(atColumn column: Int, in row: WrappedRow, of text: TextBuffer) -> Int {
    let bytes = text.bytes(in: row.start..<row.end)[...]
    var index = bytes.startIndex
    var reached = 0
    while index < bytes.endIndex {
      let step = step(over: bytes, at: index, column: reached)
      if reached + step.width > column || row.isBroken && step.end >= bytes.endIndex { break }
      index = step.end
      reached += step.width
    }
    return row.start + index
  }

  func rows(of segment: TextSegment, in text: TextBuffer) -> [WrappedRow] {
    let bytes = text.bytes(in: segment.range)
    let starts = rowStarts(in: bytes[...], isLineEnd: segment.next != segment.range.upperBound)
    var rows: [WrappedRow] = []
    rows.reserveCapacity(starts.count)
    for (index, start) in starts.enumerated() {
      let end = segment.range.lowerBound + (index + 1 < starts.count ? starts[index + 1] : bytes.count)
      rows.append(
        WrappedRow(
          start: segment.range.lowerBound + start, end: end, next: index + 1 < starts.count ? end : segment.next))
    }
    return rows
  }

  private func rowStarts(in bytes: ArraySlice<UInt8>, isLineEnd: Bool) -> [Int] {
    var starts = [0]
    var start = 0
    var index = 0
    var column = 0
    var lastBreak = 0
    var isOption = false
    while index < bytes.endIndex {
      if index == 0 || bytes[index - 1] == 0x20 || bytes[index - 1] == 0x09 {
        isOption = SoftWrap.beginsOption(bytes[index...])
      }
      let step = step(over: bytes, at: index, column: column)
      if column + step.width > width, index > start {
        if bytes[index] == 0x20 {
          start = step.end
          if start == bytes.endIndex, !(hasRowForCursor && isLineEnd) { break }
        } else if lastBreak > start, step.kind != .wide {
          start = lastBreak
        } else {
          start = index
        }
        starts.append(start)
        index = start
        column = 0
        lastBreak = start
        continue
      }
      let isHeld = isOption && bytes[index] == 0x2D
      column += step.width
      index = step.end
      if step.kind != .plain, !isHeld { lastBreak = index }
    }
    return starts
  }

  /// True for a word that is an option of a command, also in quotes, backquotes or parentheses.
  private static func beginsOption(_ bytes: ArraySlice<UInt8>) -> Bool {
    let word = bytes.prefix(5).drop { "\"'`(".utf8.contains($0) }
    return word.starts(with: "--".utf8) && word.dropFirst(2).first.map { $0 > 0x2D } == true
  }

  private enum Kind { case plain, breakable, wide }

  private func step(over bytes: ArraySlice<UInt8>, at index: Int, column: Int) -> (end: Int, width: Int, kind: Kind) {
    let byte = bytes[index]
    if byte == 0x09 { return (index + 1, tabWidth - column % tabWidth, .breakable) }
    if byte >= 0x20, byte < 0x7F, index + 1 == bytes.endIndex || bytes[index + 1] < 0x80 {
      return (index + 1, 1, byte == 0x20 || byte == 0x2D ? .breakable : .plain)
    }
    var reader = GlyphReader(bytes[index...])
    guard let glyph = reader.next() else { return (index + 1, 1, .plain) }
    return (
      glyph.range.upperBound, glyph.width, glyph.endsLine ? .wide : byte == 0x20 || byte == 0x2D ? .breakable : .plain
    )
  }

  private static func index(of offset: Int, in rows: [WrappedRow]) -> Int {
    var low = 0
    var high = rows.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if rows[middle].start <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
