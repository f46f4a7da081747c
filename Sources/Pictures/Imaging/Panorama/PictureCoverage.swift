import POSIX

/// The way in which a picture holds the directions around its camera.
struct PictureCoverage: Sendable, Hashable {
  enum Projection: Sendable, Hashable {
    /// Columns by yaw, rows by pitch.
    case equirectangular
    /// Columns by yaw, rows by the tangent of pitch: a phone that turns takes each column with the middle of a flat
    /// camera, in which the distance from the horizon grows with the tangent.
    case cylindrical
  }

  var projection: Projection
  var horizontalDegrees: Double
  var topDegrees: Double
  var bottomDegrees: Double
  /// The left edge continues at the right edge.
  var isFullTurn = false
  /// Yaw of the picture's middle in the whole panorama of which it is a part.
  var offsetDegrees = 0.0
  /// Pitch and roll of the whole panorama's middle.
  var posePitchDegrees = 0.0
  var poseRollDegrees = 0.0

  static let smallestDegrees = 0.5
  /// A flat camera cannot look higher on a cylinder.
  static let highestOnCylinder = 85.0

  static let sphere = PictureCoverage(
    projection: .equirectangular, horizontalDegrees: 360, topDegrees: 90, bottomDegrees: -90, isFullTurn: true)

  /// A cylinder with square pixels and the horizon in the middle.
  static func cylinder(_ size: PixelSize, horizontalDegrees: Double, isFullTurn: Bool) -> PictureCoverage {
    let width = horizontalDegrees.clamped(smallestDegrees, 360)
    let radius = Double(size.width) / width.radians
    let top = atan(Double(size.height) / 2 / radius).degrees.clamped(smallestDegrees / 2, highestOnCylinder)
    return PictureCoverage(
      projection: .cylindrical, horizontalDegrees: width, topDegrees: top, bottomDegrees: -top, isFullTurn: isFullTurn)
  }

  /// A sphere, or the part around the horizon that a picture with square pixels covers.
  static func sphere(_ size: PixelSize) -> PictureCoverage {
    let aspect = Double(size.width) / Double(size.height)
    var coverage = sphere
    if aspect > 2 {
      coverage.topDegrees = max(smallestDegrees / 2, 180 / aspect)
      coverage.bottomDegrees = -coverage.topDegrees
    } else if aspect < 2 {
      coverage.horizontalDegrees = max(smallestDegrees, 180 * aspect)
      coverage.isFullTurn = false
    }
    return coverage
  }

  /// From directions of the level world (yaw 0 is the picture's middle) to directions in the picture.
  var fromLevel: Rotation {
    if posePitchDegrees == 0, poseRollDegrees == 0 { return .yaw(0) }
    let pose = Rotation.pitch(posePitchDegrees) * Rotation.roll(poseRollDegrees)
    return Rotation.yaw(-offsetDegrees) * pose.inverse * Rotation.yaw(offsetDegrees)
  }

  /// Pixels from the left and top edges in a picture of `size`; beyond these edges for directions outside.
  func place(_ direction: SIMD3<Double>, _ size: PixelSize) -> (x: Double, y: Double) {
    let (width, height) = (Double(size.width), Double(size.height))
    let level = (direction.x * direction.x + direction.z * direction.z).squareRoot()
    let x = width * (0.5 + atan2(direction.x, direction.z) / horizontalDegrees.radians)
    switch projection {
    case .equirectangular:
      let (top, bottom) = (topDegrees.radians, bottomDegrees.radians)
      return (x, height * (top - atan2(direction.y, level)) / (top - bottom))
    case .cylindrical:
      let (top, bottom) = (tan(topDegrees.radians), tan(bottomDegrees.radians))
      let rise = direction.y / max(level, 1e-9)
      return (x, height * (top - rise.clamped(-1000, 1000)) / (top - bottom))
    }
  }

  /// The edges of a tilted picture are this much nearer in the level world, or less. nil if little would be left: then
  /// views have no limits, and show the background around the picture.
  var tiltMarginDegrees: Double? {
    if isFullTurn, topDegrees >= 90, bottomDegrees <= -90 { return 0 }
    // No direction moves by more when the pose is corrected.
    let tilt = abs(posePitchDegrees) + abs(poseRollDegrees)
    return tilt < 15 && topDegrees - bottomDegrees > 4 * tilt && horizontalDegrees > 8 * tilt ? tilt : nil
  }

  /// The direction of the level world with which to begin: the horizon, or the nearest that the picture shows.
  var middle: (yawDegrees: Double, pitchDegrees: Double) {
    if tiltMarginDegrees != nil { return (0, 0.clamped(bottomDegrees, topDegrees)) }
    let seen = fromLevel.inverse.apply(.direction(yawDegrees: 0, pitchDegrees: (topDegrees + bottomDegrees) / 2))
    return (seen.yawDegrees, seen.pitchDegrees)
  }
}
