internal import Basics
import CNcurses
internal import POSIX
internal import TextUI

struct GridPainter {
  private let encoder: CellEncoder
  private var overlay: Overlay
  private var drawsGraphemes = false
  private var hadGraphemes = false
  /// `Grid.drawn` of the last paint; 0 for a row that must be passed to ncurses again.
  private var lastDrawn: ContiguousArray<UInt64> = []
  private var lastSize = Size(0, 0)
  /// The cells of the last paint if the overlay covered any, which ncurses does not see. Otherwise ncurses
  /// compares and nothing is kept: a frame of cells exceeds the cache that survives between two keys.
  private var last: ContiguousArray<Cell> = []
  private typealias OldRows = (Int) -> UnsafeBufferPointer<Cell>
  private var isStale = true
  private var isCovered: [Bool] = []
  /// Rows with half-blocks of 24-bit colour.
  private var isPictured: [Bool] = []
  private var changedRows: [Int] = []
  private var line: ContiguousArray<cn_cell> = []
  private var text: ContiguousArray<UInt8> = []
  private var writer: OverlayWriter
  private var stage = PictureStage()
  /// The frame that is painted has pictures of the terminal, or removes some.
  private var staged: PictureStage.Frame?

  init(_ colors: TerminalAbilities.Colors, ncursesColors: Int, hasHyperlinks: Bool) {
    encoder = CellEncoder(colors, ncursesColors: ncursesColors)
    overlay = Overlay(colors: colors == .trueColor, links: hasHyperlinks)
    writer = OverlayWriter(encoder)
  }

  /// The next `paint` passes every row; ncurses writes those that differ from its record of the screen.
  mutating func forget() {
    isStale = true
    stage.forget()
  }

  /// See `PictureStage.use`.
  mutating func use(_ mode: GraphicsMode, cell: Size, sharesMemory: Bool) {
    let leaving = stage.use(mode, cell: cell, sharesMemory: sharesMemory)
    Self.write(leaving)
  }

  /// The terminal draws clusters whole.
  mutating func drawGraphemes() { drawsGraphemes = true }

  mutating func paint(_ whole: Grid) {
    staged = stage.frame(of: whole)
    let grid = staged?.grid ?? whole
    let hasGraphemes = drawsGraphemes && !grid.graphemes.isEmpty
    overlay.graphemes = hasGraphemes || hadGraphemes
    hadGraphemes = hasGraphemes
    if cn_forget_pairs() { isStale = true }
    if lastSize != grid.size { isStale = true }
    if isStale {
      isCovered = Array(repeating: false, count: grid.size.height)
      isPictured = isCovered
      lastDrawn = ContiguousArray(repeating: 0, count: grid.size.height)
    }
    let wasCovered = isCovered.contains(true)
    changedRows.removeAll(keepingCapacity: true)
    // The overlay would not scroll with ncurses' cells.
    if !wasCovered, staged == nil { scroll(to: grid.drawn) }
    // Taken out to be read during mutating calls.
    var last = ContiguousArray<Cell>()
    swap(&last, &self.last)
    grid.withRows { rows in
      last.withUnsafeBufferPointer { last in
        let width = grid.size.width
        paint(rows, grid, over: wasCovered ? { .init(rebasing: last[($0 * width)..<(($0 + 1) * width)]) } : nil)
      }
      keep(rows, grid.size, in: &last)
    }
    swap(&last, &self.last)
    lastSize = grid.size
    isStale = false
  }

