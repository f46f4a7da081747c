/// A drawing surface on a part of a grid. Coordinates are relative to its top left; drawing outside it is cut.
public struct Canvas: Sendable {
  public internal(set) var grid: Grid
  public internal(set) var bounds: Rect
  /// 0 until `begin`.
  var frame: UInt64 = 0
  /// The last drawing number of a row, now and at the start of the frame.
  var drawings: UInt64 = 0
  var drawingsBefore: UInt64 = 0
  /// Of the cells that are drawn next; 0 for no link.
  var link: UInt16 = 0
  /// A new theme redraws everything.
  public var theme = Theme.colourless {
    didSet { if theme != oldValue { forgetLines() } }
  }
  public var isASCII = false {
    didSet { if isASCII != oldValue { forgetLines() } }
  }
  /// The right pane's first column; nil for one pane. Each pane keeps its own lines. Set it before drawing a frame.
  public var split: Int? {
    didSet {
      guard split != oldValue else { return }
      for part in parts.indices { (parts[part].content, parts[part].isBlank) = (nil, false) }
    }
  }
  /// For each row its left pane, or all of it, then its right pane.
  var parts: ContiguousArray<Part>

  public init(_ size: Size) {
    grid = Grid(size)
    bounds = Rect(0, 0, grid.size.width, grid.size.height)
    parts = ContiguousArray(repeating: Part(), count: grid.size.height * 2)
  }

  public var size: Size { Size(bounds.width, bounds.height) }

  public mutating func inside(_ part: Rect, _ draw: (inout Canvas) -> Void) {
    let outer = bounds
    bounds = Rect(outer.x + part.x, outer.y + part.y, part.width, part.height).intersection(outer)
    draw(&self)
    bounds = outer
  }

  /// Writes one line through `GlyphReader`, in at most `width` columns, by default up to the right border. Text that
  /// does not fit ends in `~`. Returns the columns used.
  @discardableResult
  public mutating func text(
    _ text: String, x: Int, y: Int, style: Style = .plain, width: Int? = nil
  ) -> Int {
    self.text(Array(text.utf8)[...], x: x, y: y, style: style, width: width)
  }

  /// Like the `text` above, for UTF-8 bytes.
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

  public mutating func text(_ text: ShortText, x: Int, y: Int, style: Style = .plain) {
    guard x >= 0, x < size.width, y >= 0, y < size.height else { return }
    let limit = size.width - x
    text.withBytes { _ = plain($0, x: x, y: y, style: style, limit) }
  }

