internal import Glibc
import CNcurses
internal import TextUI

/// Brings grids to the screen: finds what changed since the last, gives that to ncurses, paints 24-bit colour over it.
struct GridPainter {
  private let encoder: CellEncoder
  private let paintsTrueColor: Bool
  /// What was painted last.
  private var last: ContiguousArray<Cell> = []
  private var lastSize = Size(0, 0)
  /// Whether `last` has a row as it was painted last.
  private var lastIsKnown: [Bool] = []
  /// The selection moves by two rows.
  private static let few = 8
  /// `Grid.drawn` of what was painted last.
  private var lastDrawn: ContiguousArray<UInt64> = []
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
    if lastSize != grid.size { isStale = true }
    if isStale { rowHasTrueColor = Array(repeating: false, count: grid.size.height) }
    let hadTrueColor = paintsTrueColor && rowHasTrueColor.contains(true)
    changedRows.removeAll(keepingCapacity: true)

    grid.cells.withUnsafeBufferPointer { cells in
      if isStale {
        for y in 0..<grid.size.height { put(Self.row(y, of: cells, grid.size), 0..<grid.size.width, y) }
        finish(cells, nil, grid, hadTrueColor: hadTrueColor)
        last = ContiguousArray(cells)
        lastDrawn = grid.drawn
        lastIsKnown = Array(repeating: true, count: grid.size.height)
      } else {
        paint(cells, grid, hadTrueColor: hadTrueColor)
      }
    }
    lastSize = grid.size
    isStale = false
  }

  /// Looks only at rows that were drawn since: all cells of two frames are 270 KB, which no cache holds between keys.
  private mutating func paint(_ cells: UnsafeBufferPointer<Cell>, _ grid: Grid, hadTrueColor: Bool) {
    // Taken out, so that rows can be written to it while this is being changed.
    var old = ContiguousArray<Cell>()
    swap(&old, &last)
    old.withUnsafeMutableBufferPointer { old in
      let before = UnsafeBufferPointer(old)
      let drawn = (0..<grid.size.height).filter { grid.drawn[$0] == 0 || grid.drawn[$0] != lastDrawn[$0] }
      // A few rows ncurses compares itself, and nothing is kept of them: no more memory than that is touched for a key.
      let comparesFew = drawn.count <= Self.few && !hadTrueColor
      for y in drawn {
        let row = Self.row(y, of: cells, grid.size)
        let isKnown = !comparesFew && lastIsKnown[y]
        let columns = isKnown ? Self.changed(row, Self.row(y, of: before, grid.size)) : 0..<row.count
        if !columns.isEmpty { put(row, columns, y) }
        lastDrawn[y] = grid.drawn[y]
        if comparesFew { lastIsKnown[y] = false }
      }
      finish(cells, before, grid, hadTrueColor: hadTrueColor)
      // What lies under 24-bit colour must be known for the next frame.
      let mustKnowAll = rowHasTrueColor.contains(true)
      for y in mustKnowAll ? Array(0..<grid.size.height) : comparesFew ? [] : changedRows {
        let row = Self.row(y, of: cells, grid.size)
        for x in row.indices { old[y * grid.size.width + x] = row[x] }
        lastIsKnown[y] = true
      }
    }
    swap(&old, &last)
  }

  private static func row(_ y: Int, of cells: UnsafeBufferPointer<Cell>, _ size: Size) -> UnsafeBufferPointer<Cell> {
    UnsafeBufferPointer(rebasing: cells[(y * size.width)..<((y + 1) * size.width)])
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
    let size = grid.size
    // ncurses moves rows by scrolling, and knows nothing of what was painted over those that it moves along.
    let isDoubtful = hadTrueColor && changedRows.count > 1 && old.map { mayScroll(from: $0, to: cells, size) } != false
    if isDoubtful {
      changedRows += (0..<size.height).filter { rowHasTrueColor[$0] && !changedRows.contains($0) }
    }
    for y in changedRows {
      writer.paint(Self.row(y, of: cells, size), over: old.map { Self.row(y, of: $0, size) }, y: y)
    }
    var (cursorRow, cursorColumn): (Int32, Int32) = (0, 0)
    cn_cursor(&cursorRow, &cursorColumn)
    writer.finish(cursor: (Int(cursorRow), Int(cursorColumn))) { cn_write($0.baseAddress, $0.count) }
  }

  /// Whether a row that changed is now like another was: without such a pair ncurses has nothing to scroll. Cells with
  /// 24-bit colour count as alike, for in 256 colours they may be.
  private func mayScroll(
    from old: UnsafeBufferPointer<Cell>, to new: UnsafeBufferPointer<Cell>, _ size: Size
  ) -> Bool {
    let before = Set(changedRows.map { Self.digest(of: Self.row($0, of: old, size)) })
    return changedRows.contains { before.contains(Self.digest(of: Self.row($0, of: new, size))) }
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
