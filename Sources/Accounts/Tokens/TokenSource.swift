/// Where a club's access token comes from.
public enum TokenSource: Sendable, Hashable {
  /// From a variable, for scripts.
  case variable(name: String, token: String)
  /// From a program of the member's: its name and arguments.
  case command([String])
  /// From `byteclub login`.
  case file

  /// The one that counts: a variable before a command before the file. Empty ones are none.
  /// - Parameter variable: what `BYTECLUB_TOKEN` says, for the selected club; nil for any other.
  public init(variable: String?, command: [String]?) {
    if let variable, !variable.isEmpty {
      self = .variable(name: "BYTECLUB_TOKEN", token: variable)
    } else if let command, !command.isEmpty {
      self = .command(command)
    } else {
      self = .file
    }
  }

  /// One word, for `--json`: `variable`, `command` or `login`.
  public var word: String {
    switch self {
    case .variable: "variable"
    case .command: "command"
    case .file: "login"
    }
  }
}

extension TokenSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing secret.
  public var description: String { word }
  /// Nothing secret.
  public var debugDescription: String { word }
  /// Nothing secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
