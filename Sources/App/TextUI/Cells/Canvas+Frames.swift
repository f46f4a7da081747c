/// Successive frames on one canvas. Unchanged lines are not drawn again: drawing all lines of a list took nine tenths
/// of a key's time.
extension Canvas {
  /// A row of the grid after earlier frames, or its part in a pane.
  struct Part: Sendable {
    var seen: UInt64 = 0
    /// The content's hash; nil if unknown.
    var content: Int?
    var selected = 0
    /// The character under the `>` of the selection.
    var covered: UInt32 = 0x20
    var isBlank = true
  }

  /// Begins a frame on an empty screen. A change of size redraws everything.
  public mutating func begin(_ size: Size) {
    if size != grid.size {
      let (frame, drawings, theme, isASCII) = (frame, drawings, theme, isASCII)
      let (links, graphemes) = (grid.links, grid.graphemes)
      self = Canvas(size)
      (self.frame, self.theme, self.isASCII) = (frame, theme, isASCII)
      (grid.links, grid.graphemes) = (links, graphemes)
      self.drawings = drawings + 1
      grid.drawn = ContiguousArray(repeating: self.drawings, count: grid.size.height)
    }
    if grid.links.isFull {
      grid.links.forget()
      forgetLines()
    }
    if grid.graphemes.isFull {
      grid.graphemes.forget()
      forgetLines()
    }
    frame += 1
    drawingsBefore = drawings
    grid.cursor = nil
  }

  /// Clears rows that were neither drawn nor kept.
  public mutating func end() {
    for row in 0..<grid.size.height {
      for pane in 0...(split == nil ? 0 : 1) where parts[row * 2 + pane].seen != frame { clear(row, pane) }
    }
    forgetPictures()
  }

  mutating func forgetLines() { for part in parts.indices { parts[part].content = nil } }

  @inline(__always)
  private func columns(of pane: Int) -> Range<Int> {
    guard let split, split < grid.size.width else { return 0..<grid.size.width }
    return pane == 0 ? 0..<split : split..<grid.size.width
  }

  @inline(__always)
  private var panes: ClosedRange<Int> {
    guard let split else { return 0...0 }
    let first = bounds.x < split ? 0 : 1
    return first...(bounds.x + bounds.width > split ? 1 : first)
  }

  private var coversPanes: Bool {
    let panes = panes
    return bounds.x == columns(of: panes.lowerBound).lowerBound
      && bounds.x + bounds.width == columns(of: panes.upperBound).upperBound
  }

  /// Draws this part, or keeps its cells if the content is unchanged. Only a whole line of the screen or a pane that
  /// nothing else drew on can be kept.
  /// `content` is a hash of everything that decides the drawing; two successive contents of a line collide with
  /// probability 2^-64.
  /// `selected` is the number of columns under the selection's bar, with a `>` in the second. `draw` ignores the
  /// selection, so moving it changes two lines without drawing.
  public mutating func line(of content: Int, selected columns: Int = 0, _ draw: (inout Canvas) -> Void) {
    let isSelected = columns > 0
    let row = bounds.y
    let panes = panes
    guard frame > 0, bounds.height == 1, coversPanes, panes.allSatisfy({ parts[row * 2 + $0].seen != frame }) else {
      draw(&self)
      if isSelected { turn(columns, isSelected: true) }
      return
    }
    let first = row * 2 + panes.lowerBound
    if panes.allSatisfy({ parts[row * 2 + $0].content == content }) {
      for pane in panes { parts[row * 2 + pane].seen = frame }
      if parts[first].selected != columns {
        if parts[first].selected > 0 { turn(parts[first].selected, isSelected: false) }
        if isSelected { turn(columns, isSelected: true) }
      }
    } else {
      let cursor = grid.cursor
      for pane in panes { clear(row, pane) }
      draw(&self)
      if isSelected { turn(columns, isSelected: true) }
      // The cursor is not part of the cells.
      for pane in panes { parts[row * 2 + pane].content = grid.cursor == cursor ? content : nil }
    }
    parts[first].selected = columns
  }

  /// Moves the lines of a scrolled list; call it before they are drawn on this part. `line` then finds them in place;
  /// redrawing them cost a key twice the instructions and a third more cache lines. Beside another pane nothing moves.
  /// `content` returns the content for `line`. A wrong value is harmless: `line` redraws any row whose content differs.
  public mutating func scrollLines(_ content: (_ line: Int) -> Int?) {
    let lines = bounds.y..<(bounds.y + bounds.height)
    guard split == nil, frame > 0, bounds.x == 0, bounds.width == grid.size.width,
      lines.allSatisfy({ parts[$0 * 2].seen != frame })
    else { return }
    for line in lines {
      guard let content = content(line - lines.lowerBound) else { return }
      guard let place = lines.first(where: { parts[$0 * 2].content == content }) else { continue }
      guard place != line else { return }
      let first = place > line ? lines.lowerBound + place - line : lines.upperBound + place - line
      grid.rotate(lines, toStartAt: first)
      parts.rotate(lines.lowerBound * 2..<lines.upperBound * 2, toStartAt: first * 2)
      return
    }
  }

  /// Puts columns under the selection's bar, or back.
  private mutating func turn(_ columns: Int, isSelected: Bool) {
    let row = bounds.y
    guard bounds.height == 1, grid.size.height > row, columns <= bounds.width else { return }
    let part = row * 2 + panes.lowerBound
    let content = parts[part].content
    touch(row)
    parts[part].content = content
    let first = bounds.x
    let bar = theme[.selection]
    var covered = parts[part].covered
    grid.changeRow(row) { cells in
      for column in first..<(first + columns) {
        cells[column].style.attributes.formSymmetricDifference(bar.attributes)
        if bar.background != .standard { cells[column].style.turn(bar, isSelected: isSelected) }
      }
      guard columns > 1 else { return }
      if isSelected { covered = cells[first + 1].base }
      cells[first + 1].base = isSelected ? 0x3E : covered
    }
    parts[part].covered = covered
  }

  /// Call it before drawing on a row.
  @inline(__always)
  mutating func touch(_ row: Int) {
    guard frame > 0 else { return }
    number(row)
    for pane in panes {
      let part = row * 2 + pane
      if parts[part].seen != frame { clear(row, pane) }
      // A dialog, for instance, drew over a kept line.
      parts[part].content = nil
      parts[part].isBlank = false
    }
  }

  private mutating func clear(_ row: Int, _ pane: Int) {
    let part = row * 2 + pane
    parts[part].seen = frame
    guard !parts[part].isBlank else { return }
    let columns = columns(of: pane)
    grid.changeRow(row) { UnsafeMutableBufferPointer(rebasing: $0[columns]).update(repeating: .blank) }
    number(row)
    parts[part].content = nil
    parts[part].isBlank = true
  }

  /// At most once a frame: readers see the grid only between frames.
  @inline(__always)
  private mutating func number(_ row: Int) {
    guard grid.drawn[row] <= drawingsBefore else { return }
    drawings += 1
    grid.drawn[row] = drawings
  }
}

extension Style {
  /// Puts the selection's bar under a cell without its own background, or takes it away.
  @inline(__always)
  fileprivate mutating func turn(_ bar: Style, isSelected: Bool) {
    if isSelected, background == .standard {
      background = bar.background
      if foreground == .standard { foreground = bar.foreground }
    } else if !isSelected, background == bar.background {
      background = .standard
      if foreground == bar.foreground { foreground = .standard }
    }
  }
}
