/// GitHub's tables: the last line of a paragraph is the head, if the line below it has as many columns of dashes.
extension BlockParser {
  /// Opens a table below its head, or the next row of a table; returns the row.
  mutating func openTable(in container: Int) -> Int? {
    switch blocks[container].kind {
    case .table(let columns):
      let row = open(.row(isHeader: false), in: container, at: nonspace)
      addCells(cells(in: nonspace..<lineEnd), to: row, limit: columns.count)
      extend(row, to: trimmedEnd)
      return row
    case .paragraph:
      guard let last = blocks[container].lines.last, let columns = alignments(),
        lines[last].range.upperBound <= lineStart
      else { return nil }
      let head = cells(in: lines[last].range)
      guard head.count == columns.count else { return nil }
      return openTable(columns, head: head, line: last, below: container)
    default: return nil
    }
  }

  private mutating func openTable(
    _ columns: [MarkdownAlignment], head: [Range<Int>], line: Int, below paragraph: Int
  ) -> Int {
    let start = lines[line].range.lowerBound
    let headEnd = lines[line].range.upperBound
    let table: Int
    if blocks[paragraph].lines.count == 1 {
      table = paragraph
      blocks[table].kind = .table(columns)
      blocks[table].range = start..<start
      blocks[table].lines = lines.count..<lines.count
    } else {
      blocks[paragraph].lines = blocks[paragraph].lines.lowerBound..<line
      let end = lines[line - 1].range.upperBound
      blocks[paragraph].range = blocks[paragraph].range.lowerBound..<end
      table = open(.table(columns), in: paragraph, at: start)
    }
    let row = append(.row(isHeader: true), to: table, at: start)
    addCells(head, to: row, limit: columns.count)
    extend(row, to: headEnd)
    blocks[row].isOpen = false
    advance(lineEnd - offset)
    extend(table, to: trimmedEnd)
    tip = table
    lastMatched = table
    return table
  }

  private mutating func addCells(_ cells: [Range<Int>], to row: Int, limit: Int) {
    for range in cells.prefix(limit) {
      let cell = append(.cell, to: row, at: range.lowerBound)
      blocks[cell].isOpen = false
      append(MarkdownLine(range: range, padding: 0), to: cell)
    }
  }

  /// The columns of a line of dashes, colons and bars; nil for any other line.
  private func alignments() -> [MarkdownAlignment]? {
    let text = nonspace..<trimmedEnd
    guard text.count > 0, source[text].allSatisfy({ isDelimiter($0) }) else { return nil }
    var columns: [MarkdownAlignment] = []
    for cell in cells(in: text) {
      let marks = source[cell]
      let left = marks.first == UInt8(ascii: ":")
      let right = marks.count > 1 && marks.last == UInt8(ascii: ":")
      let dashes = marks.dropFirst(left ? 1 : 0).dropLast(right ? 1 : 0)
      guard !dashes.isEmpty, dashes.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
      columns.append(left ? right ? .center : .left : right ? .right : .none)
    }
    return columns.isEmpty ? nil : columns
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "|") || byte.isMarkdownBlank
  }

  /// The cells of a line without the blanks around them. A bar behind a backslash is text.
  private func cells(in line: Range<Int>) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = line.lowerBound
    while start < line.upperBound, source[start].isMarkdownSpace { start += 1 }
    if start < line.upperBound, source[start] == UInt8(ascii: "|") { start += 1 }
    var index = start
    while index < line.upperBound {
      if source[index] == UInt8(ascii: "|"), index == line.lowerBound || source[index - 1] != UInt8(ascii: "\\") {
        cells.append(trimmed(start..<index))
        start = index + 1
      }
      index += 1
    }
    let rest = trimmed(start..<line.upperBound)
    if !rest.isEmpty { cells.append(rest) }
    return cells
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while end > start, source[end - 1].isMarkdownSpace { end -= 1 }
    while start < end, source[start].isMarkdownSpace { start += 1 }
    return start..<end
  }
}
