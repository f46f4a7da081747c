import Accounts
import Backends
import Basics
import FileStores
import POSIX

/// The name for conflict copies: from the config, otherwise from the account, otherwise from this machine.
struct MemberName: Sendable {
  let configured: String?
  /// The account's name at the service; nil for a club without accounts.
  let account: (@Sendable () async throws(StoreError) -> String)?

  /// Never fails: if the service does not answer, the name is that on this machine.
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

  /// The name that the store gives to this member's writes; nil if it has no accounts.
  /// - Throws: the service's errors.
  func ofAccount() async throws(StoreError) -> String? {
    guard let account else { return nil }
    return try await account()
  }

  /// As `ofAccount`; nil, too, if the service does not answer: a change then has its author's name alone.
  @Sendable func knownOfAccount() async -> String? {
    do throws(StoreError) {
      return try await ofAccount()
    } catch {
      return nil
    }
  }

  /// The full name on this machine, otherwise the login name, otherwise the number.
  static var system: String { SystemUser(getuid())?.spokenName ?? "user \(getuid())" }
}

extension MemberName {
  init(_ setup: ClubSetup) {
    configured = setup.config.member
    account =
      switch setup.signIn {
      case .tokens: { () async throws(StoreError) in try await ClubAccount(setup).tokens.profile().name }
      case .secret, .none: nil
      }
  }
}
