/// A list's selection and visible rows, or a grid's with several rows beside each other on a line. The cost is
/// independent of the list's length.
public struct ListState: Hashable, Sendable {
  public enum Move: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    /// To the neighbour in the order of the list.
    case left, right
  }

  public private(set) var count: Int
  /// 0 if the list is empty.
  public private(set) var selection = 0
  /// The first row in view.
  public private(set) var top = 0
  /// In lines.
  public private(set) var height: Int
  /// Rows on a line.
  public private(set) var columns = 1

  public init(count: Int = 0, height: Int = 20) {
    self.count = max(0, count)
    self.height = max(1, height)
  }

  /// nil if the list is empty.
  public var selected: Int? { count > 0 ? selection : nil }

  /// The selection keeps its index; call `select` afterwards to keep it on the same item.
  public mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    select(selection)
  }

  public mutating func resize(height: Int, columns: Int = 1) {
    (self.height, self.columns) = (max(1, height), max(1, columns))
    select(selection)
  }

  /// The rows in view.
  public var visible: Range<Int> { min(top, count)..<min(count, top + height * columns) }

  /// Selects the nearest existing row and scrolls it into view.
  public mutating func select(_ row: Int) {
    selection = min(max(0, row), max(0, count - 1))
    top = visibleTop(height)
  }

  public mutating func move(_ move: Move) {
    let page = max(1, height - 1)
    let half = max(1, height / 2)
    switch move {
    case .up: select(selection < columns ? selection : selection - columns)
    case .down: select(selection + (selection / columns == lastLine ? 0 : columns))
    case .left: select(selection - 1)
    case .right: select(selection + 1)
    case .pageUp: shift(by: -page)
    case .pageDown: shift(by: page)
    case .halfPageUp: shift(by: -half)
    case .halfPageDown: shift(by: half)
    case .first: select(0)
    case .last: select(count - 1)
    }
  }

  /// False for other keys than arrows, pages, Home and End.
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

  /// Negative is up. The selection stays in view, and in its column.
  public mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines * columns), lastTop(height))
    let column = selection % columns
    selection = min(max(selection, top + column), max(0, min(top + (height - 1) * columns + column, count - 1)))
  }

  /// nil beside and below the last row.
  public func row(atLine line: Int, column: Int = 0) -> Int? {
    let row = visibleTop(height) + line * columns + column
    return line >= 0 && line < height && (0..<columns).contains(column) && row < count ? row : nil
  }

  /// The lines of a mark at the border that shows the position, `height` lines high, if `lines` lines of rows are in
  /// view; empty if all are.
  public func scrollMark(lines: Int, height: Int) -> Range<Int> {
    guard lastLine >= lines else { return 0..<0 }
    return markedLines(visibleTop(lines) / columns, lines, of: lastLine + 1, height)
  }

  /// Calls `row` for each visible row, with a canvas of its line. If not all rows fit, a mark at the right border shows
  /// the position, and lines are one column shorter.
  /// `content` is the hash of a row's data; unchanged lines are not drawn again. With it, `draw` shows the selected
  /// line in reverse with a `>` in its second column, and `row` draws unselected lines only.
  public func draw(
    on canvas: inout Canvas, content: (_ row: Int) -> Int? = { _ in nil },
    row draw: (_ line: inout Canvas, _ row: Int, _ isSelected: Bool) -> Void
  ) {
    let size = canvas.size
    guard size.height > 0, size.width > 0 else { return }
    let top = visibleTop(size.height)
    let hasMark = count > size.height && size.width > 2
    let width = size.width - (hasMark ? 1 : 0)
    let mark = hasMark ? markedLines(top, size.height, of: count, size.height) : 0..<0
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
        if isMarked { canvas.text(canvas.symbol(.scroll), x: size.width - 1, y: 0, style: canvas[.border]) }
      }
      canvas.inside(Rect(0, line, size.width, 1)) { canvas in
        guard let content = lineContent(line) else { return drawLine(on: &canvas, isSelected: row == selection) }
        canvas.line(of: content, selected: row == selection ? width : 0) {
          drawLine(on: &$0, isSelected: false)
        }
      }
    }
  }

  /// The scroll mark touches an end only if the view does.
  private func markedLines(_ top: Int, _ lines: Int, of total: Int, _ height: Int) -> Range<Int> {
    let length = max(1, height * lines / total)
    let free = height - length
    let last = total - lines
    let start = top == 0 ? 0 : top >= last ? free : max(1, min(free - 1, free * top / last))
    return max(0, start)..<min(height, max(0, start) + length)
  }

  private mutating func shift(by lines: Int) {
    scroll(by: 0)
    top = min(max(0, top + lines * columns), lastTop(height))
    let wanted = selection + lines * columns
    select(wanted < 0 ? selection % columns : wanted)
  }

  private var lastLine: Int { max(0, count - 1) / columns }

  private func lastTop(_ height: Int) -> Int { max(0, lastLine + 1 - max(1, height)) * columns }

  private func visibleTop(_ height: Int) -> Int {
    let line = selection / columns * columns
    let highest = max(0, line - (max(1, height) - 1) * columns)
    return max(highest, min(top / columns * columns, line, lastTop(height)))
  }
}
