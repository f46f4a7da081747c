import Accounts
import Backends
import FileStores
import Synchronization

/// The transports and sign-ins of this process: one transport for all that is reached in the same way, so that
/// connections are used again, and one `AccountTokens` an account, so that a sign-in is renewed by one at a time. However
/// often a store is opened, it gets the same two.
final class ClubNetworks: Sendable {
  /// Those of this process.
  static let process = ClubNetworks()

  private struct Keyring: Hashable {
    let account: Account
    let source: TokenSource
    let directory: String
    let route: HTTPOptions
  }

  private struct Secret: Hashable {
    let club: String
    let signIn: SecretSignIn
    let variable: String?
  }

  private struct State {
    var transports: [HTTPOptions: any HTTPTransport] = [:]
    var tokens: [Keyring: AccountTokens] = [:]
    var secrets: [Secret: SecretTokens] = [:]
  }

  private let state = Mutex(State())

  /// What carries requests in this way.
  func transport(_ route: HTTPOptions) -> any HTTPTransport {
    // Making one touches nothing.
    state.withLock { state in
      if let known = state.transports[route] { return known }
      let made = CurlTransport(options: route)
      state.transports[route] = made
      return made
    }
  }

  /// The tokens of an account that is reached so.
  func tokens(
    _ account: Account, source: TokenSource, directory: String, route: HTTPOptions, transport: any HTTPTransport,
    pool: BlockingPool
  ) -> AccountTokens {
    let key = Keyring(account: account, source: source, directory: directory, route: route)
    return state.withLock { state in
      if let known = state.tokens[key] { return known }
      let made = AccountTokens(
        account, source: source, directory: directory, transport: transport, pool: pool, now: { ClubAccount.now })
      state.tokens[key] = made
      return made
    }
  }

  /// The password of a club, which its program is asked for once.
  func secret(_ club: String, _ signIn: SecretSignIn, variable: String?, pool: BlockingPool) -> SecretTokens {
    let key = Secret(club: club, signIn: signIn, variable: variable)
    return state.withLock { state in
      if let known = state.secrets[key] { return known }
      let made = SecretTokens(club: club, signIn, variable: variable, pool: pool)
      state.secrets[key] = made
      return made
    }
  }
}
