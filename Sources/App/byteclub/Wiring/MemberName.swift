import Accounts
import Backends
import Basics
import FileStores
import POSIX
import Synchronization

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

  /// The full name on this machine, otherwise the login name, otherwise the number.
  static var system: String { SystemUser(getuid())?.spokenName ?? "user \(getuid())" }
}

/// The name that the store gives to this member's writes. The service is not asked again after an answer.
final class AccountName: Sendable {
  private let name: MemberName
  private let known = Mutex<String?>(nil)

  init(_ name: MemberName) { self.name = name }

  /// nil, too, if the service does not answer: a change then has its author's name alone.
  @Sendable func find() async -> String? {
    if let known = known.withLock({ $0 }) { return known }
    do throws(StoreError) {
      let name = try await name.ofAccount()
      known.withLock { $0 = name }
      return name
    } catch {
      return nil
    }
  }
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
