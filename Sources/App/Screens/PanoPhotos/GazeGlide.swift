internal import POSIX

/// A view's way to another member's gaze: a critically damped spring, exact for steps of any length. It knows no future: a
/// guess of where a gaze goes on to swings back when that gaze stops. A step never goes past the gaze.
struct GazeGlide: Sendable {
  /// Each second. Of 20 degrees, half a degree is left after a sixth of a second.
  private static let stiffness = 36.0
  /// Nearer than that the view is there, in degrees.
  static let near = 0.05

  private var speed = (right: 0.0, up: 0.0)

  /// Degrees to move in this time, for a gaze that is so many degrees to the right and up.
  mutating func step(right: Double, up: Double, seconds: Double) -> (right: Double, up: Double) {
    (Self.move(right, &speed.right, seconds), Self.move(up, &speed.up, seconds))
  }

  private static func move(_ rest: Double, _ speed: inout Double, _ seconds: Double) -> Double {
    guard abs(rest) > near else {
      speed = 0
      return rest
    }
    // The gaze has turned back.
    if speed * rest < 0 { speed = 0 }
    let decay = exp(-stiffness * seconds)
    let slope = speed - stiffness * rest
    let left = (-rest + slope * seconds) * decay
    speed = (speed - stiffness * slope * seconds) * decay
    guard left * rest < 0 else {
      speed = 0
      return rest
    }
    return left + rest
  }
}
