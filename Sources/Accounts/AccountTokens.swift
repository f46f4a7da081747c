public import Backends
public import FileStores

/// The access tokens of one account: those that are kept are renewed before they end and when the service refuses one.
///
/// All who need a token share one of these. Only one renewal runs at a time, in this process and among all processes of
/// this machine; the others wait for it. A token goes to the account's origin alone, and no error or description has
/// one in it.
public actor AccountTokens {
  /// So long one waits for a process that renews the same sign-in.
  private static let longestWait = Duration.seconds(90)
  /// After a renewal that failed, a token that is still valid is used this long before the next try.
  private static let pauseSeconds: Int64 = 30

  /// The account that the tokens are for.
  public nonisolated let account: Account
  /// Where they come from.
  public nonisolated let source: TokenSource
  private let file: TokenFile
  private let calls: AccountCalls
  private let pool: BlockingPool
  private let clock: any Clock<Duration>

  private var current: Grant?
  /// A renewed sign-in that could not be written: its refresh token may be the only one that is good.
  private var unsaved: Grant?
  /// A refresh token that the service does not know any more: it is not asked about it again.
  private var ended: (refreshToken: String, error: StoreError)?
  private var pausedUntil: Int64 = .min
  private var renewal: Task<Void, Never>?
  private var waiters: [UInt64: CheckedContinuation<Result<String, StoreError>, Never>] = [:]
  private var tickets: UInt64 = 0

  /// Tokens of an account. Nothing is read or asked yet.
  /// - Parameters:
  ///   - directory: where sign-ins are kept; made when the first one is.
  ///   - now: seconds since 1970.
  ///   - clock: what waiting for another process goes by.
  public init(
    _ account: Account, source: TokenSource, directory: String, transport: any HTTPTransport, pool: BlockingPool,
    now: @escaping @Sendable () -> Int64, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.account = account
    self.source = source
    self.pool = pool
    self.clock = clock
    file = TokenFile(directory: directory, account: account)
    calls = AccountCalls(account: account, transport: transport, now: now)
  }

  /// A token that is good now, as far as can be known here, and is not `stale`.
  /// - Parameter stale: the token that the service has just refused; nil when there was none.
  /// - Throws: `notSignedIn`, with the command that mends it; `notPermitted` when the file is not safe; what the
  ///   transport throws; `cancelled` at once, while a renewal goes on for the others.
  public func token(refusing stale: String?) async throws(StoreError) -> String {
    for _ in 0..<3 {
      if let current, current.accessToken != stale, isUsable(current) { return current.accessToken }
      // One that was on its way for somebody else may bring the very token that was refused here.
      let token = try await nextToken(refusing: stale)
      if token != stale { return token }
    }
    throw refused()
  }

  private func isUsable(_ grant: Grant) -> Bool {
    let now = calls.now()
    return grant.isFresh(at: now) || (now < pausedUntil && grant.isAlive(at: now))
  }

  // MARK: One at a time

  /// How many wait for the renewal that runs.
  var waiting: Int { waiters.count }

  private func nextToken(refusing stale: String?) async throws(StoreError) -> String {
    tickets += 1
    let ticket = tickets
    let pool = pool
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters[ticket] = continuation
        begin(refusing: stale)
      }
    } onCancel: {
      Task(executorPreference: pool.tasks) { await self.leave(ticket) }
    }
    return try result.get()
  }

  private func begin(refusing stale: String?) {
    guard renewal == nil else { return }
    renewal = Task(executorPreference: pool.tasks) {
      do throws(StoreError) {
        await self.end(.success(try await self.obtain(refusing: stale)))
      } catch {
        await self.end(.failure(error))
      }
    }
  }

  private func end(_ result: Result<String, StoreError>) {
    renewal = nil
    let all = waiters.values
    waiters = [:]
    for waiter in all { waiter.resume(returning: result) }
  }

  private func leave(_ ticket: UInt64) {
    guard let waiter = waiters.removeValue(forKey: ticket) else { return }
    waiter.resume(returning: .failure(.cancelled("Signing in to \(account.service.name)")))
    // A renewal goes on: its answer may hold the only refresh token that is good from now on.
    if waiters.isEmpty, case .command = source { renewal?.cancel() }
  }

  // MARK: Where a token comes from

  private func obtain(refusing stale: String?) async throws(StoreError) -> String {
    switch source {
    case .variable(let name, let token):
      guard account.accepts(token: token) else {
        throw StoreError(
          .notSignedIn, "The value of \(name) is not an access token.",
          remedy: "Set it to an access token, or unset it.")
      }
      guard token != stale else {
        throw StoreError(
          .notSignedIn, "\(account.service.name) refused the access token of \(name).",
          remedy: "Set \(name) to a valid token, or unset it and sign in with: \(account.loginCommand)")
      }
      return token
    case .command(let words):
      let token = try await TokenCommand(words).token(account, on: pool)
      guard token != stale else {
        throw StoreError(
          .notSignedIn,
          "\(account.service.name) refused the access token that the \"tokenCommand\" of the club "
            + "\"\(account.club)\" prints.", remedy: "Make sure that the command prints a valid token.")
      }
      current = Grant(
        accessToken: token, refreshToken: nil, obtained: calls.now(), expires: nil, accountID: nil)
      return token
    case .file: return try await fromFile(refusing: stale)
    }
  }

  private func fromFile(refusing stale: String?) async throws(StoreError) -> String {
    if let token = adopt(try await kept(), refusing: stale) { return token }
    return try await locked { () throws(StoreError) in
      // Another process may have renewed it meanwhile.
      let grant = try await kept()
      if let token = adopt(grant, refusing: stale) { return token }
      return try await renew(grant, refusing: stale)
    }
  }

  private func renew(_ grant: Grant, refusing stale: String?) async throws(StoreError) -> String {
    guard let refreshToken = grant.refreshToken else { throw refused() }
    if let ended, ended.refreshToken == refreshToken { throw ended.error }
    let new: Grant
    do throws(StoreError) {
      new = try await calls.renewed(grant, with: refreshToken)
    } catch {
      if error.kind == .notSignedIn { ended = (refreshToken, error) }
      guard error.isTemporary, grant.accessToken != stale, grant.isAlive(at: calls.now()) else { throw error }
      current = grant
      pausedUntil = calls.now() + AccountTokens.pauseSeconds
      return grant.accessToken
    }
    unsaved = new
    do throws(StoreError) {
      try await write(new)
    } catch {
      current = new
      // The old refresh token is good as before: the next process uses that. A new one must not be lost silently.
      guard new.refreshToken == refreshToken else { throw error }
    }
    // Not before it is on disk: who has the token need not fear that its successor is lost with this process.
    current = new
    return new.accessToken
  }

  private func adopt(_ grant: Grant, refusing stale: String?) -> String? {
    guard grant.accessToken != stale, isUsable(grant) else { return nil }
    current = grant
    return grant.accessToken
  }

  private func kept() async throws(StoreError) -> Grant {
    let file = file
    let kept = try await pool.run { () throws(StoreError) in try file.read() }
    guard let kept else { throw account.notSignedIn("You are not signed in to \(account.service.name).") }
    if let unsaved, unsaved.obtained >= kept.obtained { return unsaved }
    return kept
  }

  private func write(_ grant: Grant) async throws(StoreError) {
    let file = file
    try await pool.run { () throws(StoreError) in try file.write(grant) }
    unsaved = nil
  }

  /// Does something while no other process renews, signs in or signs out.
  private func locked<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let file = file
    var waited = Duration.zero
    while true {
      let lock = try await pool.run { () throws(StoreError) in try file.lock() }
      if let lock {
        defer { lock.release() }
        return try await body()
      }
      guard waited < AccountTokens.longestWait else {
        throw StoreError(
          .server,
          "Another byteclub has been renewing the sign-in to \(account.service.name) for "
            + "\(waited.components.seconds) seconds.", remedy: "End it, or try again later.")
      }
      do {
        try await clock.sleep(for: .milliseconds(50))
      } catch {
        throw .cancelled("Signing in to \(account.service.name)")
      }
      waited += .milliseconds(50)
    }
  }

  private func refused() -> StoreError {
    account.notSignedIn("\(account.service.name) no longer accepts the sign-in of this machine.")
  }
}

