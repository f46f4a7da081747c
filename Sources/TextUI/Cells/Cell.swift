/// One place of the screen: a glyph of up to three scalars, its width, its look.
public struct Cell: Hashable, Sendable {
  /// The glyph's first scalar.
  public var base: UInt32
  /// A combining mark, or 0.
  public var mark1: UInt32
  /// A second combining mark, or 0.
  public var mark2: UInt32
  /// Columns: 1, or 2 for the left half of a wide glyph, or 0 for its right half.
  public var width: UInt8
  /// How it looks.
  public var style: Style

  /// Makes a cell.
  public init(base: UInt32, mark1: UInt32 = 0, mark2: UInt32 = 0, width: UInt8 = 1, style: Style = .plain) {
    self.base = base
    self.mark1 = mark1
    self.mark2 = mark2
    self.width = width
    self.style = style
  }

  /// Compared by the hundred when a row has changed: without a call each.
  @inlinable
  public static func == (left: Cell, right: Cell) -> Bool {
    left.base == right.base && left.mark1 == right.mark1 && left.mark2 == right.mark2 && left.width == right.width
      && left.style == right.style
  }

  /// A space.
  public static let blank = Cell(base: 0x20)

  /// The glyph as text; empty for the right half of a wide one.
  public var text: String {
    guard width > 0 else { return "" }
    var text = String.UnicodeScalarView()
    for value in [base, mark1, mark2] {
      if value != 0, let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
