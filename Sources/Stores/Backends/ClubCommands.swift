internal import Basics

/// Commands in errors' remedies, as a member types them into a shell. They name the club, so any directory will do.
public struct ClubCommands: Sendable, Hashable {
  private let choice: String

  public init() { choice = "" }

  /// For a club of the config, or of the file `config`. A leading `~/` in `config` is the member's home.
  public init(club: String, config: String? = nil) {
    choice =
      ClubCommands.words("--club", club, PathText.plainWord(club, atHome: false))
      + ClubCommands.words("--config", path: config)
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
    path.map { words(flag, $0, PathText.plainWord($0)) } ?? ""
  }

  private static func words(_ flag: String, _ value: String, _ quoted: String) -> String {
    // A value that starts with `-` must be joined to its flag.
    " " + flag + (value.utf8.first == UInt8(ascii: "-") ? "=" : " ") + quoted
  }
}
