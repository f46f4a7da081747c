/// What a screen draws on: a part of a grid. Places are relative to the part's top left; what lies outside is cut.
public struct Canvas: Sendable {
  /// The whole grid.
  public internal(set) var grid: Grid
  /// Which part of the grid this is.
  public internal(set) var bounds: Rect
  /// The number of the frame that is drawn; 0 until `begin`.
  var frame: UInt64 = 0
  /// How many drawings of rows have a number, and how many had one when the frame began.
  var drawings: UInt64 = 0
  var drawingsBefore: UInt64 = 0
  /// What is known of the grid's rows from earlier frames.
  var rows: ContiguousArray<Row>

  /// A canvas over an empty screen.
  public init(_ size: Size) {
    grid = Grid(size)
    bounds = Rect(0, 0, grid.size.width, grid.size.height)
    rows = ContiguousArray(repeating: Row(), count: grid.size.height)
  }

  /// Columns and rows of this part.
  public var size: Size { Size(bounds.width, bounds.height) }

  /// Draws inside a part of this part, which is first cut to this part.
  public mutating func inside(_ part: Rect, _ draw: (inout Canvas) -> Void) {
    let outer = bounds
    bounds = Rect(outer.x + part.x, outer.y + part.y, part.width, part.height).intersection(outer)
    draw(&self)
    bounds = outer
  }

  /// Writes one line of text through `GlyphReader`, at most `width` columns (to the right border without it).
  /// - Returns: the columns used.
  @discardableResult
  public mutating func text(
    _ text: String, x: Int, y: Int, style: Style = .plain, width: Int? = nil
  ) -> Int {
    self.text(Array(text.utf8)[...], x: x, y: y, style: style, width: width)
  }

  /// Writes one line of UTF-8 bytes; see the other `text`. Text that does not fit ends in `~`.
  @discardableResult
  public mutating func text(
    _ bytes: ArraySlice<UInt8>, x: Int, y: Int, style: Style = .plain, width: Int? = nil, tabWidth: Int? = nil
  ) -> Int {
    let limit = min(width ?? .max, size.width - x)
    guard limit > 0, y >= 0, y < size.height else { return 0 }
    if x >= 0, let used = bytes.withUnsafeBufferPointer({ plain($0, x: x, y: y, style: style, limit) }) { return used }
    var used = 0
    var reader = GlyphReader(bytes, tabWidth: tabWidth)
    while let glyph = reader.next() {
      if used + glyph.width > limit || used + glyph.width == limit && glyph.range.upperBound < bytes.endIndex {
        while used < limit - 1 { used += cell(Cell(base: 0x20, style: style), x: x + used, y: y) }
        cell(Cell(base: 0x7E, style: style), x: x + limit - 1, y: y)
        return limit
      }
      used += self.glyph(glyph, x: x + used, y: y, style: style)
    }
    return used
  }

  /// Writes a short text, which is cut at the right border.
  public mutating func text(_ text: ShortText, x: Int, y: Int, style: Style = .plain) {
    guard x >= 0, x < size.width, y >= 0, y < size.height else { return }
    let limit = size.width - x
    text.withBytes { _ = plain($0, x: x, y: y, style: style, limit) }
  }

  /// Printable ASCII, which is most of what is drawn: a byte is a cell. A third of the time of a key otherwise goes
  /// into making glyphs of it. Nil, and nothing drawn, for anything else.
  private mutating func plain(
    _ bytes: UnsafeBufferPointer<UInt8>, x: Int, y: Int, style: Style, _ limit: Int
  ) -> Int? {
    for byte in bytes where byte < 0x20 || byte >= 0x7F { return nil }
    guard !bytes.isEmpty else { return 0 }
    let row = bounds.y + y
    let used = min(limit, bytes.count)
    touch(row)
    let first = bounds.x + x
    let last = first + used - 1
    // Only at its ends can it cut through wide glyphs.
    if grid[first, row].width != 1 { release(first, row) }
    if grid[last, row].width != 1 { release(last, row) }
    grid.changeRow(row) { cells in
      for offset in 0..<used { cells[first + offset] = Cell(base: UInt32(bytes[offset]), style: style) }
      if bytes.count > limit { cells[last].base = 0x7E }
    }
    return used
  }

  /// Writes one glyph. Returns its columns.
  @discardableResult
  public mutating func glyph(_ glyph: Glyph, x: Int, y: Int, style: Style) -> Int {
    if glyph.isEscape || glyph.isTab {
      let style = glyph.isEscape ? style.with(.underline) : style
      for (offset, scalar) in glyph.scalars.enumerated() {
        cell(Cell(base: scalar.value, style: style), x: x + offset, y: y)
      }
      return glyph.width
    }
    let scalars = glyph.scalars
    return cell(
      Cell(
        base: scalars[0].value, mark1: scalars.count > 1 ? scalars[1].value : 0,
        mark2: scalars.count > 2 ? scalars[2].value : 0, width: UInt8(glyph.width), style: style),
      x: x, y: y)
  }

  /// Writes one cell, and the right half of a wide one. A wide glyph that it cuts through becomes a space. A control
  /// becomes a question mark: whoever makes cells, none drives the terminal.
  /// - Returns: the cell's columns.
  @discardableResult
  public mutating func cell(_ cell: Cell, x: Int, y: Int) -> Int {
    let width = Int(cell.width)
    guard x >= 0, y >= 0, x + max(1, width) <= size.width, y < size.height else { return width }
    let column = bounds.x + x
    let row = bounds.y + y
    touch(row)
    for place in column..<(column + max(1, width)) { release(place, row) }
    grid[column, row] = cell
    if width > 0, cell.base < 0x20 || cell.base &- 0x7F < 0x21 { grid[column, row].base = 0x3F }
    if width == 2 { grid[column + 1, row] = Cell(base: 0, width: 0, style: cell.style) }
    return width
  }

  /// Fills a part with a character.
  public mutating func fill(_ part: Rect, with scalar: Unicode.Scalar = " ", style: Style) {
    let part = part.intersection(Rect(0, 0, size.width, size.height))
    guard part.width > 0 else { return }
    for y in part.y..<(part.y + part.height) {
      // The first and the last may cut through wide glyphs.
      cell(Cell(base: scalar.value, style: style), x: part.x, y: y)
      cell(Cell(base: scalar.value, style: style), x: part.x + part.width - 1, y: y)
      let first = bounds.x + part.x
      grid.changeRow(bounds.y + y) { $0[first..<(first + part.width)].update(repeating: $0[first]) }
    }
  }

  /// Shows the terminal's cursor at a place; outside this part it stays hidden.
  public mutating func showCursor(x: Int, y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    grid.cursor = Point(bounds.x + x, bounds.y + y)
  }

  /// Puts the cursor back where it was: for a part that drew one and is not the part in use.
  public mutating func restoreCursor(_ cursor: Point?) { grid.cursor = cursor }

  private mutating func release(_ column: Int, _ row: Int) {
    let old = grid[column, row]
    if old.width == 0, column > 0 {
      grid[column - 1, row] = Cell(base: 0x20, style: grid[column - 1, row].style)
    } else if old.width == 2, column + 1 < grid.size.width {
      grid[column + 1, row] = Cell(base: 0x20, style: old.style)
    }
  }
}
