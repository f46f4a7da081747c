/// A setting of a kind of store: it stands below `clubs.NAME` in the config.
public struct StoreSetting: Sendable, Hashable {
  /// The type of its value.
  public enum Value: Sendable, Hashable {
    /// Any text that is not empty.
    case text
    /// One of these words.
    case choice([String])
    /// A file or directory of this machine; the kind gets it as an absolute path.
    case path
    /// A program and its arguments, which is started without a shell. The kind gets it in `StoreDescription.programs`.
    case program
  }

  /// Its name in the config.
  public let key: String
  /// The type of its value.
  public let value: Value
  /// What to do when it is missing, to go on after "The club has no KEY;"; nil when the store can do without it. What
  /// is not required may be null.
  public let required: String?
  /// True when its value is not shown.
  public let isSecret: Bool
  /// Its effect: a sentence for the manual.
  public let about: String

  /// Makes a setting.
  public init(
    _ key: String, _ value: Value = .text, required: String? = nil, isSecret: Bool = false, about: String
  ) {
    (self.key, self.value, self.required) = (key, value, required)
    (self.isSecret, self.about) = (isSecret, about)
  }

  /// The program that prints access tokens; for kinds whose members sign in by `StoreSignIn.tokens`.
  public static let tokenCommand = StoreSetting(
    "tokenCommand", .program,
    about:
      "A program, such as a password manager, that prints an access token for the club NAME as its first line. byteclub "
      + "starts it without a shell, and uses it instead of byteclub login.")
}
