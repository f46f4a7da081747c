internal import Glibc
import CNcurses
internal import TextUI

/// Brings grids to the screen: finds what changed since the last, gives that to ncurses, paints 24-bit colour over it.
struct GridPainter {
  private let encoder: CellEncoder
  private let paintsTrueColor: Bool
  /// `Grid.drawn` of what was painted last; 0 for a row that ncurses is to be given, whatever it has.
  private var lastDrawn: ContiguousArray<UInt64> = []
  private var lastSize = Size(0, 0)
  /// What was painted last, when there was 24-bit colour in it: of that ncurses knows nothing. Otherwise ncurses compares
  /// itself, and nothing is kept: all cells of a frame are more than stays in a cache between two keys.
  private var last: ContiguousArray<Cell> = []
  private typealias OldRows = (Int) -> UnsafeBufferPointer<Cell>
  /// Whether ncurses' and our ideas of the last frame are to be doubted.
  private var isStale = true
  private var rowHasTrueColor: [Bool] = []
  private var changedRows: [Int] = []
  private var line: ContiguousArray<cn_cell> = []
  private var text: ContiguousArray<UInt8> = []
  private var writer = TrueColorWriter()

  init(_ colors: TerminalAbilities.Colors, ncursesColors: Int) {
    encoder = CellEncoder(colors, ncursesColors: ncursesColors)
    paintsTrueColor = colors == .trueColor
  }

  /// Gives every row to ncurses at the next `paint`, which writes those that differ from what it believes is there.
  mutating func forget() { isStale = true }

  mutating func paint(_ grid: Grid) {
    if cn_forget_pairs() { isStale = true }
    if lastSize != grid.size { isStale = true }
    if isStale {
      rowHasTrueColor = Array(repeating: false, count: grid.size.height)
      lastDrawn = ContiguousArray(repeating: 0, count: grid.size.height)
    }
    let hadTrueColor = rowHasTrueColor.contains(true)
    changedRows.removeAll(keepingCapacity: true)
    // 24-bit colour lies over ncurses' cells and would not move with them.
    if !hadTrueColor { scroll(to: grid.drawn) }
    // Taken out, so that it can be looked at while this is being changed.
    var last = ContiguousArray<Cell>()
    swap(&last, &self.last)
    grid.withRows { rows in
      last.withUnsafeBufferPointer { last in
        let width = grid.size.width
        paint(rows, grid, over: hadTrueColor ? { .init(rebasing: last[($0 * width)..<(($0 + 1) * width)]) } : nil)
      }
      keep(rows, grid.size, in: &last)
    }
    swap(&last, &self.last)
    lastSize = grid.size
    isStale = false
  }

  private mutating func paint(_ rows: Grid.Rows, _ grid: Grid, over old: OldRows?) {
    for y in 0..<grid.size.height where grid.drawn[y] == 0 || grid.drawn[y] != lastDrawn[y] {
      let row = rows[y]
      let columns = old.map { Self.changed(row, $0(y)) } ?? 0..<row.count
      if !columns.isEmpty { put(row, columns, y) }
      lastDrawn[y] = grid.drawn[y]
    }
    finish(rows, grid, over: old)
  }

  private func keep(_ rows: Grid.Rows, _ size: Size, in last: inout ContiguousArray<Cell>) {
    guard rowHasTrueColor.contains(true) else { return }
    last.removeAll(keepingCapacity: true)
    for y in 0..<size.height { last.append(contentsOf: rows[y]) }
  }

  /// When rows have moved, moves ncurses' cells as well, so that only the others need be given to it. ncurses would find
  /// out by itself, and writes the same in both cases, but only after it was given all rows.
  private mutating func scroll(to drawn: ContiguousArray<UInt64>) {
    guard let move = RowMove(from: lastDrawn, to: drawn) else { return }
    guard cn_scroll(Int32(move.rows.lowerBound), Int32(move.rows.upperBound - 1), Int32(move.distance)) else { return }
    move.apply(to: &lastDrawn)
  }

  private mutating func put(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) {
    let hasTrueColor = putPlain(row, columns, y) ?? putAny(row, columns, y)
    changedRows.append(y)
    guard paintsTrueColor else { return }
    rowHasTrueColor[y] = hasTrueColor || columns.count < row.count && row.contains { $0.style.isTrueColor }
  }

