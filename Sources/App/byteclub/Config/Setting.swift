import Backends

/// The common source of the config file, the variables, `config show`, the manual and the example.
struct Setting: Sendable {
  enum Kind: Sendable, Equatable {
    /// Not empty.
    case text
    case boolean
    case whole(ClosedRange<Int>)
    case choice([String])
    /// A leading `~` is the home directory.
    case path
    /// Inside the club, such as `media/photos`.
    case folder
    /// Such as `["n", "+"]`.
    case keys
    /// A program and its arguments, such as `["pass", "show", "club"]`.
    case program
    case headerField
    /// A theme's name, or an object with one as its `base`, and colours such as `#7AA2F7` for roles and hues.
    case theme
  }

  /// Such as `ui.mouse`; a part in capitals stands for any name, as in `clubs.NAME.path`.
  let key: String
  let kind: Kind
  let fallback: SettingValue?
  var variable: String?
  var flag: String?
  var mayBeNull = false
  var isSecret = false
  /// Kinds of stores; empty for a setting that does not concern a store.
  var stores: [String] = []
  let about: String

  var parts: [String] { key.split(separator: ".").map(String.init) }
  var isPattern: Bool { parts.contains(where: Setting.isPlaceholder) }
  static func isPlaceholder(_ part: String) -> Bool { part.allSatisfy(\.isUppercase) }

  /// The end of a sentence.
  var allowed: String {
    switch kind {
    case .text: mayBeNull ? "a text in double quotes, or null" : "a text in double quotes that is not empty"
    case .boolean: mayBeNull ? "true, false or null" : "true or false"
    case .whole(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)" + (mayBeNull ? ", or null" : "")
    case .choice(let words): Setting.spoken(words.map { "\"\($0)\"" })
    case .path: "a path in double quotes, absolute or beginning with ~"
    case .folder: "the path of a folder inside the club, in double quotes, such as \"photos\""
    case .keys: "a list of keys in double quotes, such as [\"n\", \"Ctrl-N\"]"
    case .program:
      "a program and its arguments, each in double quotes, such as [\"pass\", \"show\", \"club\"], or null"
    case .theme: "a theme such as \"dark\" or \"nord\", or an object such as \(ThemeFile.example)"
    case .headerField: "a text in double quotes, of printable ASCII characters"
    }
  }

  /// `a`, `a or b`, `a, b or c`.
  static func spoken(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Setting {
  init(_ setting: StoreSetting, of store: String) {
    let kind: Kind =
      switch setting.value {
      case .text: .text
      case .flag: .boolean
      case .choice(let words): .choice(words)
      case .path: .path
      case .program: .program
      }
    self.init(
      key: "clubs.NAME." + setting.key, kind: kind, fallback: nil, mayBeNull: setting.required == nil,
      isSecret: setting.isSecret, stores: [store], about: setting.about)
  }
}
