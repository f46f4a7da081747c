/// Shrinks a picture row by row. Each new pixel is the mean of its area, rounded to nearest, in exact integer
/// arithmetic: in units of (1/target) pixels every overlap is a whole number.
struct AreaShrinker {
  private let source: PixelSize
  private let target: PixelSize
  private var row = 0
  private var line = 0
  /// Source rows that lie wholly within the current line; each counts `target.height`.
  private var whole: [UInt32]
  /// Weighted source rows that cross the line's edges.
  private var edges: [UInt32]

  /// `target` is not larger than `source` in either direction.
  init(from source: PixelSize, to target: PixelSize) {
    self.source = source
    self.target = target
    whole = Array(repeating: 0, count: 3 * source.width)
    edges = Array(repeating: 0, count: 3 * source.width)
  }

  mutating func push(_ pixels: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>) {
    guard row < source.height else { return }
    // This row covers [from, to); the current line ends at (line + 1) * source.height.
    let to = (row + 1) * target.height
    var from = row * target.height
    row += 1
    while from < to, line < target.height {
      let end = (line + 1) * source.height
      let overlap = min(to, end) - from
      if overlap == target.height { add(pixels) } else { add(pixels, weight: UInt32(overlap)) }
      from += overlap
      if from == end {
        finishLine(output + 3 * line * target.width)
        line += 1
      }
    }
  }

  private mutating func add(_ pixels: UnsafePointer<UInt8>) {
    whole.withUnsafeMutableBufferPointer { sums in
      for at in 0..<sums.count { sums[at] &+= UInt32(pixels[at]) }
    }
  }

  private mutating func add(_ pixels: UnsafePointer<UInt8>, weight: UInt32) {
    edges.withUnsafeMutableBufferPointer { sums in
      for at in 0..<sums.count { sums[at] &+= UInt32(pixels[at]) &* weight }
    }
  }

  private mutating func finishLine(_ output: UnsafeMutablePointer<UInt8>) {
    let (sourceWidth, targetWidth, scale) = (source.width, target.width, UInt32(target.height))
    let area = UInt64(source.width) * UInt64(source.height)
    whole.withUnsafeMutableBufferPointer { whole in
      edges.withUnsafeMutableBufferPointer { edges in
        // At most 255 * source.height, which fits in 32 bits: callers limit sides to 24 bits.
        for at in 0..<edges.count {
          edges[at] = edges[at] &+ whole[at] &* scale
          whole[at] = 0
        }
        for x in 0..<targetWidth {
          let start = x * sourceWidth
          let end = start + sourceWidth
          let first = start / targetWidth
          let last = (end - 1) / targetWidth
          var (red, green, blue): (UInt64, UInt64, UInt64) = (0, 0, 0)
          if last > first + 1 {
            for column in (first + 1)..<last {
              red &+= UInt64(edges[3 * column])
              green &+= UInt64(edges[3 * column + 1])
              blue &+= UInt64(edges[3 * column + 2])
            }
            red &*= UInt64(targetWidth)
            green &*= UInt64(targetWidth)
            blue &*= UInt64(targetWidth)
          }
          let left = UInt64(min(end, (first + 1) * targetWidth) - start)
          red &+= UInt64(edges[3 * first]) &* left
          green &+= UInt64(edges[3 * first + 1]) &* left
          blue &+= UInt64(edges[3 * first + 2]) &* left
          if last > first {
            let right = UInt64(end - last * targetWidth)
            red &+= UInt64(edges[3 * last]) &* right
            green &+= UInt64(edges[3 * last + 1]) &* right
            blue &+= UInt64(edges[3 * last + 2]) &* right
          }
          output[3 * x] = UInt8(truncatingIfNeeded: (red &+ area / 2) / area)
          output[3 * x + 1] = UInt8(truncatingIfNeeded: (green &+ area / 2) / area)
          output[3 * x + 2] = UInt8(truncatingIfNeeded: (blue &+ area / 2) / area)
        }
        edges.update(repeating: 0)
      }
    }
  }
}
