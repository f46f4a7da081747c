/// The clusters of a canvas's cells. A cell holds a number, because cells are compared and copied by the thousand.
public struct GraphemeTable: Sendable, Equatable {
  /// More than a large screen of such text shows at once. A cluster has at most a hundred bytes.
  private static let most = 4096

  private var numbers: [[UInt8]: UInt32] = [:]
  private var texts: [UInt32: [UInt8]] = [:]
  private var last: UInt32 = 0

  public init() {}

  public var isEmpty: Bool { texts.isEmpty }

  var count: Int { texts.count }

  /// True if it is to be forgotten before the next frame.
  var isFull: Bool { count >= Self.most }

  /// The UTF-8 of a cell's cluster; nil for other cells.
  @inlinable
  public subscript(cell: Cell) -> [UInt8]? { cell.grapheme.flatMap(text) }

  @usableFromInline
  func text(_ number: UInt32) -> [UInt8]? { texts[number] }

  /// nil if a single frame has twice as many as are kept.
  mutating func number(of scalars: [Unicode.Scalar]) -> UInt32? {
    let text = scalars.flatMap { UTF8.encode($0).map(Array.init) ?? [] }
    if let known = numbers[text] { return known }
    guard count < 2 * Self.most else { return nil }
    last = last >= Cell.graphemeBit - 1 ? 1 : last + 1
    numbers[text] = last
    texts[last] = text
    return last
  }

  /// Numbers go on after the last one, so that no cell of the next frame equals one of this frame with another cluster.
  mutating func forget() {
    numbers.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }
}

extension Cell {
  /// No Unicode scalar has this bit, and no picture this one alone.
  static let graphemeBit: UInt32 = 0x4000_0000

  /// The number of the cell's cluster in the grid's `graphemes`; nil for other cells.
  @inlinable
  public var grapheme: UInt32? { mark1 >> 30 == 1 ? mark1 & 0x3FFF_FFFF : nil }
}

extension Canvas {
  /// Writes a cluster, which the cell finds in the grid's table. Its base is the first scalar.
  mutating func whole(_ glyph: Glyph, x: Int, y: Int, style: Style) -> Int {
    guard let number = grid.graphemes.number(of: glyph.scalars) else {
      for offset in 0..<glyph.width { cell(Cell(base: 0x3F, style: style), x: x + offset, y: y) }
      return glyph.width
    }
    return cell(
      Cell(
        base: glyph.scalars[0].value, mark1: Cell.graphemeBit | number, width: UInt8(glyph.width), style: style),
      x: x, y: y)
  }
}
