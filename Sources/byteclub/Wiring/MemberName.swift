import Accounts
import Backends
import FileStores
import Glibc

/// The member's name for conflict copies: that of the config, else the account's, else the one on this machine.
struct MemberName: Sendable {
  /// The name in the config.
  let configured: String?
  /// Asks the service for the account's name; nil for a club without accounts.
  let account: (@Sendable () async throws(StoreError) -> String)?

  /// Finds the name. It never fails: a service that does not answer leaves the name on this machine.
  @Sendable func find() async -> String {
    if let configured, !configured.isEmpty { return configured }
    if let account {
      do throws(StoreError) {
        let name = try await account()
        if !name.isEmpty { return name }
      } catch {
        return MemberName.system
      }
    }
    return MemberName.system
  }

  /// The user's full name on this machine, else the login name, else the number.
  static var system: String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0, found != nil else { return "user \(getuid())" }
    return spoken(
      login: entry.pw_name.map { String(cString: $0) } ?? "", comment: entry.pw_gecos.map { String(cString: $0) } ?? "",
      number: getuid())
  }

  /// The name in an entry of the password file. The comment's first field is the full name; an ampersand in it stands for
  /// the login name with a capital letter.
  static func spoken(login: String, comment: String, number: UInt32) -> String {
    let full = String(comment.prefix { $0 != "," })
    let name = trimmed(full.replacing("&", with: login.prefix(1).uppercased() + login.dropFirst()))
    if !name.isEmpty { return name }
    return login.isEmpty ? "user \(number)" : login
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension MemberName {
  /// The name in the club that this setup has chosen.
  init(_ setup: ClubSetup) {
    configured = setup.config.member
    account =
      switch setup.signIn {
      case .tokens: { () async throws(StoreError) in try await ClubAccount(setup).tokens.profile().name }
      case .secret, .none: nil
      }
  }
}
