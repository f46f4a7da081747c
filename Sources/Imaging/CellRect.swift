/// A rectangle of terminal cells.
public struct CellRect: Sendable, Equatable {
  /// Cells from the left.
  public var column: Int
  /// Cells from the top.
  public var row: Int
  /// Cells across.
  public var columns: Int
  /// Cells down.
  public var rows: Int

  /// A rectangle; nothing is checked.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    (self.column, self.row, self.columns, self.rows) = (column, row, columns, rows)
  }
}
