import Accounts
import FileStores

/// The steps of a sign-in by tokens, which `byteclub login` and the app share. None of them asks the member.
struct TokenLogin: Sendable {
  /// A sign-in that the member has to allow at the service.
  enum Begun: Sendable {
    /// The page shows a code, or the browser brings it.
    case code(SignIn)
    /// In OAuth 1.0 there is no code.
    case confirmation(OAuth1SignIn)

    var address: String {
      switch self {
      case .code(let signIn): signIn.address
      case .confirmation(let signIn): signIn.address
      }
    }
  }

  let club: ClubAccount
  /// Seconds since 1970.
  let now: @Sendable () -> Int64

  /// - Throws: `badInput` if the club takes its token from elsewhere.
  func check() throws(StoreError) {
    switch club.tokens.source {
    case .file: return
    case .variable(let name, _):
      throw ClubAccount.bringsSecret(club.account.club, "access token", from: "the variable \(name)")
    case .command: throw ClubAccount.bringsSecret(club.account.club, "access token", from: "its \"tokenCommand\"")
    }
  }

  /// - Throws: the service's errors, for OAuth 1.0 alone: OAuth 2 makes no request.
  func begin() async throws(StoreError) -> Begun {
    guard club.account.usesOAuth1 else { return .code(SignIn(club.account)) }
    return .confirmation(try await OAuth1SignIn(club.account, transport: club.transport, now: now))
  }

  /// Signs in and keeps the sign-in on this machine.
  /// - Parameter code: nothing for a confirmation.
  /// - Throws: errors of the service and of the disk; `cancelled`. Nothing is kept then.
  func finish(_ begun: Begun, code: String) async throws(StoreError) {
    let grant =
      switch begun {
      case .code(let signIn): try await signIn.finish(code: code, transport: club.transport, now: now)
      case .confirmation(let signIn): try await signIn.finish(transport: club.transport, now: now)
      }
    if Task.isCancelled { throw .cancelled("Signing in to \(club.service)") }
    try await club.tokens.keep(grant)
  }

  /// The account, and a sentence about the sign-in, which is complete even if the service does not name the account.
  func signedIn(
    _ profile: () async throws(StoreError) -> AccountProfile
  ) async -> (profile: AccountProfile?, sentence: String) {
    do throws(StoreError) {
      let profile = try await profile()
      let email = profile.email.map { " (\($0))" } ?? ""
      return (profile, "Signed in to \(club.service) as \(profile.name)\(email).")
    } catch {
      return (nil, "Signed in to \(club.service). The account's name is unknown: \(error.message)")
    }
  }
}