  private mutating func paint(_ rows: Grid.Rows, _ grid: Grid, over old: OldRows?) {
    // ncurses would scroll rows that have moved. Terminals scroll their pictures with them, and a picture of half-blocks
    // would have to be written again as a whole.
    let separately = staged != nil || old != nil && isPictured.contains(true)
    if let staged { begin(staged) }
    for y in 0..<grid.size.height where grid.drawn[y] == 0 || grid.drawn[y] != lastDrawn[y] {
      let row = rows[y]
      let columns = old.map { Self.changed(row, $0(y)) } ?? 0..<row.count
      if !columns.isEmpty {
        if separately, staged == nil, changedRows.isEmpty { Self.write(Self.beginning) }
        put(row, columns, y)
        isCovered[y] = covers(row, grid.links)
        isPictured[y] = overlay.colors && row.contains { $0.base == 0x2580 && $0.style.isTrueColor }
        if separately { cn_flush(Int32(grid.cursor?.y ?? -1), Int32(grid.cursor?.x ?? -1)) }
      }
      lastDrawn[y] = grid.drawn[y]
    }
    finish(rows, grid, over: old, separately)
  }

  private func keep(_ rows: Grid.Rows, _ size: Size, in last: inout ContiguousArray<Cell>) {
    guard isCovered.contains(true) else { return }
    last.removeAll(keepingCapacity: true)
    for y in 0..<size.height { last.append(contentsOf: rows[y]) }
  }

  /// Scrolls ncurses' cells if rows have moved, which leaves only the other rows to pass. ncurses would detect the
  /// scroll itself and write the same bytes, but only after receiving all rows.
  private mutating func scroll(to drawn: ContiguousArray<UInt64>) {
    guard let move = RowMove(from: lastDrawn, to: drawn) else { return }
    guard cn_scroll(Int32(move.rows.lowerBound), Int32(move.rows.upperBound - 1), Int32(move.distance)) else { return }
    move.apply(to: &lastDrawn)
  }

  private mutating func put(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) {
    // From right to left: a run that begins at the former right half of a wide glyph clears the cell before it.
    var end = columns.upperBound
    while end > columns.lowerBound {
      let isPlain = row[end - 1].isPrintableASCII
      var start = end - 1
      while start > columns.lowerBound, row[start - 1].isPrintableASCII == isPlain { start -= 1 }
      if isPlain { putPlain(row, start..<end, y) } else { putAny(row, start..<end, y) }
      end = start
    }
    changedRows.append(y)
  }

  @inline(__always)
  private func covers(_ row: UnsafeBufferPointer<Cell>, _ links: Hyperlinks) -> Bool {
    guard overlay.colors || overlay.links && !links.isEmpty || overlay.graphemes else { return false }
    return row.contains { overlay.covers($0) }
  }

  /// Passes printable ASCII with one call per run of equal style, one byte a cell. That takes a quarter of the
  /// instructions of other cells, and no extra memory.
  private mutating func putPlain(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) {
    if text.count < row.count { text = ContiguousArray(repeating: 0, count: row.count) }
    let encoder = encoder
    text.withUnsafeMutableBufferPointer { text in
      var start = columns.lowerBound
      while start < columns.upperBound {
        let style = row[start].style
        var end = start
        while end < columns.upperBound, row[end].style == style {
          text[end - start] = UInt8(truncatingIfNeeded: row[end].base)
          end += 1
        }
        cn_put_text(Int32(y), Int32(start), text.baseAddress, Int32(end - start), encoder.look(of: style))
        start = end
      }
    }
  }

  private mutating func putAny(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ y: Int) {
    line.removeAll(keepingCapacity: true)
    encoder.encode(row, columns, into: &line)
    line.withUnsafeBufferPointer { cn_put(Int32(y), Int32(columns.lowerBound), $0.baseAddress, Int32($0.count)) }
  }

