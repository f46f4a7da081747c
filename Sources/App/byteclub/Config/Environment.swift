import POSIX

struct Environment: Sendable {
  static let tokenVariable = "BYTECLUB_TOKEN"

  /// The access token for the opened club. No other member of this type exposes it.
  let accessToken: String?
  let names: [String]
  private let lookUp: @Sendable (String) -> String?

  init(
    accessToken: String? = nil, names: [String] = [], _ lookUp: @escaping @Sendable (String) -> String?
  ) {
    self.accessToken = accessToken
    self.names = names
    self.lookUp = lookUp
  }

  init(_ variables: [String: String]) {
    let token = variables[Environment.tokenVariable]
    self.init(accessToken: token, names: variables.keys.sorted()) {
      $0 == Environment.tokenVariable ? nil : variables[$0]
    }
  }

  /// The first use removes the access token from the environment, so no started program inherits it. It must happen
  /// before there is a second thread.
  static let process = Environment(accessToken: takeToken(), names: ownNames()) { name in
    getenv(name).map { String(cString: $0) }
  }

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
    // /proc shows this memory to the user's other programs, even after the variable is unset.
    memset(value, 0, strlen(value))
    unsetenv(tokenVariable)
    return token.isEmpty ? nil : token
  }

  /// nil if the variable is unset or empty.
  subscript(name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }
}

extension Environment {
  /// The locale of characters: the first of three variables that is set decides, as setlocale(3) has it.
  var locale: String { self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C" }

  /// True if the locale's encoding is UTF-8.
  var isUnicode: Bool {
    // macOS sends the encoding alone: LC_CTYPE=UTF-8.
    let encoding = locale.prefix { $0 != "@" }.split(separator: ".").last ?? ""
    return encoding.lowercased().filter { $0 != "-" } == "utf8"
  }
}
