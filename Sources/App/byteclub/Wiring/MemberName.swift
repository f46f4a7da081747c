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
  /// The account's name as the service last said it; nil if this machine does not know it.
  var kept: @Sendable () async -> String? = { nil }

  /// Never fails: without a known account it gives the name on this machine.
  @Sendable func find() async -> String {
    if let configured, !configured.isEmpty { return configured }
    let known: String?
    do throws(StoreError) {
      known = try await ofAccount()
    } catch {
      known = await kept()
    }
    return known.flatMap { $0.isEmpty ? nil : $0 } ?? MemberName.system
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

  /// Without an answer of the service, the name that it last said; nil, too, if that is unknown: a change then has its
  /// author's name alone.
  @Sendable func find() async -> String? {
    if let known = known.withLock({ $0 }) { return known }
    do throws(StoreError) {
      let name = try await name.ofAccount()
      known.withLock { $0 = name }
      return name
    } catch {
      return await name.kept()
    }
  }
}

extension MemberName {
  init(_ setup: ClubSetup, _ owner: ClubOwner) {
    configured = setup.config.member
    guard case .tokens = setup.signIn else {
      account = nil
      return
    }
    account = { () async throws(StoreError) in
      let profile = try await ClubAccount(setup).tokens.profile()
      await KeptAccount.keep(profile, setup)
      return profile.name
    }
    kept = { await setup.pool.run { KeptAccount(setup, owner).name } }
  }
}
