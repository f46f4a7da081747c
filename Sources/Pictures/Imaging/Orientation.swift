/// The transformation for display: the values of EXIF 2.32, tag 0x0112.
public enum Orientation: Int, Sendable, CaseIterable {
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  case upsideDown = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Mirrored along the diagonal from the top left.
  case transposed = 5
  /// Shown after a clockwise rotation by 90 degrees.
  case quarterRight = 6
  /// Mirrored along the diagonal from the top right.
  case transversed = 7
  /// Shown after a counter-clockwise rotation by 90 degrees.
  case quarterLeft = 8

  public var exchangesSides: Bool { rawValue >= 5 }

  public func apply(to size: PixelSize) -> PixelSize { exchangesSides ? size.turned : size }
}

extension Pixels {
  public func oriented(_ orientation: Orientation) -> Pixels {
    if orientation == .upright { return self }
    let (width, height) = (size.width, size.height)
    let turned = orientation.apply(to: size)
    // The source of the target's first pixel, and the source steps for one pixel right and one down.
    let start: Int
    let right: Int
    let down: Int
    let (lastX, lastY) = (width - 1, (height - 1) * width)
    switch orientation {
    case .upright: (start, right, down) = (0, 1, width)
    case .mirrored: (start, right, down) = (lastX, -1, width)
    case .upsideDown: (start, right, down) = (lastY + lastX, -1, -width)
    case .flipped: (start, right, down) = (lastY, 1, -width)
    case .transposed: (start, right, down) = (0, width, 1)
    case .quarterRight: (start, right, down) = (lastY, -width, 1)
    case .transversed: (start, right, down) = (lastY + lastX, -width, -1)
    case .quarterLeft: (start, right, down) = (lastX, width, -1)
    }
    return Pixels(size: turned) { target in
      _ = withBase { source in
        for y in 0..<turned.height {
          var from = source + 3 * (start + y * down)
          var to = target + 3 * y * turned.width
          for x in 0..<turned.width {
            to[0] = from[0]
            to[1] = from[1]
            to[2] = from[2]
            to += 3
            if x + 1 < turned.width { from += 3 * right }
          }
        }
      }
    }
  }
}
