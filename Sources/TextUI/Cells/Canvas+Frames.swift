/// Drawing frame after frame on one canvas. What stays from one to the next is not drawn again: between two keys most
/// lines of a list are the same, and drawing all of them took nine tenths of a key's time.
extension Canvas {
  /// What is known of a row of the grid.
  struct Row: Sendable {
    /// The frame that has it on the screen: drawn in it, or kept from before.
    var seen: UInt64 = 0
    /// What all of the row was drawn from; nil when that is not known.
    var content: Int?
    /// Only spaces.
    var isBlank = true
  }

  /// Begins a frame, on an empty screen. Everything is drawn anew when the size is another one.
  public mutating func begin(_ size: Size) {
    let next = frame + 1
    if size != grid.size {
      self = Canvas(size)
      grid.drawn = ContiguousArray(repeating: next, count: grid.size.height)
    }
    frame = next
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
  public mutating func line(of content: Int, _ draw: (inout Canvas) -> Void) {
    guard frame > 0, bounds.height == 1, bounds.x == 0, bounds.width == grid.size.width else { return draw(&self) }
    let row = bounds.y
    guard rows[row].seen != frame else { return draw(&self) }
    if rows[row].content == content {
      rows[row].seen = frame
      return
    }
    let cursor = grid.cursor
    clear(row)
    draw(&self)
    // A cursor is not part of the cells.
    if grid.cursor == cursor { rows[row].content = content }
  }

  /// Something is about to be drawn on a row.
  @inline(__always)
  mutating func touch(_ row: Int) {
    guard frame > 0 else { return }
    if rows[row].seen != frame { clear(row) }
    // Drawn over a line that was kept, for instance by a dialog.
    grid.drawn[row] = frame
    rows[row].content = nil
    rows[row].isBlank = false
  }

  private mutating func clear(_ row: Int) {
    rows[row].seen = frame
    guard !rows[row].isBlank else { return }
    let width = grid.size.width
    for place in (row * width)..<((row + 1) * width) { grid.cells[place] = .blank }
    grid.drawn[row] = frame
    rows[row].content = nil
    rows[row].isBlank = true
  }
}