  private mutating func finish(_ rows: Grid.Rows, _ grid: Grid, over old: OldRows?, _ separately: Bool) {
    let cursor = (row: Int32(grid.cursor?.y ?? -1), column: Int32(grid.cursor?.x ?? -1))
    guard staged != nil || !changedRows.isEmpty else { return cn_flush(cursor.row, cursor.column) }
    // Terminals show a frame as one change, however many pieces reach them.
    if !separately { Self.write(Self.beginning) }
    cn_flush(cursor.row, cursor.column)
    guard staged != nil || old != nil || isCovered.contains(true) else { return Self.write(OverlayWriter.ending) }
    writer.begin(overlay)
    // ncurses scrolls rows without the overlay.
    var isWhole = staged != nil
    if let old, !separately, changedRows.count > 1, mayScroll(from: old, to: rows) {
      isWhole = true
      changedRows += (0..<grid.size.height).filter { isCovered[$0] && !changedRows.contains($0) }
    }
    for y in changedRows { writer.paint(rows[y], over: old?(y), isWhole: isWhole, y: y, grid) }
    var (cursorRow, cursorColumn): (Int32, Int32) = (0, 0)
    cn_cursor(&cursorRow, &cursorColumn)
    writer.finish(cursor: (Int(cursorRow), Int(cursorColumn)), pictures: staged?.after ?? []) {
      cn_write($0.baseAddress, $0.count)
    }
    staged = nil
    keepLeaving()
  }

  /// Begins the change of the screen, and erases where pictures were.
  private func begin(_ staged: PictureStage.Frame) {
    var bytes = Self.beginning
    if !staged.before.isEmpty {
      var (row, column): (Int32, Int32) = (0, 0)
      cn_cursor(&row, &column)
      bytes += staged.before
      bytes.append(moveTo: Point(Int(column), Int(row)))
    }
    Self.write(bytes)
  }

  /// Of a synchronized update.
  private static let beginning = Array("\u{1B}[?2026h".utf8)

  private static func write(_ bytes: [UInt8]) { if !bytes.isEmpty { cn_write(bytes, bytes.count) } }

  /// However the process ends, the pictures go.
  private func keepLeaving() {
    let leaving = stage.leaving
    cn_keep_pictures(leaving, leaving.count)
  }

  /// ncurses has nothing to scroll unless a changed row resembles the former content of a changed row. Cells with
  /// 24-bit colour count as equal because they may be equal in 256 colours, and clusters because their placeholders may.
  private func mayScroll(from old: OldRows, to new: Grid.Rows) -> Bool {
    let before = Set(changedRows.map { Self.digest(of: old($0)) })
    return changedRows.contains { before.contains(Self.digest(of: new[$0])) }
  }

  private static func digest(of row: UnsafeBufferPointer<Cell>) -> UInt64 {
    var digest = FNV1a()
    func add(_ value: UInt32) { digest.add(UInt64(value)) }
    for cell in row {
      let mayBeEqual = cell.style.isTrueColor || cell.grapheme != nil
      add(mayBeEqual ? 1 : cell.base ^ cell.mark1 << 3 ^ cell.mark2 << 7)
      if mayBeEqual { continue }
      add(cell.style.foreground.code ^ UInt32(cell.style.attributes.rawValue) << 8)
      add(cell.style.background.code)
    }
    return digest.value
  }

  /// From the first to the last difference, including the whole of a wide glyph at either end.
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

struct RowMove: Equatable {
  /// Fewer rows are as fast to write again.
  private static let fewest = 4

  /// Rows that moved out at one end are gone; those at the other end are empty.
  let rows: Range<Int>
  /// Positive is up.
  let distance: Int

  /// Compares drawing numbers (`Grid.drawn`). nil if too few rows moved.
  init?(from old: ContiguousArray<UInt64>, to new: ContiguousArray<UInt64>) {
    guard old.count == new.count,
      let (first, distance) = new.indices.lazy.compactMap({ row -> (Int, Int)? in
        guard new[row] != 0, new[row] != old[row] else { return nil }
        return old.firstIndex(of: new[row]).map { (row, $0 - row) }
      }).first
    else { return nil }
    var (last, count) = (first, 0)
    for row in first..<new.count where old.indices.contains(row + distance) && old[row + distance] == new[row] {
      last = row
      count += 1
    }
    guard count >= Self.fewest else { return nil }
    rows = min(first, first + distance)..<(max(last, last + distance) + 1)
    self.distance = distance
  }

  func apply(to drawn: inout ContiguousArray<UInt64>) {
    let old = drawn
    for row in rows { drawn[row] = rows.contains(row + distance) ? old[row + distance] : 0 }
  }
}
