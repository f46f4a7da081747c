extension TextEditor {
  /// Where the cursor is, for a status line.
  public struct Position: Hashable, Sendable {
    /// The first line is 1.
    public var line: Int
    /// The first column is 1. Counted in glyphs; behind the first 64 KiB of a line, in bytes.
    public var column: Int

    /// Makes a position.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// Where the cursor is.
  public var position: Position {
    let start = text.buffer.lineStart(at: text.cursor)
    let line = text.buffer.line(at: text.cursor) + 1
    guard text.cursor - start <= 0x10000 else { return Position(line: line, column: text.cursor - start + 1) }
    var column = 1
    var reader = GlyphReader(text.buffer.bytes(in: start..<text.cursor)[...])
    while reader.next() != nil { column += 1 }
    return Position(line: line, column: column)
  }

  /// Draws the rows in view on the whole canvas and shows the cursor.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    guard size.width > 0, size.height > 0 else { return }
    let wrap = wrap(for: size)
    let rows = wrap.rows(from: visibleTop(for: size), count: size.height, in: text.buffer)
    for (y, row) in rows.enumerated() {
      canvas.row(
        text.buffer.bytes(in: row.start..<row.end), y: y, tabWidth: wrap.tabWidth, style: { _ in style })
      let isHere = text.cursor >= row.start && (text.cursor < row.end || text.cursor <= row.end && !row.isBroken)
      let isInBreak = text.cursor > row.end && text.cursor < row.next ?? .max
      if isHere || isInBreak {
        let column = wrap.column(of: text.cursor, in: row, of: text.buffer)
        canvas.showCursor(x: min(column, size.width - 1), y: y)
      }
    }
  }
}
