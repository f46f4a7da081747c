/// A part of a picture, in pixels and fractions of them.
public struct CropRect: Sendable, Equatable {
  /// Pixels from the left edge.
  public var x: Double
  /// Pixels from the top edge.
  public var y: Double
  /// Pixels across.
  public var width: Double
  /// Pixels down.
  public var height: Double

  /// A part; nothing is checked.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
