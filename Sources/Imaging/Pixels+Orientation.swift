extension Pixels {
  /// The picture turned as `orientation` asks.
  public func oriented(_ orientation: Orientation) -> Pixels {
    if orientation == .upright { return self }
    let (width, height) = (size.width, size.height)
    let turned = orientation.apply(to: size)
    // Where the target's first pixel comes from, and the steps in the source for one pixel right and one down.
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
