/// A picture and its halves: each level is the 2x2 mean of the one before, so pixel i of level k covers the pixels from
/// i * 2^k. Together they take a third more memory than the picture.
public struct Pyramid: Sendable {
  /// The picture first; the last has no side above `smallest`.
  public let levels: [Pixels]
  /// The whole picture's size, if the levels are a smaller copy and parts of the picture can be read.
  public let full: PixelSize?
  /// A part of the picture at a finer scale than the first level.
  public var detail: PictureDetail?

  private static let smallest = 64

  /// - Throws: only `cancelled`.
  public init(
    _ pixels: Pixels, full: PixelSize? = nil, isCancelled: () -> Bool = { false }
  ) throws(ImageError) {
    var levels = [pixels]
    var last = pixels
    while max(last.width, last.height) > Self.smallest {
      last = try Self.half(last, isCancelled)
      levels.append(last)
    }
    self.levels = levels
    self.full = full
  }

  public var size: PixelSize { levels.first?.size ?? PixelSize(width: 1, height: 1) }

  /// The coarsest level whose pixels cover at most `step` pixels of the full picture.
  func level(forStep step: Double) -> Int {
    var level = 0
    while level + 1 < levels.count, Double(2 << level) <= step { level += 1 }
    return level
  }

  /// At an odd side, the last pixel also replaces its missing neighbour.
  private static func half(_ pixels: Pixels, _ isCancelled: () -> Bool) throws(ImageError) -> Pixels {
    let size = PixelSize(width: (pixels.width + 1) / 2, height: (pixels.height + 1) / 2)
    let stride = 3 * pixels.width
    let pairs = pixels.width / 2
    return try Pixels(size: size) { (output) throws(ImageError) in
      _ = try pixels.withBase { (base) throws(ImageError) in
        for y in 0..<size.height {
          if y & 63 == 0, isCancelled() { throw .cancelled }
          var above = base + 2 * y * stride
          var below = 2 * y + 1 < pixels.height ? above + stride : above
          var to = output + 3 * size.width * y
          for _ in 0..<pairs {
            to[0] = UInt8(
              truncatingIfNeeded: (Int32(above[0]) + Int32(above[3]) + Int32(below[0]) + Int32(below[3]) + 2) >> 2)
            to[1] = UInt8(
              truncatingIfNeeded: (Int32(above[1]) + Int32(above[4]) + Int32(below[1]) + Int32(below[4]) + 2) >> 2)
            to[2] = UInt8(
              truncatingIfNeeded: (Int32(above[2]) + Int32(above[5]) + Int32(below[2]) + Int32(below[5]) + 2) >> 2)
            to += 3
            above += 6
            below += 6
          }
          if pixels.width & 1 == 1 {
            for colour in 0..<3 {
              to[colour] = UInt8(truncatingIfNeeded: (Int32(above[colour]) + Int32(below[colour]) + 1) >> 1)
            }
          }
        }
      }
    }
  }
}
