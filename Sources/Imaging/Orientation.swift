/// How a stored picture is to be turned before it is shown: the values of EXIF 2.32, tag 0x0112.
public enum Orientation: Int, Sendable, CaseIterable {
  /// As stored.
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  /// Turned by 180 degrees.
  case upsideDown = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Mirrored along the diagonal from the top left.
  case transposed = 5
  /// To be turned clockwise by 90 degrees.
  case quarterRight = 6
  /// Mirrored along the diagonal from the top right.
  case transversed = 7
  /// To be turned counter-clockwise by 90 degrees.
  case quarterLeft = 8

  /// True when width and height are exchanged.
  public var exchangesSides: Bool { rawValue >= 5 }

  /// The size that is shown, of a size that is stored, and the other way round.
  public func apply(to size: PixelSize) -> PixelSize { exchangesSides ? size.turned : size }
}
