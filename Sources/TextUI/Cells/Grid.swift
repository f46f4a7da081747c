/// A screenful of cells, row after row.
public struct Grid: Equatable, Sendable {
  /// Columns and rows.
  public let size: Size
  /// Where the terminal's cursor is shown; nil hides it.
  public var cursor: Point?
  /// The number of each row's drawing; 0 when it has none. Rows with one number have the same cells, in all grids of a
  /// canvas: a terminal need not look at a row whose number stays, and one whose number comes from another row has moved.
  public internal(set) var drawn: ContiguousArray<UInt64>
  /// `size.height` rows of `size.width` cells.
  private var cells: ContiguousArray<Cell>
  /// Where in `cells` each row begins. A row that moves stays where it is in memory.
  private var starts: ContiguousArray<Int>

  /// A grid of spaces.
  public init(_ size: Size) {
    self.size = Size(max(0, size.width), max(0, size.height))
    cells = ContiguousArray(repeating: .blank, count: self.size.width * self.size.height)
    starts = ContiguousArray((0..<self.size.height).map { [width = self.size.width] in $0 * width })
    drawn = ContiguousArray(repeating: 0, count: self.size.height)
  }

  /// Whether both show the same.
  public static func == (left: Grid, right: Grid) -> Bool {
    left.size == right.size && left.cursor == right.cursor
      && (0..<left.size.height).allSatisfy { left.row($0) == right.row($0) }
  }

  /// The cell at a place inside the grid.
  public subscript(x: Int, y: Int) -> Cell {
    get { cells[starts[y] + x] }
    set { cells[starts[y] + x] = newValue }
  }

  /// The cells of one row.
  public func row(_ y: Int) -> ArraySlice<Cell> { cells[starts[y]..<(starts[y] + size.width)] }

  /// All rows' cells, which must not be used after `body`.
  public func withRows<Result>(_ body: (Rows) -> Result) -> Result {
    cells.withUnsafeBufferPointer { cells in
      starts.withUnsafeBufferPointer { body(Rows(cells: cells, starts: $0, width: size.width)) }
    }
  }

  /// The cells of one row, to be changed.
  @inline(__always)
  mutating func changeRow(_ y: Int, _ body: (UnsafeMutableBufferPointer<Cell>) -> Void) {
    let columns = starts[y]..<(starts[y] + size.width)
    cells.withUnsafeMutableBufferPointer { body(UnsafeMutableBufferPointer(rebasing: $0[columns])) }
  }

  /// Makes the row `first` the first of some rows; those before it follow the last. No cell is moved.
  mutating func rotate(_ rows: Range<Int>, toStartAt first: Int) {
    starts.rotate(rows, toStartAt: first)
    drawn.rotate(rows, toStartAt: first)
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

extension Grid {
  /// The cells of a grid, a row at a time.
  public struct Rows {
    fileprivate let cells: UnsafeBufferPointer<Cell>
    fileprivate let starts: UnsafeBufferPointer<Int>
    fileprivate let width: Int

    /// The cells of one row.
    @inline(__always)
    public subscript(y: Int) -> UnsafeBufferPointer<Cell> {
      UnsafeBufferPointer(rebasing: cells[starts[y]..<(starts[y] + width)])
    }
  }
}

extension ContiguousArray {
  /// Makes the element at `first` the first of a range; those before it follow the last.
  mutating func rotate(_ range: Range<Int>, toStartAt first: Int) {
    turnRound(range.lowerBound..<first)
    turnRound(first..<range.upperBound)
    turnRound(range)
  }

  private mutating func turnRound(_ range: Range<Int>) {
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}
