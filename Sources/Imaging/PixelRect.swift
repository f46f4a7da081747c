/// A rectangle of whole pixels.
public struct PixelRect: Sendable, Equatable {
  /// Pixels from the left.
  public var x: Int
  /// Pixels from the top.
  public var y: Int
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// A rectangle; nothing is checked.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
