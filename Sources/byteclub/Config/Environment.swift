import Glibc

/// The variables that the program was started with.
struct Environment: Sendable {
  private let lookUp: @Sendable (String) -> String?

  /// Asks a function.
  init(_ lookUp: @escaping @Sendable (String) -> String?) {
    self.lookUp = lookUp
  }

  /// Fixed variables.
  init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  /// Those of this process.
  static let process = Environment { name in getenv(name).map { String(cString: $0) } }

  /// The value of a variable; nil when it is unset or empty, which mean the same here.
  subscript(name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }
}
