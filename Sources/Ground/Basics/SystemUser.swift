internal import POSIX

public struct SystemUser: Sendable {
  public let number: UInt32
  public let login: String
  /// The GECOS field. Its first part, before a comma, is the full name.
  public let comment: String
  /// Empty if the user database has none.
  public let home: String

  public init(number: UInt32, login: String, comment: String, home: String = "") {
    (self.number, self.login, self.comment, self.home) = (number, login, comment, home)
  }

  /// nil if the user database lacks the number. May block.
  public init?(_ number: UInt32) {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(number, &entry, &room, room.count, &found) == 0, found != nil else { return nil }
    self.init(
      number: number, login: entry.pw_name.map { String(cString: $0) } ?? "",
      comment: entry.pw_gecos.map { String(cString: $0) } ?? "", home: entry.pw_dir.map { String(cString: $0) } ?? "")
  }

  /// The full name, else the login name, else the number. An ampersand stands for the capitalized login name.
  public var spokenName: String {
    let full = String(comment.prefix { $0 != "," })
    let capitalized = login.prefix(1).uppercased() + login.dropFirst()
    var name = full.split(separator: "&", omittingEmptySubsequences: false).joined(separator: capitalized)[...]
    while name.first == " " { name.removeFirst() }
    while name.last == " " { name.removeLast() }
    if !name.isEmpty { return String(name) }
    return login.isEmpty ? "user \(number)" : login
  }
}
