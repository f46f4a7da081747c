/// The swing of a view after the member lets it go. Moves are fractions of the window, to the right and up, and time is
/// counted in ticks: the swing begins once the mouse lets go, or the keys stop repeating, and friction ends it.
public struct Spin: Sendable, Equatable {
  /// The part of the speed that a tick leaves.
  static let friction = 0.82
  /// In a tick. A swing from the highest speeds goes about 0.2 (keys) and 0.5 (mouse) of the window.
  static let mostByKeys = 0.045
  static let mostByMouse = 0.12
  private static let least = 0.004
  /// A key held down repeats for at least this many ticks; a single press ends where it is.
  private static let leastTicks = 3

  private var moved = SIMD2<Double>.zero
  private var speed = SIMD2<Double>.zero
  /// Ticks in a row in which the member moved the view.
  private var ticks = 0
  private var isHeld = false
  /// True while the view swings.
  public private(set) var isFree = false

  public init() {}

  /// The member moves the view.
  public mutating func push(right: Double, up: Double) {
    if isFree { rest() }
    moved += [right, up]
  }

  /// The mouse takes the view.
  public mutating func hold() {
    rest()
    isHeld = true
  }

  /// The mouse lets the view go. Returns true if it swings.
  public mutating func release() -> Bool {
    guard isHeld else { return false }
    isHeld = false
    // A short flick ends before its first tick.
    let last = ticks == 0 ? moved : speed * 0.5 + moved * 0.5
    return swing(last, most: Self.mostByMouse)
  }

  /// The movement of a tick; nil when nothing moves any more.
  public mutating func tick() -> (right: Double, up: Double)? {
    if isFree {
      speed *= Self.friction
      guard Self.length(speed) >= Self.least else {
        rest()
        return nil
      }
      return (speed.x, speed.y)
    }
    guard moved != .zero else {
      guard !isHeld, ticks >= Self.leastTicks, swing(speed, most: Self.mostByKeys) else {
        let held = isHeld
        rest()
        isHeld = held
        return nil
      }
      return (speed.x, speed.y)
    }
    speed = ticks == 0 ? moved : speed * 0.4 + moved * 0.6
    (moved, ticks) = (.zero, ticks + 1)
    return (0, 0)
  }

  public mutating func rest() { self = Spin() }

  private mutating func swing(_ wanted: SIMD2<Double>, most: Double) -> Bool {
    let length = Self.length(wanted)
    rest()
    guard length >= 2 * Self.least, length.isFinite else { return false }
    speed = length > most ? wanted * (most / length) : wanted
    isFree = true
    return true
  }

  private static func length(_ vector: SIMD2<Double>) -> Double {
    (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }
}
