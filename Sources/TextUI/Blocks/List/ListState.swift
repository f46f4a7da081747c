/// Which row of a list is selected and which rows are in view. Knows the number of rows, not the rows: nothing here
/// costs more for more rows.
public struct ListState: Hashable, Sendable {
  /// A way to move the selection.
  public enum Move: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  /// How many rows there are.
  public private(set) var count: Int
  /// The selected row; 0 without rows.
  public private(set) var selection = 0
  /// The first row in view.
  public private(set) var top = 0
  /// How many rows are in view.
  public private(set) var height: Int

  /// A list with its first row selected.
  public init(count: Int = 0, height: Int = 20) {
    self.count = max(0, count)
    self.height = max(1, height)
  }

  /// The selected row; nil without rows.
  public var selected: Int? { count > 0 ? selection : nil }

  /// Rows came or went. The selection stays at its number; to keep it on the same thing, `select` it after this.
  public mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    select(selection)
  }

  /// Another number of rows fits the screen.
  public mutating func resize(height: Int) {
    self.height = max(1, height)
    select(selection)
  }

  /// Selects a row, or the nearest there is, and brings it into view.
  public mutating func select(_ row: Int) {
    selection = min(max(0, row), max(0, count - 1))
    top = visibleTop(height)
  }

  /// Moves the selection; it stops at both ends.
  public mutating func move(_ move: Move) {
    let page = max(1, height - 1)
    let half = max(1, height / 2)
    switch move {
    case .up: select(selection - 1)
    case .down: select(selection + 1)
    case .pageUp: shift(by: -page)
    case .pageDown: shift(by: page)
    case .halfPageUp: shift(by: -half)
    case .halfPageDown: shift(by: half)
    case .first: select(0)
    case .last: select(count - 1)
    }
  }

  /// Does what an arrow, page, Home or End key says; false for other keys.
  public mutating func handle(_ key: Key) -> Bool {
    guard key.modifiers.isEmpty else { return false }
    switch key.code {
    case .up: move(.up)
    case .down: move(.down)
    case .pageUp: move(.pageUp)
    case .pageDown: move(.pageDown)
    case .home: move(.first)
    case .end: move(.last)
    default: return false
    }
    return true
  }

  /// Scrolls by rows, as the mouse's wheel does; negative is up. The selection stays in view.
  public mutating func scroll(by rows: Int) {
    top = min(max(0, top + rows), max(0, count - height))
    selection = min(max(selection, top), max(0, min(top + height, count) - 1))
  }

  /// The row that is shown on a line of the list's canvas; nil below the last.
  public func row(atLine line: Int) -> Int? {
    let row = visibleTop(height) + line
    return line >= 0 && line < height && row < count ? row : nil
  }

  /// Draws the rows in view: `row` is called for each with a canvas of its line, the row, and whether it is selected.
  /// When not all rows are in view, a mark at the right border tells where the view is, and lines are one shorter.
  ///
  /// With `content`, which is the hash value of what a row is drawn from, lines that stay the same from frame to frame
  /// are not drawn again. The selected one is then in reverse, with a `>` in its second column, and `row` draws it as if
  /// it were not.
  public func draw(
    on canvas: inout Canvas, content: (_ row: Int) -> Int? = { _ in nil },
    row draw: (_ line: inout Canvas, _ row: Int, _ isSelected: Bool) -> Void
  ) {
    let size = canvas.size
    guard size.height > 0, size.width > 0 else { return }
    let top = visibleTop(size.height)
    let hasMark = count > size.height && size.width > 2
    let width = size.width - (hasMark ? 1 : 0)
    let mark = hasMark ? markedLines(top, size.height) : 0..<0
    func lineContent(_ line: Int) -> Int? {
      guard top + line < count, let content = content(top + line) else { return nil }
      return content ^ ((hasMark ? 1 : 0) | (mark.contains(line) ? 2 : 0))
    }
    canvas.scrollLines(lineContent)
    for line in 0..<size.height {
      let row = top + line
      let isMarked = mark.contains(line)
      func drawLine(on canvas: inout Canvas, isSelected: Bool) {
        if row < count { canvas.inside(Rect(0, 0, width, 1)) { draw(&$0, row, isSelected) } }
        if isMarked { canvas.text("|", x: size.width - 1, y: 0, style: .dim) }
      }
      canvas.inside(Rect(0, line, size.width, 1)) { canvas in
        guard let content = lineContent(line) else { return drawLine(on: &canvas, isSelected: row == selection) }
        canvas.line(of: content, selected: row == selection ? width : 0) {
          drawLine(on: &$0, isSelected: false)
        }
      }
    }
  }

  /// The lines with the mark. It is at an end only when the view is.
  private func markedLines(_ top: Int, _ height: Int) -> Range<Int> {
    let length = max(1, height * height / count)
    let free = height - length
    let start = top == 0 ? 0 : top >= count - height ? free : max(1, min(free - 1, free * top / (count - height)))
    return max(0, start)..<min(height, max(0, start) + length)
  }

  private mutating func shift(by rows: Int) {
    scroll(by: 0)
    top = min(max(0, top + rows), max(0, count - height))
    select(selection + rows)
  }

  private func visibleTop(_ height: Int) -> Int {
    let highest = max(0, selection - max(1, height) + 1)
    return max(highest, min(top, selection, max(0, count - max(1, height))))
  }
}
