internal import JSON

/// What stores read out of the answers of servers.
extension JSONValue {
  /// The value that the whole of an answer spells; nil when that is no JSON. A name that was cut in the middle of a
  /// surrogate pair is no reason to refuse the rest.
  static func answer(_ bytes: [UInt8]) -> JSONValue? {
    var options = JSONReader.Options()
    options.mendsHalfPairs = true
    return try? JSONReader.read(bytes, options)
  }

  /// An integer's value, when it is not negative.
  var count: UInt64? { if case .integer(let value) = self { UInt64(exactly: value) } else { nil } }

  /// Seconds, as an integer or not; nil when negative or more than 30 days.
  var seconds: Duration? {
    switch self {
    case .integer(let value) where 0...2_592_000 ~= value: .seconds(value)
    case .fraction(let value) where 0...2_592_000 ~= value: .milliseconds(Int64((value * 1000).rounded(.up)))
    default: nil
    }
  }
}
