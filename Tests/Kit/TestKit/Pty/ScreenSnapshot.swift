internal import CVTerm
public import TextUI

/// The contents of a terminal at one moment.
public struct ScreenSnapshot: Sendable {
  /// The cells, and the cursor if visible.
  public let grid: Grid
  /// The cursor's position, visible or not.
  public let cursor: Point
  /// True on the alternate (full) screen.
  public let isFullScreen: Bool
  /// True if the terminal reports the mouse.
  public let reportsMouse: Bool
  /// The number of bells so far.
  public let bells: Int

  /// All rows, one a line, without trailing spaces.
  public var text: String { grid.text }

  /// One row without trailing spaces.
  public func row(_ y: Int) -> String { y < grid.size.height ? grid.text(ofRow: y) : "" }

  /// True if a row contains this text.
  public func contains(_ text: String) -> Bool {
    (0..<grid.size.height).contains { row($0).contains(text) }
  }

  /// The position of a text's first cell; nil if not found.
  public func place(of text: String) -> Point? {
    for y in 0..<grid.size.height {
      for x in 0..<grid.size.width {
        var found = ""
        var column = x
        while column < grid.size.width, found.count < text.count {
          found += grid[column, y].text
          column += 1
        }
        if found == text { return Point(x, y) }
      }
    }
    return nil
  }

  init(_ screen: OpaquePointer, size: Size) {
    var grid = Grid(size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = cvt_cell_at(screen, Int32(y), Int32(x))
        var attributes: Style.Attributes = []
        if cell.bold { attributes.insert(.bold) }
        if cell.underline { attributes.insert(.underline) }
        if cell.reverse { attributes.insert(.reverse) }
        if cell.italic { attributes.insert(.italic) }
        if cell.strike { attributes.insert(.strikethrough) }
        grid[x, y] = Cell(
          base: cell.scalars.0, mark1: cell.scalars.1, mark2: cell.scalars.2, width: cell.width,
          style: Style(
            attributes, foreground: Self.color(cell.foreground), background: Self.color(cell.background)))
      }
    }
    var (row, column): (Int32, Int32) = (0, 0)
    cvt_cursor(screen, &row, &column)
    cursor = Point(Int(column), Int(row))
    if cvt_cursor_is_shown(screen) { grid.cursor = cursor }
    self.grid = grid
    isFullScreen = cvt_is_full_screen(screen)
    reportsMouse = cvt_mouse(screen) != 0
    bells = Int(cvt_bells(screen))
  }

  private static func color(_ code: UInt32) -> Color {
    switch code >> 24 {
    case 1: .palette(UInt8(code & 0xFF))
    case 2: .rgb(code & 0xFF_FFFF)
    default: .standard
    }
  }
}
