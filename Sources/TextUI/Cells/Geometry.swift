/// Columns and rows of a screen.
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Makes a size.
  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}

/// A cell's place; (0, 0) is the top left.
public struct Point: Hashable, Sendable {
  /// Column.
  public var x: Int
  /// Row.
  public var y: Int
  /// Makes a point.
  public init(_ x: Int, _ y: Int) {
    self.x = x
    self.y = y
  }
}

/// A run of rows and columns.
public struct Rect: Hashable, Sendable {
  /// Left column.
  public var x: Int
  /// Top row.
  public var y: Int
  /// Columns; never negative.
  public var width: Int
  /// Rows; never negative.
  public var height: Int
  /// Makes a rectangle; a negative extent becomes 0.
  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Whether a cell lies inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// What two rectangles share; without extent when they share nothing.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(left, top, min(x + width, other.x + other.width) - left, min(y + height, other.y + other.height) - top)
  }
}
