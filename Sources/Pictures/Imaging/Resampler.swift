public enum Resampler {
  public enum Filter: Sendable, CaseIterable {
    case nearest
    /// The mean of the four pixels around, weighted by distance.
    case bilinear
  }

  /// Shrinks by the exact mean of each new pixel's area, enlarges bilinearly.
  /// - Throws: only `cancelled`.
  public static func resize(
    _ pixels: Pixels, to size: PixelSize, isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Pixels {
    let size = PixelSize(width: max(1, size.width), height: max(1, size.height))
    if size == pixels.size { return pixels }
    let inner = PixelSize(width: min(size.width, pixels.width), height: min(size.height, pixels.height))
    let shrunk = inner == pixels.size ? pixels : try shrink(pixels, to: inner, isCancelled)
    if size == inner { return shrunk }
    return sample(
      shrunk, crop: CropRect(x: 0, y: 0, width: Double(inner.width), height: Double(inner.height)), size: size,
      filter: .bilinear)
  }

  private static func shrink(
    _ pixels: Pixels, to size: PixelSize, _ isCancelled: () -> Bool
  ) throws(ImageError) -> Pixels {
    try Pixels(size: size) { (output) throws(ImageError) in
      _ = try pixels.withBase { (base) throws(ImageError) in
        var shrinker = AreaShrinker(from: pixels.size, to: size)
        for row in 0..<pixels.height {
          if row & 63 == 0, isCancelled() { throw .cancelled }
          shrinker.push(base + 3 * pixels.width * row, output: output)
        }
      }
    }
  }

  /// One sample a pixel, for parts up to about twice as large as `size`; larger steps skip detail (see `Pyramid`).
  /// Places outside the picture take its nearest edge.
  public static func sample(_ pixels: Pixels, crop: CropRect, size: PixelSize, filter: Filter) -> Pixels {
    let size = PixelSize(width: max(1, size.width), height: max(1, size.height))
    let columns = SampleAxis(start: crop.x, length: crop.width, steps: size.width, limit: pixels.width, filter)
    let rows = SampleAxis(start: crop.y, length: crop.height, steps: size.height, limit: pixels.height, filter)
    let stride = 3 * pixels.width
    return Pixels(size: size) { output in
      _ = pixels.withBase { base in
        var to = output
        for y in 0..<size.height {
          let above = base + stride * rows.first[y]
          let below = base + stride * rows.second[y]
          let down = rows.weight[y]
          for x in 0..<size.width {
            let left = 3 * columns.first[x]
            if filter == .nearest {
              to[0] = above[left]
              to[1] = above[left + 1]
              to[2] = above[left + 2]
            } else {
              let right = 3 * columns.second[x]
              let along = columns.weight[x]
              for colour in 0..<3 {
                let top = Int32(above[left + colour]) &* (256 &- along) &+ Int32(above[right + colour]) &* along
                let bottom = Int32(below[left + colour]) &* (256 &- along) &+ Int32(below[right + colour]) &* along
                let mixed = top &* (256 &- down) &+ bottom &* down
                to[colour] = UInt8(truncatingIfNeeded: (mixed &+ 32768) >> 16)
              }
            }
            to += 3
          }
        }
      }
    }
  }
}

/// Two pixels for each sample, and the weight of the second one, of 256.
struct SampleAxis {
  private(set) var first: [Int] = []
  private(set) var second: [Int] = []
  private(set) var weight: [Int32] = []

  init(start: Double, length: Double, steps: Int, limit: Int, _ filter: Resampler.Filter) {
    first.reserveCapacity(steps)
    second.reserveCapacity(steps)
    weight.reserveCapacity(steps)
    let last = Double(limit - 1)
    for step in 0..<steps {
      let centre = start + (Double(step) + 0.5) * length / Double(steps)
      switch filter {
      case .nearest:
        let place = Int(min(last, max(0, centre.rounded(.down))))
        first.append(place)
        second.append(place)
        weight.append(0)
      case .bilinear:
        let between = min(last, max(0, centre - 0.5))
        let place = Int(between)
        first.append(place)
        second.append(min(place + 1, limit - 1))
        weight.append(Int32(((between - Double(place)) * 256).rounded()))
      }
    }
  }
}
