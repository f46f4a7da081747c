import Accounts
import Backends
import FileStores
import Glibc
import JSON

/// What a club of the config is signed in with.
struct ClubAccount: Sendable {
  /// The tokens; whoever needs one for this club shares them.
  let tokens: AccountTokens
  /// What carries the calls.
  let transport: any HTTPTransport

  /// The account.
  var account: Account { tokens.account }
  /// The service for people.
  var service: String { tokens.account.service.name }

  /// How the club's store is reached.
  var network: StoreNetwork {
    StoreNetwork(transport: transport, tokens: tokens, commands: account.commands)
  }

  /// The account of the club that is chosen; all in this process share its tokens and connections. Nothing is read or
  /// asked yet.
  /// - Throws: `unsupported` for a club that nobody signs in to by tokens; `badInput` when the config does not say what
  ///   is needed.
  init(_ setup: ClubSetup) throws(StoreError) {
    guard case .tokens(let signIn) = setup.signIn, let route = setup.route else { throw ClubAccount.none(setup) }
    let account = try ClubAccount.account(
      setup.choice.name, signIn, setup.environment, setup.choice.commands)
    let transport = setup.log.telling(ClubNetworks.process.transport(route))
    self.init(
      tokens: ClubNetworks.process.tokens(
        account, source: TokenSource(variable: setup.environment.accessToken, command: signIn.command),
        directory: setup.paths.tokensDirectory, route: route, transport: transport, pool: setup.pool),
      transport: transport)
  }

  /// Tokens, and what carries their calls.
  init(tokens: AccountTokens, transport: any HTTPTransport) {
    self.tokens = tokens
    self.transport = transport
  }

  /// Calls the service. When it asks for a pause, waits and calls again; standard error tells each wait. A call that
  /// failed otherwise is not repeated: the service may have taken it, and a code counts once.
  /// - Throws: what `body` throws; for a longer wait than `RetryPolicy.longestWait`, an error that says when to come back.
  func asking<Value: Sendable>(
    _ output: Output, clock: any Clock<Duration> = ContinuousClock(),
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let teller = WaitTeller(place: service) { output.alert($0) }
    var attempt = 1
    while true {
      do throws(StoreError) {
        return try await body()
      } catch {
        attempt += 1
        guard error.kind == .rateLimited,
          let pause = RetryPolicy().pause(before: attempt, after: error, draw: .random(in: 0..<1))
        else { throw error.limitingWait(now: ClubAccount.now) }
        teller.take(.waits(error, pause))
        do {
          try await clock.sleep(for: pause)
        } catch {
          throw .cancelled("The next call to \(service)")
        }
      }
    }
  }

  /// Seconds since 1970.
  static var now: Int64 { Int64(time(nil)) }

  /// What every record about the account begins with.
  func record(_ profile: AccountProfile?, lines: [String] = []) -> Record {
    Record(
      .members([
        "club": .string(account.club),
        "service": .string(service),
        "source": .string(tokens.source.word),
        "name": profile.map { .string($0.name) },
        "email": profile?.email.map { .string($0) },
        "account": profile.map { .string($0.accountID) },
      ]),
      lines: lines)
  }

  /// The account that a club's settings name.
  /// - Throws: `badInput` when they do not say what is needed.
  static func account(
    _ club: String, _ signIn: TokenSignIn, _ environment: Environment, _ commands: ClubCommands
  ) throws(StoreError) -> Account {
    let source = TokenSource(variable: environment.accessToken, command: signIn.command)
    // Who brings a token need not be known as an app.
    return try Account(club: club, signIn, bringsToken: source != .file, commands: commands)
  }

  /// That nobody signs in there.
  private static func none(_ setup: ClubSetup) -> StoreError {
    let (club, place) = (setup.choice.name, setup.choice.place)
    let remedy = "Name another club with --club NAME."
    if case .secret(let secret) = setup.signIn {
      return StoreError(
        .unsupported,
        "The club \"\(club)\" takes its password from \"\(secret.setting)\" and has no account to sign in "
          + "to.", remedy: remedy)
    }
    let what = setup.choice.directory == nil ? "at \(place)" : "a directory of this machine, \(place)"
    return StoreError(.unsupported, "The club \"\(club)\" is \(what), which needs no sign-in.", remedy: remedy)
  }
}
