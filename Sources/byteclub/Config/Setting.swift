import Backends

/// One setting: what the config file, the variables, `config show`, the manual and the example all go by.
struct Setting: Sendable {
  /// What a value must be.
  enum Kind: Sendable, Equatable {
    /// Any text that is not empty.
    case text
    /// `true` or `false`.
    case boolean
    /// A whole number.
    case whole(ClosedRange<Int>)
    /// One of these words.
    case choice([String])
    /// A file or directory; a leading `~` is the home directory.
    case path
    /// A folder below the club's, as `photos` or `media/photos`.
    case folder
    /// A list of keys, as `["n", "+"]`.
    case keys
    /// A program and its arguments, as `["pass", "show", "club"]`.
    case program
    /// What a field of a request's header says.
    case headerField
  }

  /// The key path: `ui.mouse`, or with a word that stands for any name, `clubs.NAME.path`.
  let key: String
  /// What a value must be.
  let kind: Kind
  /// What holds when nothing is said; nil when that is nothing.
  let fallback: SettingValue?
  /// The variable that sets it.
  var variable: String?
  /// The flag that sets it.
  var flag: String?
  /// Whether `null` may stand for nothing.
  var mayBeNull = false
  /// Whether `config show` only tells that there is a value.
  var isSecret = false
  /// The kinds of stores whose clubs have it; empty for a setting that is not about a store.
  var stores: [String] = []
  /// What it does, for the manual: a sentence.
  let about: String

  /// The parts of the key path.
  var parts: [String] { key.split(separator: ".").map(String.init) }
  /// Whether a part stands for any name.
  var isPattern: Bool { parts.contains(where: Setting.isPlaceholder) }
  /// Whether a part of a key path stands for any name: it is written in capitals.
  static func isPlaceholder(_ part: String) -> Bool { part.allSatisfy(\.isUppercase) }

  /// What is allowed, as the end of a sentence.
  var allowed: String {
    switch kind {
    case .text: mayBeNull ? "a text in double quotes, or null" : "a text in double quotes that is not empty"
    case .boolean: "true or false"
    case .whole(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)" + (mayBeNull ? ", or null" : "")
    case .choice(let words): Setting.spoken(words.map { "\"\($0)\"" })
    case .path: "a path in double quotes, absolute or beginning with ~"
    case .folder: "the path of a folder inside the club, in double quotes, such as \"photos\""
    case .keys: "a list of keys in double quotes, such as [\"n\", \"Ctrl-N\"]"
    case .program:
      "a program and its arguments, each in double quotes, such as [\"pass\", \"show\", \"club\"], or null"
    case .headerField: "a text in double quotes, of printable ASCII characters"
    }
  }

  /// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
  static func spoken(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Setting {
  /// A setting of a kind of store.
  init(_ setting: StoreSetting, of store: String) {
    let kind: Kind =
      switch setting.value {
      case .text: .text
      case .choice(let words): .choice(words)
      case .path: .path
      case .program: .program
      }
    self.init(
      key: "clubs.NAME." + setting.key, kind: kind, fallback: nil, mayBeNull: setting.required == nil,
      isSecret: setting.isSecret, stores: [store], about: setting.about)
  }
}
