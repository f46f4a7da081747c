internal import Imaging

/// The movement of a photo on the wall: a panorama turns, a sweep pans, and both go back at their ends. Other photos
/// rest, so that nothing ticks for them.
struct WallMotion: Sendable {
  /// Eight frames a second: at this pace, a frame moves the picture by about a column of an ordinary terminal.
  static let tick = Duration.milliseconds(125)
  /// Far below the speed that eyes can follow (`Walk.calm`).
  static let degreesPerSecond = 8.0
  /// Of the window's width.
  static let partPerSecond = 0.05

  private var direction = 1.0

  /// A sweep begins at its left end. Nil for a photo that rests.
  init?(_ viewer: inout PhotoViewer) {
    guard let kind = viewer.geometry?.kind, kind != .flat else { return nil }
    if viewer.look == nil { viewer.flat?.pan(x: -1e6, y: 0) }
    var moved = viewer
    guard step(&moved) else { return nil }
  }

  /// False if nothing moved: the picture ends here on both sides.
  @discardableResult
  mutating func step(_ viewer: inout PhotoViewer) -> Bool {
    for _ in 0..<2 {
      if Self.move(&viewer, direction) { return true }
      direction = -direction
    }
    return false
  }

  private static func move(_ viewer: inout PhotoViewer, _ direction: Double) -> Bool {
    let seconds = 0.125 * direction
    if viewer.look != nil {
      return viewer.look?.turn(rightDegrees: seconds * degreesPerSecond, upDegrees: 0) == true
    }
    return viewer.flat?.pan(x: seconds * partPerSecond, y: 0) == true
  }
}
