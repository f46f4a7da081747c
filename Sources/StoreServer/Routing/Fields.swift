import HTTPTypes

extension HTTPFields {
  /// The value of a header, by a name that is a token; nil when there is none.
  func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

  /// Sets a header.
  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}
