import Accounts
import Backends
import Basics
import Synchronization

/// Equal routes share a transport, which reuses connections. Each account has one `AccountTokens`, which serializes
/// renewals.
final class ClubNetworks: Sendable {
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
    let directory: String
  }

  private struct State {
    var transports: [HTTPOptions: any HTTPTransport] = [:]
    var tokens: [Keyring: AccountTokens] = [:]
    var secrets: [Secret: SecretTokens] = [:]
  }

  private let state = Mutex(State())

  func transport(_ route: HTTPOptions) -> any HTTPTransport {
    // The initializer opens nothing, so it may run under the lock.
    state.withLock { state in
      if let known = state.transports[route] { return known }
      let made = CurlTransport(options: route)
      state.transports[route] = made
      return made
    }
  }

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

  /// After another sign-in of an account: what is opened from now on uses that one. What is open keeps its own.
  func forget(_ account: Account, in directory: String) {
    let path = TokenFile(directory: directory, account: account).path
    state.withLock { state in
      state.tokens = state.tokens.filter {
        TokenFile(directory: $0.key.directory, account: $0.key.account).path != path
      }
    }
  }

  /// The password's program runs once.
  func secret(
    _ club: String, _ signIn: SecretSignIn, variable: String?, directory: String, commands: ClubCommands,
    pool: BlockingPool
  ) -> SecretTokens {
    let key = Secret(club: club, signIn: signIn, variable: variable, directory: directory)
    return state.withLock { state in
      if let known = state.secrets[key] { return known }
      let made = SecretTokens(
        club: club, signIn, variable: variable, directory: directory, loginCommand: commands.login, pool: pool)
      state.secrets[key] = made
      return made
    }
  }
}
