internal import FileStores
internal import Imaging
internal import POSIX

/// The movement of a view by itself. Time comes in ticks: `PhotosEffect.awaitTurn` sends one after a pause, and nothing
/// ticks at rest.
struct ViewerMotion: Sendable {
  /// Turns by itself, to the right if positive, in degrees for each tick; nil at rest.
  private(set) var turning: Double?
  /// On the way to a hot spot; nil at rest.
  private var aim: (yaw: Double, pitch: Double)?
  private var spin = Spin()
  /// On the way to a member's gaze, or at it; nil while nobody is followed.
  private var follow: (name: String, glide: GazeGlide, isThere: Bool)?
  /// True while a tick is on its way.
  private(set) var isTicking = false
  /// Nothing swings or glides.
  var isReduced = false
  private var isPushed = false

  private static let turn = 1.0
  /// A tenth of a second and less looks like movement; a tick sends a whole picture, often over a network.
  private static let turnPause = Duration.milliseconds(80)
  private static let swingPause = Duration.milliseconds(40)

  /// The member who is followed.
  var following: String? { follow?.name }

  var pause: Duration { turning == nil ? Self.swingPause : Self.turnPause }

  /// True while it swings after a movement of the member, or glides to a hot spot; any key ends that.
  var isSwinging: Bool { aim != nil || spin.isFree || follow != nil }

  /// True if the view moves although the member does nothing.
  private var isFree: Bool { turning != nil || aim != nil || spin.isFree || follow?.isThere == false }

  private var needsTick: Bool { isFree || isPushed }

  mutating func startTurning() {
    rest()
    turning = Self.turn
  }

  mutating func glide(toYaw yaw: Double, pitch: Double) {
    rest()
    aim = (yaw, pitch)
  }

  mutating func startFollowing(_ name: String) {
    rest()
    follow = (name, GazeGlide(), false)
  }

  /// The followed gaze may be another one.
  mutating func lookAgain() { follow?.isThere = false }

  /// The member moves the view.
  mutating func push(right: Double, up: Double) {
    (aim, follow) = (nil, nil)
    guard !isReduced, turning == nil else { return }
    spin.push(right: right, up: up)
    isPushed = true
  }

  mutating func hold() {
    rest()
    spin.hold()
  }

  mutating func release() {
    if !isReduced, spin.release() { isPushed = true }
  }

  /// A tick that is on its way has no effect any more.
  mutating func rest() { (turning, aim, spin, isPushed, follow) = (nil, nil, Spin(), false, nil) }

  /// Returns true if a tick must be asked for now.
  mutating func wantsTick() -> Bool {
    defer { isTicking = needsTick }
    return needsTick && !isTicking
  }

  fileprivate mutating func tick(_ viewer: inout PhotoViewer, _ present: Present) {
    isTicking = false
    if let name = follow?.name { return step(to: present.gaze(of: name, at: viewer.path), &viewer) }
    if let degrees = turning {
      // A partial panorama turns back at its end.
      if viewer.look?.turn(rightDegrees: degrees, upDegrees: 0) == false { turning = -degrees }
    } else if let aim {
      glide(aim, &viewer)
    } else {
      isPushed = false
      guard let step = spin.tick() else { return }
      isPushed = true
      if spin.isFree, !viewer.move(right: step.right, up: step.up) { rest() }
    }
  }

  private mutating func step(to gaze: Gaze?, _ viewer: inout PhotoViewer) {
    guard let gaze, let look = viewer.look, var follow else { return rest() }
    let right = (gaze.yawDegrees - look.yawDegrees).remainder(dividingBy: 360)
    let up = gaze.pitchDegrees - look.pitchDegrees
    let step =
      isReduced ? (right, up) : follow.glide.step(right: right, up: up, seconds: Self.swingPause / .seconds(1))
    // A part of a panorama may end before the gaze.
    let moves = viewer.look?.turn(rightDegrees: step.0, upDegrees: step.1) == true
    follow.isThere = !moves || abs(right - step.0) < GazeGlide.near && abs(up - step.1) < GazeGlide.near
    self.follow = follow
  }

  private mutating func glide(_ aim: (yaw: Double, pitch: Double), _ viewer: inout PhotoViewer) {
    guard let look = viewer.look else { return rest() }
    let right = (aim.yaw - look.yawDegrees).remainder(dividingBy: 360)
    let up = aim.pitch - look.pitchDegrees
    let isLast = abs(right) < 2 && abs(up) < 2
    let part = isLast ? 1 : 0.35
    let moves = viewer.look?.turn(rightDegrees: right * part, upDegrees: up * part) == true
    if isLast || !moves { rest() }
  }
}

extension PhotoViewer {
  /// A tick has come.
  mutating func tick(_ present: Present) {
    var motion = motion
    motion.tick(&self, present)
    self.motion = motion
  }
}

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