// MARK: Signing in and out

extension AccountTokens {
  /// Keeps what a sign-in gave, in place of what was there.
  public func keep(_ grant: Grant) async throws(StoreError) {
    try await locked { () throws(StoreError) in try await write(grant) }
    current = grant
    ended = nil
    pausedUntil = .min
  }

  /// Asks the service for the account's name and address.
  /// - Throws: as `token(refusing:)`.
  public func profile() async throws(StoreError) -> AccountProfile {
    var token = try await token(refusing: nil)
    if let profile = try await calls.profile(token) { return profile }
    token = try await self.token(refusing: token)
    guard let profile = try await calls.profile(token) else { throw refused() }
    return profile
  }

  /// Gives the sign-in back to the service and forgets it. When the service cannot be told, nothing is forgotten.
  /// - Parameter onlyHere: the service is not told; what it gave stays valid there.
  /// - Throws: `notSignedIn` when there is none; `badInput` when the token comes from elsewhere; what the transport
  ///   throws.
  public func signOut(onlyHere: Bool) async throws(StoreError) {
    guard source == .file else {
      throw StoreError(
        .badInput,
        "The access token of the club \"\(account.club)\" does not come from byteclub login, so byteclub "
          + "cannot sign out.", remedy: "Remove the variable or the command that gives the token.")
    }
    if !onlyHere { try await giveBack() }
    let file = file
    let pool = pool
    let wasThere = try await locked { () throws(StoreError) in
      try await pool.run { () throws(StoreError) in try file.remove() }
    }
    (current, unsaved, ended) = (nil, nil, nil)
    guard wasThere else { throw account.notSignedIn("You are not signed in to \(account.service.name).") }
  }

  private func giveBack() async throws(StoreError) {
    _ = try await kept()
    do throws(StoreError) {
      let token = try await token(refusing: nil)
      if try await calls.revoke(token) { return }
      // It was refused before its time; its refresh token may still be good.
      _ = try await calls.revoke(try await self.token(refusing: token))
    } catch {
      // The service has ended the sign-in by itself: there is nothing to give back.
      if error.kind == .notSignedIn { return }
      throw StoreError(
        error.kind, "\(error.message) You are still signed in.",
        remedy: "Try again, or remove the sign-in from this machine only with: \(account.commands.forgetSignIn)",
        retryAfter: error.retryAfter)
    }
  }
}

extension AccountTokens: AccessTokens {}
