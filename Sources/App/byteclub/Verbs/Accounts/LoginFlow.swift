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
  /// Keeps the account's name on this machine.
  var keep: @Sendable (AccountProfile) async -> Void = { _ in }

  private var login: TokenLogin { TokenLogin(club: club, now: now) }

  /// With `inBrowser` the browser delivers the code; `mayPaste` lets the member paste it if there is no browser.
  func run(inBrowser: Bool, mayPaste: Bool) async throws(StoreError) -> Answer {
    try login.check()
    let (begun, code): (TokenLogin.Begun, String)
    if club.account.usesOAuth1 {
      (begun, code) = (try await allowed(inBrowser: inBrowser), "")
    } else {
      let (signIn, given) = try await inBrowser ? codeOfBrowser(mayPaste: mayPaste) : pastedCode()
      (begun, code) = (.code(signIn), given)
    }
    try await asking { () throws(StoreError) in try await login.finish(begun, code: code) }
    let (profile, sentence) = await login.signedIn { () throws(StoreError) in
      try await asking { () throws(StoreError) in try await club.tokens.profile() }
    }
    if let profile { await keep(profile) }
    return Answer([club.record(profile)], notice: sentence)
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

  /// In OAuth 1.0 the member confirms the sign-in.
  private func allowed(inBrowser: Bool) async throws(StoreError) -> TokenLogin.Begun {
    let begun = try await asking { () throws(StoreError) in try await login.begin() }
    let opened = inBrowser ? await open(begun.address) : false
    output.notice(
      opened
        ? "Your browser opens a page of \(club.service). If it does not, open this address:"
        : "Open this address in any browser:")
    output.notice("\n  \(begun.address)\n\nAllow byteclub there, then come back here and press Enter.")
    guard try await readLine(pool) != nil else {
      throw StoreError(
        .badInput, "Standard input ended before you confirmed the sign-in.",
        remedy: "Start byteclub login in a terminal.")
    }
    return begun
  }

  private func asking<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await club.asking(output, clock: clock, body)
  }
}
