import POSIX

/// Keeps a window inside the directions that a picture covers. `slope` is the tangent of half the horizontal field of
/// view; `shape` is the tangent of half the vertical one, divided by `slope`.
struct ViewLimits: Sendable, Equatable {
  let shape: Double
  /// Radians, like all angles here. Infinite for a full turn.
  private let halfYaw: Double
  private let top: Double
  private let bottom: Double

  /// A flat window distorts more beyond.
  private static let widestDegrees = 120.0
  private static let slack = 1e-9
  private static let steps = 40

  init(_ coverage: PictureCoverage, shape: Double) {
    self.shape = shape
    guard let margin = coverage.tiltMarginDegrees else {
      (top, bottom, halfYaw) = (.pi / 2, -.pi / 2, .infinity)
      return
    }
    let topDegrees = coverage.topDegrees >= 90 ? 90 : coverage.topDegrees - margin
    let bottomDegrees = coverage.bottomDegrees <= -90 ? -90 : coverage.bottomDegrees + margin
    let highest = max(abs(topDegrees), abs(bottomDegrees)).clamped(0, 75)
    top = topDegrees.radians
    bottom = bottomDegrees.radians
    // Far from the horizon, the same movement goes through more degrees of yaw.
    let marginYaw = asin(min(1, sin(margin.radians) / cos(highest.radians)))
    halfYaw = coverage.isFullTurn ? .infinity : max(0, coverage.horizontalDegrees.radians / 2 - marginYaw)
  }

  /// Turns to the right have no end.
  var isEndless: Bool { halfYaw.isInfinite }

  /// The widest window that fits somewhere.
  var widestSlope: Double {
    let cap = tan((Self.widestDegrees / 2).radians) * min(1, 1 / shape)
    if fits(bestPitch(cap), cap) { return cap }
    return Self.last(0, cap) { fits(bestPitch($0), $0) }
  }

  /// The pitches at which a window of this width fits.
  func pitches(_ slope: Double) -> ClosedRange<Double> {
    let best = bestPitch(slope)
    guard fits(best, slope) else { return best...best }
    let right = Double.pi / 2
    let low = fits(-right, slope) ? -right : Self.last(best, -right) { fits($0, slope) }
    let high = fits(right, slope) ? right : Self.last(best, right) { fits($0, slope) }
    return low...high
  }

  /// The largest yaw of the window's middle to either side; nil if there is no limit.
  func largestYaw(_ pitch: Double, _ slope: Double) -> Double? {
    halfYaw.isInfinite ? nil : max(0, halfYaw - seenYaw(pitch, slope))
  }

  /// The pitch nearest to the horizon at which the window's middle column fits.
  private func bestPitch(_ slope: Double) -> Double {
    let half = atan(slope * shape)
    let low = bottom <= -.pi / 2 ? -.pi / 2 : bottom + half
    let high = top >= .pi / 2 ? .pi / 2 : top - half
    return low > high ? (low + high) / 2 : 0.clamped(low, high)
  }

  /// The highest and lowest directions of a window are in its corners or its middle column, or at a pole.
  private func fits(_ pitch: Double, _ slope: Double) -> Bool {
    let up = slope * shape
    let half = atan(up)
    if pitch + half >= .pi / 2, top < .pi / 2 { return false }
    if pitch - half <= -.pi / 2, bottom > -.pi / 2 { return false }
    for x in [0, slope] {
      for y in [-up, up] {
        let sine = (sin(pitch) + y * cos(pitch)) / (1 + x * x + y * y).squareRoot()
        let seen = asin(sine.clamped(-1, 1))
        if seen > top + Self.slack || seen < bottom - Self.slack { return false }
      }
    }
    return seenYaw(pitch, slope) <= halfYaw + Self.slack
  }

  /// From the window's middle to its corners; everything if it sees a pole.
  private func seenYaw(_ pitch: Double, _ slope: Double) -> Double {
    let ahead = cos(pitch) - slope * shape * abs(sin(pitch))
    return ahead <= Self.slack ? .pi : atan2(slope, ahead)
  }

  /// The last number on the way from `good` to `bad` that passes.
  private static func last(_ good: Double, _ bad: Double, _ passes: (Double) -> Bool) -> Double {
    var (good, bad) = (good, bad)
    for _ in 0..<steps {
      let middle = (good + bad) / 2
      if passes(middle) { good = middle } else { bad = middle }
    }
    return good
  }
}
