import POSIX

/// A rotation of directions: x to the right, y up, z ahead.
struct Rotation: Sendable, Equatable {
  /// The images of the three axes.
  let x: SIMD3<Double>
  let y: SIMD3<Double>
  let z: SIMD3<Double>

  /// Turns ahead to the right.
  static func yaw(_ degrees: Double) -> Rotation {
    let (sine, cosine) = (sin(degrees.radians), cos(degrees.radians))
    return Rotation(x: [cosine, 0, -sine], y: [0, 1, 0], z: [sine, 0, cosine])
  }

  /// Turns ahead upwards.
  static func pitch(_ degrees: Double) -> Rotation {
    let (sine, cosine) = (sin(degrees.radians), cos(degrees.radians))
    return Rotation(x: [1, 0, 0], y: [0, cosine, -sine], z: [0, sine, cosine])
  }

  /// Turns right downwards: a camera so turned sees its horizon turned counterclockwise.
  static func roll(_ degrees: Double) -> Rotation {
    let (sine, cosine) = (sin(degrees.radians), cos(degrees.radians))
    return Rotation(x: [cosine, -sine, 0], y: [sine, cosine, 0], z: [0, 0, 1])
  }

  var inverse: Rotation { Rotation(x: [x.x, y.x, z.x], y: [x.y, y.y, z.y], z: [x.z, y.z, z.z]) }

  func apply(_ direction: SIMD3<Double>) -> SIMD3<Double> {
    x * direction.x + y * direction.y + z * direction.z
  }

  /// First `two`, then `one`.
  static func * (one: Rotation, two: Rotation) -> Rotation {
    Rotation(x: one.apply(two.x), y: one.apply(two.y), z: one.apply(two.z))
  }
}

extension SIMD3<Double> {
  static func direction(yawDegrees: Double, pitchDegrees: Double) -> SIMD3<Double> {
    let level = cos(pitchDegrees.radians)
    return [level * sin(yawDegrees.radians), sin(pitchDegrees.radians), level * cos(yawDegrees.radians)]
  }

  /// Any length; 0 straight up and down.
  var yawDegrees: Double { atan2(x, z).degrees }
  var pitchDegrees: Double { atan2(y, (x * x + z * z).squareRoot()).degrees }
}

extension Double {
  var radians: Double { self * .pi / 180 }
  var degrees: Double { self * 180 / .pi }

  /// The same direction, above -180 and at most 180.
  var turnedDegrees: Double {
    let rest = remainder(dividingBy: 360)
    return rest <= -180 ? 180 : rest
  }

  func clamped(_ low: Double, _ high: Double) -> Double { Swift.max(low, Swift.min(high, self)) }
}
