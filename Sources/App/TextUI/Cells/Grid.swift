public struct Grid: Equatable, Sendable {
  public let size: Size
  /// nil hides the cursor.
  public var cursor: Point?
  /// The addresses of cells with a link.
  public internal(set) var links = Hyperlinks()
  /// The clusters of cells that are more than a base and two marks.
  public internal(set) var graphemes = GraphemeTable()
  /// The drawing number of each row; 0 if none. In all grids of a canvas, rows with equal numbers have equal cells: a
  /// terminal skips a row whose number stays, and moves a row whose number is now elsewhere.
  public internal(set) var drawn: ContiguousArray<UInt64>
  /// The pictures of the cells, by their marks.
  public internal(set) var pictures: [UInt32: CanvasPicture] = [:]
  private var cells: ContiguousArray<Cell>
  /// In `cells`. A moved row keeps its place in memory.
  private var starts: ContiguousArray<Int>

  public init(_ size: Size) {
    self.size = Size(max(0, size.width), max(0, size.height))
    cells = ContiguousArray(repeating: .blank, count: self.size.width * self.size.height)
    starts = ContiguousArray((0..<self.size.height).map { [width = self.size.width] in $0 * width })
    drawn = ContiguousArray(repeating: 0, count: self.size.height)
  }

  /// Compares cells, the addresses and clusters behind them, and the cursor; not the numbers of these and of drawings.
  public static func == (left: Grid, right: Grid) -> Bool {
    guard left.size == right.size, left.cursor == right.cursor else { return false }
    let areTablesEqual = left.links == right.links && left.graphemes == right.graphemes
    return (0..<left.size.height).allSatisfy { y in
      let (row, other) = (left.row(y), right.row(y))
      return areTablesEqual
        ? row == other
        : zip(row, other).allSatisfy {
          $0.isEqual(to: $1) && left.links[$0.link] == right.links[$1.link] && left.graphemes[$0] == right.graphemes[$1]
        }
    }
  }

  public subscript(x: Int, y: Int) -> Cell {
    get { cells[starts[y] + x] }
    set { cells[starts[y] + x] = newValue }
  }

  public func row(_ y: Int) -> ArraySlice<Cell> { cells[starts[y]..<(starts[y] + size.width)] }

  /// The rows are invalid afterwards.
  public func withRows<Result>(_ body: (Rows) -> Result) -> Result {
    cells.withUnsafeBufferPointer { cells in
      starts.withUnsafeBufferPointer { body(Rows(cells: cells, starts: $0, width: size.width)) }
    }
  }

  @inline(__always)
  mutating func changeRow(_ y: Int, _ body: (UnsafeMutableBufferPointer<Cell>) -> Void) {
    let columns = starts[y]..<(starts[y] + size.width)
    cells.withUnsafeMutableBufferPointer { body(UnsafeMutableBufferPointer(rebasing: $0[columns])) }
  }

  /// Makes `first` the first of the rows. No cell moves in memory.
  mutating func rotate(_ rows: Range<Int>, toStartAt first: Int) {
    starts.rotate(rows, toStartAt: first)
    drawn.rotate(rows, toStartAt: first)
  }

  /// Without trailing spaces.
  public func text(ofRow y: Int) -> String {
    var text = ""
    for x in 0..<size.width { text += self.text(of: self[x, y]) }
    while text.last == " " { text.removeLast() }
    return text
  }

  public func text(of cell: Cell) -> String { graphemes[cell].map { String(decoding: $0, as: UTF8.self) } ?? cell.text }

  public var text: String {
    (0..<size.height).map(text(ofRow:)).joined(separator: "\n")
  }
}

extension Grid {
  public struct Rows {
    fileprivate let cells: UnsafeBufferPointer<Cell>
    fileprivate let starts: UnsafeBufferPointer<Int>
    fileprivate let width: Int

    @inline(__always)
    public subscript(y: Int) -> UnsafeBufferPointer<Cell> {
      UnsafeBufferPointer(rebasing: cells[starts[y]..<(starts[y] + width)])
    }
  }
}

extension ContiguousArray {
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

/// A glyph of up to three scalars, or one of the grid's `graphemes`, its width, and its style.
public struct Cell: Hashable, Sendable {
  public var base: UInt32
  public var mark1: UInt32
  public var mark2: UInt32
  /// 1, or 2 for the left half of a wide glyph, or 0 for its right half.
  public var width: UInt8
  /// A number of the grid's `links`; 0 for no link.
  public var link: UInt16
  public var style: Style

  public init(
    base: UInt32, mark1: UInt32 = 0, mark2: UInt32 = 0, width: UInt8 = 1, link: UInt16 = 0, style: Style = .plain
  ) {
    self.base = base
    self.mark1 = mark1
    self.mark2 = mark2
    self.width = width
    self.link = link
    self.style = style
  }

  /// Inlinable: a changed row compares hundreds of cells.
  @inlinable
  public static func == (left: Cell, right: Cell) -> Bool {
    left.base == right.base && left.mark1 == right.mark1 && left.mark2 == right.mark2 && left.width == right.width
      && left.link == right.link && left.style == right.style
  }

  /// Equal, whatever the numbers of their links and clusters.
  func isEqual(to other: Cell) -> Bool {
    var other = other
    other.link = link
    if grapheme != nil, other.grapheme != nil { other.mark1 = mark1 }
    return self == other
  }

  public static let blank = Cell(base: 0x20)

  /// Empty for the right half of a wide glyph.
  public var text: String {
    guard width > 0 else { return "" }
    var text = String.UnicodeScalarView()
    for value in [base, mark1, mark2] {
      if value != 0, let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
