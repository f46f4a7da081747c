/// A screenful of cells, row after row.
public struct Grid: Equatable, Sendable {
  /// Columns and rows.
  public let size: Size
  /// `size.height` rows of `size.width` cells.
  public var cells: ContiguousArray<Cell>
  /// Where the terminal's cursor is shown; nil hides it.
  public var cursor: Point?
  /// In which frame of its canvas each row was last drawn; 0 when that is not known. While the number stays, so do the
  /// row's cells: a terminal need not look at them.
  public internal(set) var drawn: ContiguousArray<UInt64>

  /// A grid of spaces.
  public init(_ size: Size) {
    self.size = Size(max(0, size.width), max(0, size.height))
    cells = ContiguousArray(repeating: .blank, count: self.size.width * self.size.height)
    drawn = ContiguousArray(repeating: 0, count: self.size.height)
  }

  /// Whether both show the same.
  public static func == (left: Grid, right: Grid) -> Bool {
    left.size == right.size && left.cells == right.cells && left.cursor == right.cursor
  }

  /// The cell at a place inside the grid.
  public subscript(x: Int, y: Int) -> Cell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }

  /// The cells of one row.
  public func row(_ y: Int) -> ArraySlice<Cell> {
    ArraySlice(cells[(y * size.width)..<((y + 1) * size.width)])
  }

  /// One row as text, without spaces at its end.
  public func text(ofRow y: Int) -> String {
    var text = ""
    for x in 0..<size.width { text += self[x, y].text }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// All rows as text, one a line.
  public var text: String {
    (0..<size.height).map(text(ofRow:)).joined(separator: "\n")
  }
}
