/// Reads the pixels of a panorama: around the seam, across the poles, and never beyond an edge. Places are in 65536ths
/// of a pixel from the left and top edges.
struct PanoramaSampler {
  private let base: UnsafePointer<UInt8>
  private let columns: Int
  private let rows: Int
  /// A full turn, in 65536ths.
  private let period: Int
  /// Places from here to `turnStart + period` are those of one turn.
  private let turnStart: Int
  private let right: Int
  private let bottom: Int
  private let isFullTurn: Bool
  private let hasTopPole: Bool
  private let hasBottomPole: Bool
  private let background: (UInt8, UInt8, UInt8)

  private static let half = 32768

  /// `width` and `height` have fractions in smaller levels of a picture with odd sides.
  init(
    base: UnsafePointer<UInt8>, pixels: PixelSize, width: Double, height: Double, coverage: PictureCoverage,
    background: UInt32
  ) {
    self.base = base
    columns = pixels.width
    rows = pixels.height
    isFullTurn = coverage.isFullTurn
    right = Int(width * 65536)
    bottom = Int(height * 65536)
    period = isFullTurn ? right : Int(width * 360 / coverage.horizontalDegrees * 65536)
    turnStart = (right - period) / 2
    let reachesPoles = isFullTurn && coverage.projection == .equirectangular
    hasTopPole = reachesPoles && coverage.topDegrees > 89.99
    hasBottomPole = reachesPoles && coverage.bottomDegrees < -89.99
    self.background = (
      UInt8(background >> 16 & 255), UInt8(background >> 8 & 255), UInt8(background & 255)
    )
  }

  /// A part of a panorama that has all that a view shows of it; the rest is background.
  init(base: UnsafePointer<UInt8>, part: PixelSize, period: Double, background: UInt32) {
    self.base = base
    (columns, rows) = (part.width, part.height)
    (right, bottom) = (part.width << 16, part.height << 16)
    self.period = max(right, Int(period * 65536))
    turnStart = (right - self.period) / 2
    (isFullTurn, hasTopPole, hasBottomPole) = (false, false, false)
    self.background = (
      UInt8(background >> 16 & 255), UInt8(background >> 8 & 255), UInt8(background & 255)
    )
  }

  static func fixed(_ place: SIMD2<Double>) -> SIMD2<Int> {
    let limited = (place * 65536).clamped(lowerBound: SIMD2(repeating: -1e13), upperBound: SIMD2(repeating: 1e13))
    return SIMD2(Int(limited.x), Int(limited.y))
  }

  /// Draws `count` pixels at places in equal steps.
  @inline(__always)
  func draw(
    _ start: SIMD2<Int>, step: SIMD2<Int>, count: Int, _ quality: LookAroundRenderer.Quality,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    var (x, y) = (start.x, start.y)
    var to = output
    for _ in 0..<count {
      var turned = x
      if turned < turnStart { turned &+= period } else if turned >= turnStart &+ period { turned &-= period }
      let isOutside =
        (!isFullTurn && (turned < 0 || turned >= right)) || (!hasTopPole && y < 0) || (!hasBottomPole && y >= bottom)
      if isOutside {
        (to[0], to[1], to[2]) = background
      } else if quality == .coarse {
        let from = base + 3 * (row(y >> 16) &* columns &+ column(turned >> 16))
        to[0] = from[0]
        to[1] = from[1]
        to[2] = from[2]
      } else {
        mix(turned &- Self.half, y &- Self.half, to)
      }
      x &+= step.x
      y &+= step.y
      to += 3
    }
  }

  @inline(__always)
  private func mix(_ x: Int, _ y: Int, _ to: UnsafeMutablePointer<UInt8>) {
    let (left, above) = (x >> 16, y >> 16)
    let (along, down) = (Int32(truncatingIfNeeded: x >> 8 & 255), Int32(truncatingIfNeeded: y >> 8 & 255))
    if left >= 0, above >= 0, left &+ 1 < columns, above &+ 1 < rows {
      let from = base + 3 * (above &* columns &+ left)
      blend(from, from + 3, from + 3 * columns, from + 3 * columns + 3, along, down, to)
    } else {
      let first = (pixel(left, above), pixel(left &+ 1, above))
      let second = (pixel(left, above &+ 1), pixel(left &+ 1, above &+ 1))
      blend(first.0, first.1, second.0, second.1, along, down, to)
    }
  }

  @inline(__always)
  private func blend(
    _ one: UnsafePointer<UInt8>, _ two: UnsafePointer<UInt8>, _ three: UnsafePointer<UInt8>,
    _ four: UnsafePointer<UInt8>, _ along: Int32, _ down: Int32, _ to: UnsafeMutablePointer<UInt8>
  ) {
    for colour in 0..<3 {
      let top = Int32(one[colour]) &* (256 &- along) &+ Int32(two[colour]) &* along
      let bottom = Int32(three[colour]) &* (256 &- along) &+ Int32(four[colour]) &* along
      to[colour] = UInt8(truncatingIfNeeded: (top &* (256 &- down) &+ bottom &* down &+ 32768) >> 16)
    }
  }

  /// Beyond a pole the picture goes on half a turn away, from that pole down.
  private func pixel(_ x: Int, _ y: Int) -> UnsafePointer<UInt8> {
    let isBeyond = (hasTopPole && y < 0) || (hasBottomPole && y >= rows)
    return base + 3 * (row(y) * columns + column(isBeyond ? x + columns / 2 : x))
  }

  @inline(__always)
  private func row(_ y: Int) -> Int { min(max(y, 0), rows &- 1) }

  @inline(__always)
  private func column(_ x: Int) -> Int {
    if x >= 0, x < columns { return x }
    if !isFullTurn { return x < 0 ? 0 : columns - 1 }
    let rest = x % columns
    return rest < 0 ? rest + columns : rest
  }
}
