public import Backends
public import Basics
public import FileStores

/// The access tokens of one account, renewed before they expire and when the service refuses one.
/// All users of an account share one instance. Only one renewal runs at a time among all processes of this machine; the
/// others wait for it. A token goes only to the account's origin, and no error or description contains one.
public actor AccountTokens {
  /// The longest wait for a process that renews the same sign-in.
  private static let longestWait = Duration.seconds(90)
  /// In seconds. After a failed renewal, a token that is still valid is used for this time.
  private static let pauseSeconds: Int64 = 30

  public nonisolated let account: Account
  public nonisolated let source: TokenSource
  private let file: TokenFile
  private let calls: AccountCalls
  private let pool: BlockingPool
  private let clock: any Clock<Duration>

  private var current: Grant?
  /// A renewed sign-in that could not be written: its refresh token may be the only valid one.
  private var unsaved: Grant?
  /// A rejected refresh token, which is not sent again.
  private var ended: (refreshToken: String, error: StoreError)?
  private var pausedUntil: Int64 = .min
  /// The account of this process. Another one that signs in meanwhile gets none of its requests.
  private var bound: String?
  private var renewal: Task<Void, Never>?
  private var waiters: [UInt64: PendingAnswer<Result<String, StoreError>>] = [:]
  private var tickets: UInt64 = 0

  /// Reads and sends nothing yet.
  /// - Parameter directory: of sign-ins, created with the first one.
  /// - Parameter now: seconds since 1970.
  /// - Parameter clock: for waits for another process.
  public init(
    _ account: Account, source: TokenSource, directory: String, transport: any HTTPTransport, pool: BlockingPool,
    now: @escaping @Sendable () -> Int64, clock: any Clock<Duration> = TimerClock()
  ) {
    self.account = account
    self.source = source
    self.pool = pool
    self.clock = clock
    file = TokenFile(directory: directory, account: account)
    calls = AccountCalls(account: account, transport: transport, now: now)
  }

  /// A token other than `stale`, which the service has just refused.
  /// - Throws: `notSignedIn` with the command that repairs it; `notPermitted` if the file is not safe; the transport's
  ///   errors; `cancelled` at once, while a renewal continues for the others.
  public func token(refusing stale: String?) async throws(StoreError) -> String {
    for _ in 0..<3 {
      if let current, current.accessToken != stale, isUsable(current) { return current.accessToken }
      // A running renewal may return the refused token.
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

  var waiting: Int { waiters.count }

  private func nextToken(refusing stale: String?) async throws(StoreError) -> String {
    while true {
      tickets += 1
      let (ticket, answer) = (tickets, PendingAnswer<Result<String, StoreError>>())
      waiters[ticket] = answer
      begin(refusing: stale)
      if let result = await answer.value() {
        // All who waited for that renewal had left it before this caller came.
        if case .failure(let error) = result, error.kind == .cancelled, !Task.isCancelled { continue }
        return try result.get()
      }
      // A renewal from a file continues: its response may hold the only valid refresh token.
      if waiters.removeValue(forKey: ticket) != nil, waiters.isEmpty, case .command = source { renewal?.cancel() }
      throw .cancelled("Signing in to \(account.service.name)")
    }
  }

  private func begin(refusing stale: String?) {
    guard renewal == nil else { return }
    renewal = Task(executorPreference: pool.tasks) {
      await self.end(await .catching { () throws(StoreError) in try await self.obtain(refusing: stale) })
    }
  }

  private func end(_ result: Result<String, StoreError>) {
    renewal = nil
    let all = waiters.values
    waiters = [:]
    for waiter in all { waiter.give(result) }
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
      if let bound, stale != nil, let profile = try await calls.profile(token), profile.accountID != bound {
        throw isOtherAccount()
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
      // An unchanged refresh token is still on disk. A new one must not be lost silently.
      guard new.refreshToken == refreshToken else { throw error }
    }
    // Visible only once it is on disk, so a crash cannot lose its refresh token.
    current = new
    return new.accessToken
  }

  private func adopt(_ grant: Grant, refusing stale: String?) -> String? {
    guard grant.accessToken != stale, isUsable(grant) else { return nil }
    current = grant
    return grant.accessToken
  }

  private func kept() async throws(StoreError) -> Grant {
    let kept = try await pool.run { [file] () throws(StoreError) in try file.read() }
    guard let kept else { throw account.notSignedIn("You are not signed in to \(account.service.name).") }
    if let id = kept.accountID {
      if let bound, bound != id { throw isOtherAccount() }
      bound = id
    }
    if let unsaved, unsaved.obtained >= kept.obtained { return unsaved }
    return kept
  }

  private func write(_ grant: Grant) async throws(StoreError) {
    try await pool.run { [file] () throws(StoreError) in try file.write(grant) }
    unsaved = nil
  }

  /// Runs `body` while no other process renews, signs in or signs out.
  private func locked<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var waited = Duration.zero
    while true {
      let lock = try await pool.run { [file] () throws(StoreError) in try file.lock() }
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

  private func isOtherAccount() -> StoreError {
    StoreError(
      .notSignedIn, "Another account of \(account.service.name) has signed in on this machine meanwhile.",
      remedy: "Start byteclub again to use it, or sign in with the first one: \(account.loginCommand)")
  }

  /// Tells these tokens their account. Without it, the first sign-in from the file does.
  public func bind(to accountID: String) { bound = accountID }

  private func refused() -> StoreError {
    account.notSignedIn("\(account.service.name) no longer accepts the sign-in of this machine.")
  }
}

// MARK: Signing in and out

extension AccountTokens {
  public func keep(_ grant: Grant) async throws(StoreError) {
    try await locked { () throws(StoreError) in try await write(grant) }
    current = grant
    bound = grant.accountID
    ended = nil
    pausedUntil = .min
  }

  /// Ends an earlier sign-in of this machine at the service, if it is another one than the kept one.
  /// - Returns: false if the service could not be reached.
  public func end(_ former: Grant) async -> Bool {
    guard former.accessToken != current?.accessToken else { return true }
    do throws(StoreError) {
      _ = try await calls.revoke(former.accessToken)
      return true
    } catch {
      return false
    }
  }

  /// The id of the account that this machine is signed in to, without a request; nil if it is not in the token's file.
  public func keptAccountID() async -> String? {
    guard source == .file else { return nil }
    if let current { return current.accountID }
    do throws(StoreError) {
      return try await kept().accountID
    } catch {
      return nil
    }
  }

  /// - Throws: as `token(refusing:)`.
  public func profile() async throws(StoreError) -> AccountProfile {
    var token = try await token(refusing: nil)
    if let profile = try await calls.profile(token) { return bound(to: profile) }
    token = try await self.token(refusing: token)
    guard let profile = try await calls.profile(token) else { throw refused() }
    return bound(to: profile)
  }

  private func bound(to profile: AccountProfile) -> AccountProfile {
    bound = bound ?? profile.accountID
    return profile
  }

  /// Revokes the sign-in at the service and forgets it. If the service cannot be reached, nothing is forgotten.
  /// - Parameter onlyHere: skips the service, where the tokens stay valid.
  /// - Throws: `notSignedIn` if there is no sign-in; `badInput` if the token comes from elsewhere; the transport's
  ///   errors.
  public func signOut(onlyHere: Bool) async throws(StoreError) {
    guard source == .file else {
      throw StoreError(
        .badInput,
        "The access token of the club \"\(account.club)\" does not come from byteclub login, so byteclub "
          + "cannot sign out.", remedy: "Remove the variable or the command that gives the token.")
    }
    if !onlyHere { try await giveBack() }
    let pool = pool
    let wasThere = try await locked { () throws(StoreError) in
      try await pool.run { [file] () throws(StoreError) in try file.remove() }
    }
    (current, unsaved, ended, bound) = (nil, nil, nil, nil)
    guard wasThere else { throw account.notSignedIn("You are not signed in to \(account.service.name).") }
  }

  private func giveBack() async throws(StoreError) {
    _ = try await kept()
    do throws(StoreError) {
      let token = try await token(refusing: nil)
      if try await calls.revoke(token) { return }
      // The service refused it before its expiry; its refresh token may still be valid.
      _ = try await calls.revoke(try await self.token(refusing: token))
    } catch {
      if error.kind == .notSignedIn { return }
      throw StoreError(
        error.kind, "\(error.message) You are still signed in.",
        remedy: "Try again, or remove the sign-in from this machine only with: \(account.commands.forgetSignIn)",
        retryAfter: error.retryAfter)
    }
  }
}

extension AccountTokens: AccessTokens {}
