/// Commands in errors' remedies, as a member types them into a shell. They name the club, so any directory will do.
public struct ClubCommands: Sendable, Hashable {
  private let choice: String

  public init() { choice = "" }

  /// For a club of the config, or of the file `config`. A leading `~/` in `config` is the member's home.
  public init(club: String, config: String? = nil) {
    choice =
      ClubCommands.words("--club", club, ClubCommands.quoted(club)) + ClubCommands.words("--config", path: config)
  }

  /// For a directory opened as a club; `~/` as in `config`.
  public init(folder: String, config: String? = nil) {
    choice = ClubCommands.words("--folder", path: folder) + ClubCommands.words("--config", path: config)
  }

  public var login: String { "byteclub login" + choice }

  public var makeFolder: String { "byteclub club init" + choice }

  public var listLinks: String { "byteclub link ls" + choice }

  public var forgetSignIn: String { "byteclub logout --only-here" + choice }

  public static func transfer(_ verb: String, config: String?) -> String {
    "byteclub transfer \(verb)" + words("--config", path: config)
  }

  private static func words(_ flag: String, path: String?) -> String {
    guard let path else { return "" }
    let isAtHome = path.utf8.starts(with: "~/".utf8)
    let quoted =
      isAtHome
      ? "~/" + ClubCommands.quoted(String(decoding: path.utf8.dropFirst(2), as: UTF8.self)) : ClubCommands.quoted(path)
    return words(flag, path, quoted)
  }

  private static func words(_ flag: String, _ value: String, _ quoted: String) -> String {
    // A value that starts with `-` must be joined to its flag.
    " " + flag + (value.utf8.first == UInt8(ascii: "-") ? "=" : " ") + quoted
  }

  private static func quoted(_ text: String) -> String {
    let plain = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    if !text.isEmpty, text.utf8.allSatisfy(plain) { return text }
    // By bytes: a quote and a combining accent form one Character, but the quote still ends a shell's quotation.
    let quote = UInt8(ascii: "'")
    let escaped = text.utf8.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
