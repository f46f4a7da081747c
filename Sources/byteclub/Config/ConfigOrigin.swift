/// Who said the value of a setting. What stands later here goes before what stands earlier.
enum ConfigOrigin: Sendable, Equatable {
  case builtIn
  case file(line: Int)
  case variable(String)
  case flag(String)

  /// One or a few words for `config show`.
  var spoken: String {
    switch self {
    case .builtIn: "default"
    case .file(let line): "file, line \(line)"
    case .variable(let name): name
    case .flag(let name): name
    }
  }

  /// The word of `--json`.
  var word: String {
    switch self {
    case .builtIn: "default"
    case .file: "file"
    case .variable: "env"
    case .flag: "flag"
    }
  }
}
