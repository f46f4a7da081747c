/// Places in a picture for the pixels of a window: exact at every 8th pixel, and between these on straight lines where
/// the lines differ from the curve by less than half a pixel of the picture.
struct LookAroundGrid {
  static let side = 8
  /// Second difference between neighbouring points. A straight line misses the curve by an eighth of it.
  private static let mostBend = 1.5

  /// Blocks of 8 x 8 window pixels.
  let columns: Int
  let rows: Int
  /// Pixels of the picture in a turn of 360 degrees.
  let period: Double
  /// The points reach one block beyond the window on each side.
  private let across: Int
  private var places: [SIMD2<Double>] = []
  private var bends: [Double] = []
  private let place: (Double, Double) -> SIMD2<Double>

  /// `place` gives the place in the picture for a place in the window.
  init(window: PixelSize, period: Double, place: @escaping (Double, Double) -> SIMD2<Double>) {
    columns = (window.width + Self.side - 1) / Self.side
    rows = (window.height + Self.side - 1) / Self.side
    across = columns + 3
    self.period = period
    self.place = place
    places.reserveCapacity(across * (rows + 3))
    for row in -1...(rows + 1) {
      for column in -1...(columns + 1) { places.append(exact(column * Self.side, row * Self.side)) }
    }
    bends = [Double](repeating: 0, count: places.count)
    for row in 0...rows {
      for column in 0...columns {
        let at = index(column, row)
        bends[at] = max(bend(at - 1, at, at + 1), bend(at - across, at, at + across))
      }
    }
  }

  /// For the middle of a window pixel.
  func exact(_ x: Int, _ y: Int) -> SIMD2<Double> { place(Double(x) + 0.5, Double(y) + 0.5) }

  struct Corners {
    var topLeft: SIMD2<Double>
    var topRight: SIMD2<Double>
    var bottomLeft: SIMD2<Double>
    var bottomRight: SIMD2<Double>
  }

  /// The block's first pixel and those that follow its last ones, without a jump at the seam; nil where lines are not
  /// close enough.
  func corners(_ column: Int, _ row: Int) -> Corners? {
    let at = index(column, row)
    guard max(max(bends[at], bends[at + 1]), max(bends[at + across], bends[at + across + 1])) <= Self.mostBend
    else { return nil }
    let first = places[at]
    return Corners(
      topLeft: first, topRight: first + step(at, at + 1), bottomLeft: first + step(at, at + across),
      bottomRight: first + step(at, at + across + 1))
  }

  private func index(_ column: Int, _ row: Int) -> Int { (row + 1) * across + column + 1 }

  /// The shorter way around.
  private func step(_ from: Int, _ to: Int) -> SIMD2<Double> {
    var step = places[to] - places[from]
    if step.x > period / 2 { step.x -= period } else if step.x < -period / 2 { step.x += period }
    return step
  }

  private func bend(_ before: Int, _ at: Int, _ after: Int) -> Double {
    let (one, two) = (step(before, at), step(at, after))
    // Next to a pole, a step of a few pixels goes far around it.
    if max(abs(one.x), abs(two.x)) > period / 8 { return .infinity }
    return max(abs(two.x - one.x), abs(two.y - one.y))
  }
}
