import Accounts
import Basics
import FileStores

/// `byteclub login`, with member, browser and service passed in.
struct LoginFlow: Sendable {
  let club: ClubAccount
  let pool: BlockingPool
  let output: Output
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
  /// nil at the end of the input.
  let readLine: @Sendable (BlockingPool) async throws(StoreError) -> String?
  let open: @Sendable (String) async -> Bool
  var clock: any Clock<Duration> = TimerClock()

  /// With `inBrowser` the browser delivers the code; `mayPaste` lets the member paste it if there is no browser.
  func run(inBrowser: Bool, mayPaste: Bool) async throws(StoreError) -> Answer {
    guard club.tokens.source == .file else {
      let place =
        switch club.tokens.source {
        case .variable(let name, _): "the variable \(name)"
        case .command, .file: "its \"tokenCommand\""
        }
      throw StoreError(
        .badInput,
        "The club \"\(club.account.club)\" takes its access token from \(place) and would not use a "
          + "sign-in.", remedy: "Remove that first, then sign in.")
    }
    if club.account.usesOAuth1 {
      try await club.tokens.keep(try await allowed(inBrowser: inBrowser))
      return try await answer()
    }
    let (signIn, code) = try await inBrowser ? codeOfBrowser(mayPaste: mayPaste) : pastedCode()
    let grant = try await asking { () throws(StoreError) in
      try await signIn.finish(code: code, transport: club.transport, now: now)
    }
    try await club.tokens.keep(grant)
    return try await answer()
  }

  private func codeOfBrowser(mayPaste: Bool) async throws(StoreError) -> (SignIn, String) {
    let listener = try LoopbackListener()
    let signIn = SignIn(club.account, redirect: listener.address)
    if await open(signIn.address) {
      output.notice("Your browser opens a page of \(club.service). If it does not, open this address:")
    } else if mayPaste {
      listener.stop()
      return try await pastedCode()
    } else {
      output.notice("byteclub could not open a browser. Open this address in a browser on this machine:")
    }
    output.notice("\n  \(signIn.address)\n\nWaiting for the browser. Ctrl-C gives up.")
    return (signIn, try await listener.code(for: signIn, on: pool))
  }

  private func pastedCode() async throws(StoreError) -> (SignIn, String) {
    let signIn = SignIn(club.account)
    output.notice("Open this address in any browser, allow byteclub, and paste the code here:")
    output.notice("\n  \(signIn.address)\n")
    if output.noticesAreShown { output.ask("Code: ") }
    guard let line = try await readLine(pool) else {
      throw StoreError(
        .badInput, "Standard input ended before the code.",
        remedy: "Start byteclub login in a terminal, and paste the code.")
    }
    return (signIn, try signIn.code(pasted: line))
  }

  /// In OAuth 1.0 the member confirms the sign-in; there is no code.
  private func allowed(inBrowser: Bool) async throws(StoreError) -> Grant {
    let signIn = try await asking { () throws(StoreError) in
      try await OAuth1SignIn(club.account, transport: club.transport, now: now)
    }
    let opened = inBrowser ? await open(signIn.address) : false
    output.notice(
      opened
        ? "Your browser opens a page of \(club.service). If it does not, open this address:"
        : "Open this address in any browser:")
    output.notice("\n  \(signIn.address)\n\nAllow byteclub there, then come back here and press Enter.")
    guard try await readLine(pool) != nil else {
      throw StoreError(
        .badInput, "Standard input ended before you confirmed the sign-in.",
        remedy: "Start byteclub login in a terminal.")
    }
    return try await asking { () throws(StoreError) in
      try await signIn.finish(transport: club.transport, now: now)
    }
  }

  private func asking<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await club.asking(output, clock: clock, body)
  }

  private func answer() async throws(StoreError) -> Answer {
    let club = club
    do throws(StoreError) {
      let profile = try await asking { () throws(StoreError) in try await club.tokens.profile() }
      let email = profile.email.map { " (\($0))" } ?? ""
      return Answer(
        [club.record(profile)], notice: "Signed in to \(club.service) as \(profile.name)\(email).")
    } catch {
      // The sign-in itself is complete and stored.
      return Answer(
        [club.record(nil)],
        notice: "Signed in to \(club.service). The account's name is unknown: \(error.message)")
    }
  }
}
