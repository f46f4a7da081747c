import Accounts
import Backends
import FileStores
import Synchronization

/// The transports and tokens of this process: one transport an origin, so that connections are used again, and one
/// `AccountTokens` an account, so that a sign-in is renewed by one at a time. However often a store is opened, it gets
/// the same two.
final class ClubNetworks: Sendable {
  /// Those of this process.
  static let process = ClubNetworks()

  private struct Route: Hashable {
    let store: StoreDescription
    let settings: NetworkSettings
  }

  private struct Keyring: Hashable {
    let account: Account
    let source: TokenSource
    let directory: String
    let route: Route
  }

  private struct State {
    var transports: [Route: any HTTPTransport] = [:]
    var tokens: [Keyring: AccountTokens] = [:]
  }

  private let state = Mutex(State())

  /// What carries the requests to a store's server; nil for a store that needs no network.
  func transport(_ store: StoreDescription, _ settings: NetworkSettings) throws(StoreError) -> (any HTTPTransport)? {
    let route = ClubNetworks.route(store, settings)
    if let known = state.withLock({ $0.transports[route] }) { return known }
    guard let made = try StoreRegistry.transport(for: route.store, adjust: settings.apply) else { return nil }
    // Making one touches nothing: of two that are made at the same moment one is let go.
    return state.withLock { state in
      if let known = state.transports[route] { return known }
      state.transports[route] = made
      return made
    }
  }

  /// The tokens of an account that is reached so.
  func tokens(
    _ account: Account, source: TokenSource, directory: String, store: StoreDescription, _ settings: NetworkSettings,
    transport: any HTTPTransport, pool: BlockingPool
  ) -> AccountTokens {
    let key = Keyring(
      account: account, source: source, directory: directory, route: ClubNetworks.route(store, settings))
    return state.withLock { state in
      if let known = state.tokens[key] { return known }
      let made = AccountTokens(
        account, source: source, directory: directory, transport: transport, pool: pool, now: { ClubAccount.now })
      state.tokens[key] = made
      return made
    }
  }

  /// What a transport depends on: not the folder, nor whose sign-in it is.
  private static func route(_ store: StoreDescription, _ settings: NetworkSettings) -> Route {
    let options = store.options.filter { ["server", "caFile", "allowPlainHTTP"].contains($0.key) }
    return Route(store: StoreDescription(kind: store.kind, options: options), settings: settings)
  }
}