  /// Writes printable ASCII, one byte a cell, which is most text; the glyph path costs a third of a key's time. nil,
  /// without drawing, for other text.
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
    // Only the ends can cut wide glyphs.
    if grid[first, row].width != 1 { release(first, row) }
    if grid[last, row].width != 1 { release(last, row) }
    grid.changeRow(row) { cells in
      for offset in 0..<used { cells[first + offset] = Cell(base: UInt32(bytes[offset]), link: link, style: style) }
      if bytes.count > limit { cells[last].base = 0x7E }
    }
    return used
  }

  @discardableResult
  public mutating func glyph(_ glyph: Glyph, x: Int, y: Int, style: Style) -> Int {
    if glyph.isEscape || glyph.isTab {
      let style = glyph.isEscape ? style.with(.underline) : style
      for (offset, scalar) in glyph.scalars.enumerated() {
        cell(Cell(base: scalar.value, style: style), x: x + offset, y: y)
      }
      return glyph.width
    }
    if glyph.isWhole { return whole(glyph, x: x, y: y, style: style) }
    let scalars = glyph.scalars
    return cell(
      Cell(
        base: scalars[0].value, mark1: scalars.count > 1 ? scalars[1].value : 0,
        mark2: scalars.count > 2 ? scalars[2].value : 0, width: UInt8(glyph.width), style: style),
      x: x, y: y)
  }

  /// Writes one cell, and the right half of a wide one; returns its columns. A wide glyph that it cuts becomes a space,
  /// and a control a question mark, because no cell may drive the terminal.
  @discardableResult
  public mutating func cell(_ cell: Cell, x: Int, y: Int) -> Int {
    let width = Int(cell.width)
    guard x >= 0, y >= 0, x + max(1, width) <= size.width, y < size.height else { return width }
    let column = bounds.x + x
    let row = bounds.y + y
    touch(row)
    for place in column..<(column + max(1, width)) { release(place, row) }
    grid[column, row] = cell
    grid[column, row].link = link
    if width > 0, cell.base < 0x20 || cell.base &- 0x7F < 0x21 { grid[column, row].base = 0x3F }
    if width == 2 { grid[column + 1, row] = Cell(base: 0, width: 0, link: link, style: cell.style) }
    return width
  }

  public mutating func fill(_ part: Rect, with scalar: Unicode.Scalar = " ", style: Style) {
    let part = part.intersection(Rect(0, 0, size.width, size.height))
    guard part.width > 0 else { return }
    for y in part.y..<(part.y + part.height) {
      // The first and the last cell may cut wide glyphs.
      cell(Cell(base: scalar.value, style: style), x: part.x, y: y)
      cell(Cell(base: scalar.value, style: style), x: part.x + part.width - 1, y: y)
      let first = bounds.x + part.x
      grid.changeRow(bounds.y + y) { $0[first..<(first + part.width)].update(repeating: $0[first]) }
    }
  }

  /// The cursor stays hidden outside this part.
  public mutating func showCursor(x: Int, y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    grid.cursor = Point(bounds.x + x, bounds.y + y)
  }

  /// For a part that is not in use and has drawn a cursor.
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

extension Canvas {
  /// Like `text`, with the look of `role` on glyphs that begin in `places`. A long text is cut to show these, at its
  /// beginning too. The first bytes may have a style of their own.
  public mutating func text(
    _ bytes: ArraySlice<UInt8>, x: Int, y: Int, style: Style = .plain, width: Int,
    places: [Range<Int>], marked role: Role = .match, lead: (bytes: Int, style: Style)? = nil
  ) {
    guard !places.isEmpty || lead != nil else {
      text(bytes, x: x, y: y, style: style, width: width)
      return
    }
    let limit = min(width, size.width - x)
    var marked = theme[role]
    marked.attributes.formUnion(style.attributes)
    marked.background = style.background
    let skipped = Self.columnsToSkip(bytes, showing: places, in: limit)
    var used = 0
    var column = 0
    if skipped > 0 { used = text("~", x: x, y: y, style: style) }
    var reader = GlyphReader(bytes)
    while let glyph = reader.next() {
      defer { column += glyph.width }
      guard column >= skipped else { continue }
      let place = glyph.range.lowerBound - bytes.startIndex
      let isInPlace = places.contains { $0.contains(place) }
      if used + glyph.width > limit || used + glyph.width == limit && glyph.range.upperBound < bytes.endIndex {
        text("~", x: x + max(0, limit - 1), y: y, style: style)
        return
      }
      let plain = lead.flatMap { place < $0.bytes ? $0.style : nil } ?? style
      used += self.glyph(glyph, x: x + used, y: y, style: isInPlace ? marked : plain)
    }
  }

  /// Columns to skip at the beginning to show all places, or at least the first.
  private static func columnsToSkip(_ bytes: ArraySlice<UInt8>, showing places: [Range<Int>], in limit: Int) -> Int {
    var (total, first, last) = (0, Int.max, 0)
    for glyph in GlyphReader(bytes) {
      let place = glyph.range.lowerBound - bytes.startIndex
      if places.contains(where: { $0.contains(place) }) {
        first = min(first, total)
        last = total + glyph.width
      }
      total += glyph.width
    }
    // Each cut takes one column for its mark.
    guard total > limit, last > limit - 1, limit > 2 else { return 0 }
    let context = 3
    let end = min(total, last + context)
    let room = limit - (end < total ? 2 : 1)
    return max(0, min(end - room, first))
  }
}
