/// In columns and rows, or in pixels where that is said.
public struct Size: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}

public struct Point: Hashable, Sendable {
  public var x: Int
  public var y: Int

  public init(_ x: Int, _ y: Int) {
    self.x = x
    self.y = y
  }
}

public struct Rect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  /// Clamps a negative extent to 0.
  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// Its width or height is 0 if they do not overlap.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(left, top, min(x + width, other.x + other.width) - left, min(y + height, other.y + other.height) - top)
  }
}
