/// Drawing frame after frame on one canvas. What stays from one to the next is not drawn again: between two keys most
/// lines of a list are the same, and drawing all of them took nine tenths of a key's time.
extension Canvas {
  /// What is known of a row of the grid.
  struct Row: Sendable {
    /// The frame that has it on the screen: drawn in it, or kept from before.
    var seen: UInt64 = 0
    /// What all of the row was drawn from; nil when that is not known.
    var content: Int?
    /// How many columns are in reverse, because it is selected.
    var selected = 0
    /// Only spaces.
    var isBlank = true
  }

  /// Begins a frame, on an empty screen. Everything is drawn anew when the size is another one.
  public mutating func begin(_ size: Size) {
    let (frame, drawings) = (frame, drawings)
    if size != grid.size {
      self = Canvas(size)
      // The number of a blank row.
      self.drawings = drawings + 1
      grid.drawn = ContiguousArray(repeating: self.drawings, count: grid.size.height)
    }
    self.frame = frame + 1
    drawingsBefore = self.drawings
    grid.cursor = nil
  }

  /// Ends a frame: what was neither drawn in it nor kept is empty.
  public mutating func end() {
    for row in rows.indices where rows[row].seen != frame { clear(row) }
  }

  /// Draws this part, unless it shows the same content already: then its cells stay. That works for a part which is a
  /// whole line of the screen and on which nothing else was drawn; any other part is drawn.
  ///
  /// `content` has all that decides what is drawn; its hash value is kept. That two contents which follow each other on
  /// a line have the same one is a chance of 1 in 2^64.
  ///
  /// `selected` is for the selected line of a list: so many of its columns are in reverse, with a `>` in the second.
  /// `draw` knows nothing of it: a selection that moves turns two lines over and draws nothing.
  public mutating func line(of content: Int, selected columns: Int = 0, _ draw: (inout Canvas) -> Void) {
    let isSelected = columns > 0
    let row = bounds.y
    let isWhole = frame > 0 && bounds.height == 1 && bounds.x == 0 && bounds.width == grid.size.width
    guard isWhole, rows[row].seen != frame else {
      draw(&self)
      if isSelected { turn(columns, isSelected: true) }
      return
    }
    if rows[row].content == content {
      rows[row].seen = frame
      if rows[row].selected != columns {
        if rows[row].selected > 0 { turn(rows[row].selected, isSelected: false) }
        if isSelected { turn(columns, isSelected: true) }
      }
    } else {
      let cursor = grid.cursor
      clear(row)
      draw(&self)
      if isSelected { turn(columns, isSelected: true) }
      // A cursor is not part of the cells.
      rows[row].content = grid.cursor == cursor ? content : nil
    }
    rows[row].selected = columns
  }

  /// For a list, before its lines are drawn on this part: when it has been scrolled since the last frame, the lines that
  /// stay in view move, and `line` then finds them at their places. To draw them all one line further up took a key twice
  /// the instructions and a third more lines of the cache.
  ///
  /// `content` is what `line` will be called with. It need not be right: whatever lies at a place, `line` draws what is to
  /// be there.
  public mutating func scrollLines(_ content: (_ line: Int) -> Int?) {
    let lines = bounds.y..<(bounds.y + bounds.height)
    guard frame > 0, bounds.x == 0, bounds.width == grid.size.width, lines.allSatisfy({ rows[$0].seen != frame })
    else { return }
    // The first line that was there before tells how far all have moved.
    for line in lines {
      guard let content = content(line - lines.lowerBound) else { return }
      guard let place = lines.first(where: { rows[$0].content == content }) else { continue }
      guard place != line else { return }
      let first = place > line ? lines.lowerBound + place - line : lines.upperBound + place - line
      grid.rotate(lines, toStartAt: first)
      rows.rotate(lines, toStartAt: first)
      return
    }
  }

  /// Puts columns into reverse, or back.
  private mutating func turn(_ columns: Int, isSelected: Bool) {
    let row = bounds.y
    guard bounds.height == 1, grid.size.height > row, columns <= bounds.width else { return }
    let content = rows[row].content
    touch(row)
    rows[row].content = content
    let first = bounds.x
    grid.changeRow(row) { cells in
      for column in first..<(first + columns) { cells[column].style.attributes.formSymmetricDifference(.reverse) }
      if columns > 1 { cells[first + 1].base = isSelected ? 0x3E : 0x20 }
    }
  }

  /// Something is about to be drawn on a row.
  @inline(__always)
  mutating func touch(_ row: Int) {
    guard frame > 0 else { return }
    if rows[row].seen != frame { clear(row) }
    number(row)
    // Drawn over a line that was kept, for instance by a dialog.
    rows[row].content = nil
    rows[row].isBlank = false
  }

  private mutating func clear(_ row: Int) {
    rows[row].seen = frame
    guard !rows[row].isBlank else { return }
    grid.changeRow(row) { $0.update(repeating: .blank) }
    number(row)
    rows[row].content = nil
    rows[row].isBlank = true
  }

  /// Gives a row the number of a new drawing, once a frame: who looks at the grid sees only frames that have ended.
  @inline(__always)
  private mutating func number(_ row: Int) {
    guard grid.drawn[row] <= drawingsBefore else { return }
    drawings += 1
    grid.drawn[row] = drawings
  }
}
