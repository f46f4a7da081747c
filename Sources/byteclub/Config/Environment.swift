import Glibc

/// The variables that the program was started with.
struct Environment: Sendable {
  /// The variable that an access token may be in.
  static let tokenVariable = "BYTECLUB_TOKEN"

  /// The access token that the program was started with, for the club that is opened; nil when there is none. Nothing
  /// else here tells it.
  let accessToken: String?
  /// The names of all variables, where they are known.
  let names: [String]
  private let lookUp: @Sendable (String) -> String?

  /// Asks a function.
  init(
    accessToken: String? = nil, names: [String] = [], _ lookUp: @escaping @Sendable (String) -> String?
  ) {
    self.accessToken = accessToken
    self.names = names
    self.lookUp = lookUp
  }

  /// Fixed variables.
  init(_ variables: [String: String]) {
    let token = variables[Environment.tokenVariable]
    self.init(accessToken: token, names: variables.keys.sorted()) {
      $0 == Environment.tokenVariable ? nil : variables[$0]
    }
  }

  /// Those of this process. The first use takes the access token out of them, so that no program that is started has
  /// it: it must come before there is a second thread.
  static let process = Environment(accessToken: takeToken(), names: ownNames()) { name in
    getenv(name).map { String(cString: $0) }
  }

  /// The variables of this process that are meant for byteclub.
  private static func ownNames() -> [String] {
    var names: [String] = []
    var at = environ
    while let text = at.pointee {
      if strncmp(text, "BYTECLUB_", 9) == 0 {
        names.append(String(String(cString: text).prefix { $0 != "=" }))
      }
      at = at.advanced(by: 1)
    }
    return names
  }

  private static func takeToken() -> String? {
    guard let value = getenv(tokenVariable) else { return nil }
    let token = String(cString: value)
    // /proc tells other programs of this user what lies there, also after the variable is unset.
    memset(value, 0, strlen(value))
    unsetenv(tokenVariable)
    return token.isEmpty ? nil : token
  }

  /// The value of a variable; nil when it is unset or empty, which mean the same here.
  subscript(name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }
}
