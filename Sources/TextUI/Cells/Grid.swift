/// A screenful of cells, row after row.
public struct Grid: Equatable, Sendable {
  /// Columns and rows.
  public let size: Size
  /// `size.height` rows of `size.width` cells.
  public var cells: ContiguousArray<Cell>
  /// Where the terminal's cursor is shown; nil hides it.
  public var cursor: Point?

  /// A grid of spaces.
  public init(_ size: Size) {
    self.size = Size(max(0, size.width), max(0, size.height))
    cells = ContiguousArray(repeating: .blank, count: self.size.width * self.size.height)
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
