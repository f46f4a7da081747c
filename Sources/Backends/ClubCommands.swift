/// The commands that mend what a store cannot, as a member types them into a shell: they name the club, so that they do
/// the same wherever they are pasted.
public struct ClubCommands: Sendable, Hashable {
  private let choice: String

  /// For the club that is opened when none is named.
  public init() { choice = "" }

  /// For a club of the config, or of the file that `config` names; a tilde before that file's first slash stands for the
  /// member's home.
  public init(club: String, config: String? = nil) {
    choice =
      ClubCommands.words("--club", club, ClubCommands.quoted(club)) + ClubCommands.words("--config", path: config)
  }

  /// For a directory that is opened as a club; tildes as in `config`.
  public init(folder: String, config: String? = nil) {
    choice = ClubCommands.words("--folder", path: folder) + ClubCommands.words("--config", path: config)
  }

  /// Signs in.
  public var login: String { "byteclub login" + choice }

  /// Makes the club's folder.
  public var makeFolder: String { "byteclub club init" + choice }

  /// Forgets the sign-in on this machine alone.
  public var forgetSignIn: String { "byteclub logout --only-here" + choice }

  /// A verb about transfers, which belong to no club; `config` as above.
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
    // A value that looks like a flag has to be joined to its own.
    " " + flag + (value.utf8.first == UInt8(ascii: "-") ? "=" : " ") + quoted
  }

  /// As a word of a shell: as it is when nothing in it means anything to one.
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
    // By bytes: a quote and an accent that combines with it are one Character, and still end a shell's quotation.
    let quote = UInt8(ascii: "'")
    let escaped = text.utf8.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