  /// Printable ASCII: a call for each piece in one look, a byte a cell. That takes a quarter of the instructions, and none
  /// of the memory, of a row with marks and widths. Nil, and nothing put, when there is anything else.
  private mutating func putPlain(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) -> Bool? {
    for column in columns where !row[column].isPrintableASCII { return nil }
    if text.count < row.count { text = ContiguousArray(repeating: 0, count: row.count) }
    let encoder = encoder
    return text.withUnsafeMutableBufferPointer { text in
      var hasTrueColor = false
      var start = columns.lowerBound
      while start < columns.upperBound {
        let style = row[start].style
        var end = start
        while end < columns.upperBound, row[end].style == style {
          text[end - start] = UInt8(truncatingIfNeeded: row[end].base)
          end += 1
        }
        cn_put_text(Int32(y), Int32(start), text.baseAddress, Int32(end - start), encoder.look(of: style))
        hasTrueColor = hasTrueColor || style.isTrueColor
        start = end
      }
      return hasTrueColor
    }
  }

  private mutating func putAny(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) -> Bool {
    line.removeAll(keepingCapacity: true)
    let hasTrueColor = encoder.encode(row, columns, into: &line)
    line.withUnsafeBufferPointer { cn_put(Int32(y), Int32(columns.lowerBound), $0.baseAddress, Int32($0.count)) }
    return hasTrueColor
  }

  private mutating func finish(_ rows: Grid.Rows, _ grid: Grid, over old: OldRows?) {
    let cursor = (row: Int32(grid.cursor?.y ?? -1), column: Int32(grid.cursor?.x ?? -1))
    guard !changedRows.isEmpty, old != nil || rowHasTrueColor.contains(true) else {
      return cn_flush(cursor.row, cursor.column)
    }
    cn_prefix("\u{1B}[?2026h")
    cn_flush(cursor.row, cursor.column)
    writer.begin()
    // ncurses moves rows by scrolling, and knows nothing of what was painted over those that it moves along.
    if let old, changedRows.count > 1, mayScroll(from: old, to: rows) {
      changedRows += (0..<grid.size.height).filter { rowHasTrueColor[$0] && !changedRows.contains($0) }
    }
    for y in changedRows { writer.paint(rows[y], over: old?(y), y: y) }
    var (cursorRow, cursorColumn): (Int32, Int32) = (0, 0)
    cn_cursor(&cursorRow, &cursorColumn)
    writer.finish(cursor: (Int(cursorRow), Int(cursorColumn))) { cn_write($0.baseAddress, $0.count) }
  }

  /// Whether a row that changed is now like another was: without such a pair ncurses has nothing to scroll. Cells with
  /// 24-bit colour count as alike, for in 256 colours they may be.
  private func mayScroll(from old: OldRows, to new: Grid.Rows) -> Bool {
    let before = Set(changedRows.map { Self.digest(of: old($0)) })
    return changedRows.contains { before.contains(Self.digest(of: new[$0])) }
  }

  /// FNV-1a over what ncurses sees.
  private static func digest(of row: UnsafeBufferPointer<Cell>) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ value: UInt32) { digest = (digest ^ UInt64(value)) &* 0x100_0000_01B3 }
    for cell in row {
      let isTrueColor = cell.style.isTrueColor
      add(isTrueColor ? 1 : cell.base ^ cell.mark1 << 3 ^ cell.mark2 << 7)
      if isTrueColor { continue }
      add(cell.style.foreground.code ^ UInt32(cell.style.attributes.rawValue) << 28)
      add(cell.style.background.code)
    }
    return digest
  }

  /// The columns between the first and the last that differ, with the whole of a wide glyph at either end.
  private static func changed(_ row: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>) -> Range<Int> {
    var start = 0
    var end = row.count
    while start < end, row[start] == old[start] { start += 1 }
    if start == end { return 0..<0 }
    while row[end - 1] == old[end - 1] { end -= 1 }
    while start > 0, row[start].width == 0 { start -= 1 }
    while end < row.count, row[end].width == 0 { end += 1 }
    return start..<end
  }
}
