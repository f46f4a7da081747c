internal import Glibc
import CNcurses
internal import TextUI

/// Brings grids to the screen: finds what changed since the last, gives that to ncurses, paints 24-bit colour over it.
struct GridPainter {
  private let encoder: CellEncoder
  private let paintsTrueColor: Bool
  private var last: Grid?
  /// Whether ncurses' and our ideas of the last frame are to be doubted.
  private var isStale = true
  private var rowHasTrueColor: [Bool] = []
  private var changedRows: [Int] = []
  private var line: ContiguousArray<cn_cell> = []
  private var writer = TrueColorWriter()

  init(_ colors: TerminalAbilities.Colors, ncursesColors: Int) {
    encoder = CellEncoder(colors, ncursesColors: ncursesColors)
    paintsTrueColor = colors == .trueColor
  }

  /// Gives every row to ncurses at the next `paint`, which writes those that differ from what it believes is there.
  mutating func forget() { isStale = true }

  mutating func paint(_ grid: Grid) {
    if cn_forget_pairs() { isStale = true }
    if last?.size != grid.size { isStale = true }
    if isStale { rowHasTrueColor = Array(repeating: false, count: grid.size.height) }
    let hadTrueColor = rowHasTrueColor.contains(true)
    let width = grid.size.width
    changedRows.removeAll(keepingCapacity: true)

    grid.cells.withUnsafeBufferPointer { cells in
      let old = isStale ? nil : last?.cells
      old.withCells { old in
        for y in 0..<grid.size.height {
          let row = UnsafeBufferPointer(rebasing: cells[(y * width)..<((y + 1) * width)])
          let oldRow = old.map { UnsafeBufferPointer(rebasing: $0[(y * width)..<((y + 1) * width)]) }
          // Most rows are as they were, to the byte; padding that differs costs a look at the cells and nothing else.
          if let old = oldRow?.baseAddress, let new = row.baseAddress,
            memcmp(old, new, width * MemoryLayout<Cell>.stride) == 0
          {
            continue
          }
          let columns = Self.changed(row, oldRow)
          if !columns.isEmpty { put(row, columns, y) }
        }
        finish(cells, old, grid, hadTrueColor: hadTrueColor)
      }
    }
    last = grid
    isStale = false
  }

  private mutating func put(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) {
    line.removeAll(keepingCapacity: true)
    let hasTrueColor = encoder.encode(row, columns, into: &line)
    line.withUnsafeBufferPointer { cn_put(Int32(y), Int32(columns.lowerBound), $0.baseAddress, Int32($0.count)) }
    changedRows.append(y)
    guard paintsTrueColor else { return }
    rowHasTrueColor[y] = hasTrueColor || row.contains { $0.style.isTrueColor }
  }

  private mutating func finish(
    _ cells: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>?, _ grid: Grid, hadTrueColor: Bool
  ) {
    let cursor = (row: Int32(grid.cursor?.y ?? -1), column: Int32(grid.cursor?.x ?? -1))
    guard !changedRows.isEmpty, hadTrueColor || rowHasTrueColor.contains(true) else {
      return cn_flush(cursor.row, cursor.column)
    }
    cn_prefix("\u{1B}[?2026h")
    cn_flush(cursor.row, cursor.column)
    writer.begin()
    let width = grid.size.width
    func row(_ cells: UnsafeBufferPointer<Cell>, _ y: Int) -> UnsafeBufferPointer<Cell> {
      UnsafeBufferPointer(rebasing: cells[(y * width)..<((y + 1) * width)])
    }
    // ncurses moves rows by scrolling, and knows nothing of what was painted over those that it moves along.
    let isDoubtful = hadTrueColor && changedRows.count > 1 && old.map { mayScroll(from: $0, to: cells, row) } != false
    if isDoubtful {
      changedRows += (0..<grid.size.height).filter { rowHasTrueColor[$0] && !changedRows.contains($0) }
    }
    for y in changedRows { writer.paint(row(cells, y), over: old.map { row($0, y) }, y: y) }
    var (cursorRow, cursorColumn): (Int32, Int32) = (0, 0)
    cn_cursor(&cursorRow, &cursorColumn)
    writer.finish(cursor: (Int(cursorRow), Int(cursorColumn))) { cn_write($0.baseAddress, $0.count) }
  }

  /// Whether a row that changed is now like another was: without such a pair ncurses has nothing to scroll. Cells with
  /// 24-bit colour count as alike, for in 256 colours they may be.
  private func mayScroll(
    from old: UnsafeBufferPointer<Cell>, to new: UnsafeBufferPointer<Cell>,
    _ row: (UnsafeBufferPointer<Cell>, Int) -> UnsafeBufferPointer<Cell>
  ) -> Bool {
    let before = Set(changedRows.map { Self.digest(of: row(old, $0)) })
    return changedRows.contains { before.contains(Self.digest(of: row(new, $0))) }
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
  private static func changed(_ row: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>?) -> Range<Int> {
    guard let old else { return 0..<row.count }
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

extension Optional<ContiguousArray<Cell>> {
  fileprivate func withCells(_ body: (UnsafeBufferPointer<Cell>?) -> Void) {
    if let self { self.withUnsafeBufferPointer { body($0) } } else { body(nil) }
  }
}
