import POSIX

/// The camera inside a panorama, with a flat window. Angles are in degrees; right and up are positive, and the field of
/// view is horizontal. A part of a panorama is never left, unless it is tilted by 15 degrees or more.
public struct LookAround: Sendable, Equatable {
  /// For a press of `+`; `-` is its inverse.
  public static let zoomStep = 1.25
  /// For a press of an arrow, as a fraction of the field of view.
  public static let turnStep = 0.125
  /// Window pixels that a pixel of the picture covers at most, as in `FlatView`.
  private static let largestPixel = 16.0

  public let geometry: PictureGeometry
  /// In the window's own pixels.
  public private(set) var window: PixelSize
  public private(set) var yawDegrees = 0.0
  public private(set) var pitchDegrees = 0.0
  public private(set) var fieldOfViewDegrees = 90.0
  private var limits: ViewLimits
  private var smallestSlope = 0.0
  private var widestSlope = 1.0

  /// `pixelAspect`: width of a window pixel / its height.
  public init(_ geometry: PictureGeometry, window: PixelSize, pixelAspect: Double = 1) {
    self.geometry = geometry
    self.window = PixelSize(width: max(1, window.width), height: max(1, window.height))
    limits = ViewLimits(geometry.coverage, shape: 1)
    fit(pixelAspect)
    reset()
  }

  /// The picture's initial view.
  public mutating func reset() {
    look(
      yaw: geometry.initialYawDegrees, pitch: geometry.initialPitchDegrees,
      fieldOfView: geometry.initialFieldOfViewDegrees)
  }

  /// The nearest view inside the picture; numbers that are not finite change nothing.
  public mutating func look(yaw: Double, pitch: Double, fieldOfView: Double) {
    guard yaw.isFinite, pitch.isFinite, fieldOfView.isFinite else { return }
    let slope = tan((fieldOfView.clamped(0, 179) / 2).radians).clamped(smallestSlope, widestSlope)
    fieldOfViewDegrees = (2 * atan(slope)).degrees
    let pitches = limits.pitches(slope)
    let up = pitch.clamped(-90, 90).radians.clamped(pitches.lowerBound, pitches.upperBound)
    pitchDegrees = up.degrees
    yawDegrees = yaw.turnedDegrees
    if let most = limits.largestYaw(up, slope)?.degrees { yawDegrees = yawDegrees.clamped(-most, most) }
  }

  /// Turns by fractions of the field of view, across and down the window. False if nothing moved.
  @discardableResult
  public mutating func turn(right: Double, up: Double) -> Bool {
    turn(rightDegrees: right * fieldOfViewDegrees, upDegrees: up * (2 * atan(slope * limits.shape)).degrees)
  }

  /// False if nothing moved.
  @discardableResult
  public mutating func turn(rightDegrees: Double, upDegrees: Double) -> Bool {
    guard rightDegrees.isFinite, upDegrees.isFinite else { return false }
    let before = self
    // A part ends at its edge, however far the turn goes.
    let yaw = yawDegrees + rightDegrees
    look(
      yaw: limits.isEndless || !yaw.isFinite ? yaw : yaw.clamped(-180, 180), pitch: pitchDegrees + upDegrees,
      fieldOfView: fieldOfViewDegrees)
    return self != before
  }

  /// Magnifies about the window's middle; factors below 1 reduce.
  public mutating func zoom(by factor: Double) {
    guard factor.isFinite, factor > 0 else { return }
    look(yaw: yawDegrees, pitch: pitchDegrees, fieldOfView: (2 * atan(slope / factor)).degrees)
  }

  /// A view that was as wide as possible stays so.
  public mutating func resize(to window: PixelSize, pixelAspect: Double = 1) {
    let wasWidest = slope >= widestSlope * (1 - 1e-9)
    self.window = PixelSize(width: max(1, window.width), height: max(1, window.height))
    fit(pixelAspect)
    let field = wasWidest ? max(fieldOfViewDegrees, geometry.initialFieldOfViewDegrees) : fieldOfViewDegrees
    look(yaw: yawDegrees, pitch: pitchDegrees, fieldOfView: field)
  }

  /// The direction that a place in the window shows.
  public func direction(atX x: Double, y: Double) -> (yaw: Double, pitch: Double) {
    let seen = toLevel.apply(ray(x, y))
    return (seen.yawDegrees, seen.pitchDegrees)
  }

  /// The place in the window that shows a direction; nil outside the window.
  public func place(yaw: Double, pitch: Double) -> (x: Double, y: Double)? {
    let seen = toLevel.inverse.apply(.direction(yawDegrees: yaw, pitchDegrees: pitch))
    guard seen.z > 1e-9 else { return nil }
    let x = (seen.x / seen.z / slope + 1) / 2 * Double(window.width)
    let y = (1 - seen.y / seen.z / (slope * limits.shape)) / 2 * Double(window.height)
    guard x >= 0, y >= 0, x <= Double(window.width), y <= Double(window.height) else { return nil }
    return (x, y)
  }

  /// The compass direction of the window's middle, from 0 to below 360; nil if the picture does not give its heading.
  public var headingDegrees: Double? {
    geometry.northYawDegrees.map { north in
      let turned = (yawDegrees - north).turnedDegrees
      return turned < 0 ? turned + 360 : turned
    }
  }

  /// The field of view from top to bottom.
  public var verticalFieldOfViewDegrees: Double { (2 * atan(slope * limits.shape)).degrees }

  /// Tangent of half the horizontal field of view.
  var slope: Double { tan((fieldOfViewDegrees / 2).radians) }

  /// From directions in the window to those of the level world.
  var toLevel: Rotation { Rotation.yaw(yawDegrees) * Rotation.pitch(pitchDegrees) }

  /// The direction in the window of a place in it, in window pixels from its top left.
  func ray(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let across = (2 * x / Double(window.width) - 1) * slope
    let up = (1 - 2 * y / Double(window.height)) * slope * limits.shape
    return [across, up, 1]
  }

  private mutating func fit(_ pixelAspect: Double) {
    let aspect = pixelAspect.isFinite && pixelAspect > 0 ? pixelAspect.clamped(0.1, 10) : 1
    limits = ViewLimits(
      geometry.coverage, shape: Double(window.height) / (Double(window.width) * aspect))
    widestSlope = limits.widestSlope
    let smallest = Double(window.width) / Self.largestPixel * geometry.horizontalDegrees / Double(geometry.size.width)
    smallestSlope = min(widestSlope, tan((smallest.clamped(0.05, 20) / 2).radians))
  }
}
