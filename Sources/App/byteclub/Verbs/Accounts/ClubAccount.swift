import Accounts
import Backends
import Basics
import FileStores
import POSIX
import JSON

struct ClubAccount: Sendable {
  /// All users of this account in this process share the tokens.
  let tokens: AccountTokens
  let transport: any HTTPTransport

  var account: Account { tokens.account }
  var service: String { tokens.account.service.name }

  /// Shares tokens and connections with the rest of this process; reads and requests nothing yet.
  /// - Throws: `unsupported` for a club without sign-in by tokens; `badInput` if a required setting is missing.
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

  /// With tokens of its own: what this process has open keeps the account that it has.
  func unshared(_ setup: ClubSetup) -> ClubAccount {
    ClubAccount(
      tokens: AccountTokens(
        account, source: tokens.source, directory: setup.paths.tokensDirectory, transport: transport, pool: setup.pool,
        now: { ClubAccount.now }),
      transport: transport)
  }

  init(tokens: AccountTokens, transport: any HTTPTransport) {
    self.tokens = tokens
    self.transport = transport
  }

  /// Retries a request when the service asks for a pause, and reports each wait on standard error. Other failures are
  /// not retried: the service may have processed the request, and a code works only once.
  /// - Throws: errors of `body`; for a wait beyond `RetryPolicy.longestWait`, an error that names the time to retry.
  func asking<Value: Sendable>(
    _ output: Output, clock: any Clock<Duration> = TimerClock(),
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await WaitTeller.during(service, output) { (teller) throws(StoreError) in
      var attempt = 1
      while true {
        do throws(StoreError) {
          teller.take(.asks)
          return try await body()
        } catch {
          attempt += 1
          guard error.kind == .rateLimited,
            let pause = RetryPolicy().pause(before: attempt, after: error, draw: .random(in: 0..<1))
          else { throw error.limitingWait(now: ClubAccount.now) }
          teller.take(.answered)
          teller.take(.waits(error, pause))
          do {
            try await clock.sleep(for: pause)
          } catch {
            throw .cancelled("The next call to \(service)")
          }
        }
      }
    }
  }

  /// Seconds since 1970.
  static var now: Int64 { Int64(time(nil)) }

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

  /// - Throws: `badInput` if a required setting is missing.
  static func account(
    _ club: String, _ signIn: TokenSignIn, _ environment: Environment, _ commands: ClubCommands
  ) throws(StoreError) -> Account {
    let source = TokenSource(variable: environment.accessToken, command: signIn.command)
    // A member who brings a token needs no app key.
    return try Account(club: club, signIn, bringsToken: source != .file, commands: commands)
  }

  /// The error of a sign-in that would be of no use.
  static func bringsSecret(_ club: String, _ secret: String, from place: String) -> StoreError {
    StoreError(
      .badInput, "The club \"\(club)\" takes its \(secret) from \(place) and would not use a sign-in.",
      remedy: "Remove that first, then sign in.")
  }

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
