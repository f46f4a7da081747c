internal import Imaging
internal import TextUI

/// The movement of a view by itself. Time comes in ticks: `PhotosEffect.awaitTurn` sends one after a pause, and nothing
/// ticks at rest.
struct ViewerMotion: Sendable {
  /// Turns by itself, to the right if positive, in degrees for each tick; nil at rest.
  private(set) var turning: Double?
  /// On the way to a hot spot; nil at rest.
  private var aim: (yaw: Double, pitch: Double)?
  private var spin = Spin()
  /// True while a tick is on its way.
  private(set) var isTicking = false
  /// Nothing swings or glides.
  var isReduced = false
  private var isPushed = false

  private static let turn = 1.0
  /// A tenth of a second and less looks like movement; a tick sends a whole picture, often over a network.
  private static let turnPause = Duration.milliseconds(80)
  private static let swingPause = Duration.milliseconds(40)

  var pause: Duration { turning == nil ? Self.swingPause : Self.turnPause }

  /// True while it swings after a movement of the member, or glides to a hot spot; any key ends that.
  var isSwinging: Bool { aim != nil || spin.isFree }

  /// True if the view moves although the member does nothing.
  private var isFree: Bool { turning != nil || isSwinging }

  private var needsTick: Bool { isFree || isPushed }

  mutating func startTurning() {
    rest()
    turning = Self.turn
  }

  mutating func glide(toYaw yaw: Double, pitch: Double) {
    rest()
    aim = (yaw, pitch)
  }

  /// The member moves the view.
  mutating func push(right: Double, up: Double) {
    aim = nil
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
  mutating func rest() { (turning, aim, spin, isPushed) = (nil, nil, Spin(), false) }

  /// Returns true if a tick must be asked for now.
  mutating func wantsTick() -> Bool {
    defer { isTicking = needsTick }
    return needsTick && !isTicking
  }

  fileprivate mutating func tick(_ viewer: inout PhotoViewer) {
    isTicking = false
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
  mutating func tick() {
    var motion = motion
    motion.tick(&self)
    self.motion = motion
  }
}
