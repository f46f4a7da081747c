/// A list's selection and visible rows. The cost is independent of the list's length.
public struct ListState: Hashable, Sendable {
  public enum Move: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  public private(set) var count: Int
  /// 0 if the list is empty.
  public private(set) var selection = 0
  /// False for rows that no key means yet.
  public var hasSelection = true
  /// The first row in view.
  public private(set) var top = 0
  /// In lines.
  public private(set) var height: Int

  public init(count: Int = 0, height: Int = 20) {
    self.count = max(0, count)
    self.height = max(1, height)
  }

  /// nil if the list is empty or has no selection.
  public var selected: Int? { count > 0 && hasSelection ? selection : nil }

  /// The selection keeps its index; call `select` afterwards to keep it on the same item.
  public mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    select(selection)
  }

  public mutating func resize(height: Int) {
    self.height = max(1, height)
    select(selection)
  }

  /// The rows in view.
  public var visible: Range<Int> { min(top, count)..<min(count, top + height) }

  /// Selects the nearest existing row and scrolls it into view.
  public mutating func select(_ row: Int) {
    selection = min(max(0, row), max(0, count - 1))
    top = visibleTop(height)
  }

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

  /// Negative is up. The selection stays in view.
  public mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines), lastTop(height))
    selection = min(max(selection, top), max(0, min(top + height - 1, count - 1)))
  }

  /// nil below the last row.
  public func row(atLine line: Int) -> Int? {
    let row = visibleTop(height) + line
    return line >= 0 && line < height && row < count ? row : nil
  }

  /// The lines of a mark at the border, `height` lines high, that shows which of `total` lines are in view from `top` on;
  /// empty if all are. It touches an end only if the view does.
  public static func scrollMark(top: Int, of total: Int, height: Int) -> Range<Int> {
    guard total > height, height > 0 else { return 0..<0 }
    let length = max(1, height * height / total)
    let free = height - length
    let last = total - height
    let start = top == 0 ? 0 : top >= last ? free : max(1, min(free - 1, free * top / last))
    return max(0, start)..<min(height, max(0, start) + length)
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
    let mark = hasMark ? ListState.scrollMark(top: top, of: count, height: size.height) : 0..<0
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
        guard let content = lineContent(line) else { return drawLine(on: &canvas, isSelected: row == selected) }
        canvas.line(of: content, selected: row == selected ? width : 0) {
          drawLine(on: &$0, isSelected: false)
        }
      }
    }
  }

  private mutating func shift(by lines: Int) {
    scroll(by: 0)
    top = min(max(0, top + lines), lastTop(height))
    select(selection + lines)
  }

  private func lastTop(_ height: Int) -> Int { max(0, count - max(1, height)) }

  private func visibleTop(_ height: Int) -> Int {
    max(0, selection - max(1, height) + 1, min(top, selection, lastTop(height)))
  }
}
