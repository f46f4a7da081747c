internal import JSON

extension JSONValue {
  /// The JSON value of a whole response; nil if it is not JSON. A name cut inside a surrogate pair is repaired.
  static func answer(_ bytes: [UInt8]) -> JSONValue? {
    var options = JSONReader.Options()
    options.mendsHalfPairs = true
    return try? JSONReader.read(bytes, options)
  }

  var count: UInt64? { if case .integer(let value) = self { UInt64(exactly: value) } else { nil } }

  /// Whole or fractional seconds; nil if negative or more than 30 days.
  var seconds: Duration? {
    switch self {
    case .integer(let value) where 0...2_592_000 ~= value: .seconds(value)
    case .fraction(let value) where 0...2_592_000 ~= value: .milliseconds(Int64((value * 1000).rounded(.up)))
    default: nil
    }
  }
}
