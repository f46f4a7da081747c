import Accounts
import Backends
import Basics
import FileStores
import Screens
import Synchronization

/// Signing in inside the app, by the steps that `byteclub login` has. A club has one sign-in at a time: a newer one takes
/// the place of the one before. Nothing is kept before the service has accepted the member.
final class AppSignIn: Sendable {
  private struct Attempt: Sendable {
    enum Way: Sendable {
      case password(PasswordLogin)
      case tokens(TokenLogin, TokenLogin.Begun)
    }

    let step: SignInStep
    let setup: ClubSetup
    let way: Way
    /// Waits for the browser.
    var listener: LoopbackListener?
    var isFinishing = false
  }

  /// The member may leave the view open as long.
  private static let browserLimit = Duration.seconds(3600)

  private let attempts = Mutex<[String: Attempt]>([:])
  private let setup: @Sendable (String) throws(StoreError) -> ClubSetup
  private let open: (@Sendable (String, BlockingPool) async -> Bool)?

  /// - Parameter setup: the settings of a club by its name, as they are now.
  /// - Parameter open: opens a page in a browser of this machine; nil if there is none.
  init(
    setup: @escaping @Sendable (String) throws(StoreError) -> ClubSetup,
    open: (@Sendable (String, BlockingPool) async -> Bool)?
  ) {
    (self.setup, self.open) = (setup, open)
  }

  convenience init(
    _ environment: Environment, setup: @escaping @Sendable (String) throws(StoreError) -> ClubSetup
  ) {
    let browser: @Sendable (String, BlockingPool) async -> Bool = { address, pool in
      await pool.run { DesktopBrowser.open(address) }
    }
    self.init(setup: setup, open: DesktopBrowser.isHere(environment) ? browser : nil)
  }

  /// nil if the club needs no sign-in, or has a working one.
  /// - Throws: `badInput` if the club takes its secret from elsewhere, which does not work; the server's errors.
  func begin(_ club: String) async throws(StoreError) -> SignInStep? {
    end(club)
    let setup = try setup(club)
    if setup.signIn == .none { return nil }
    // What is open may still have a sign-in that this machine does not keep any more.
    let isKept = await setup.pool.run { !setup.canSignIn || setup.hasSignIn }
    if isKept, try await isSignedIn(setup) { return nil }
    let (way, sentence, address, input): (Attempt.Way, String, String?, SignInStep.Input)
    if let login = PasswordLogin(setup) {
      try login.check()
      let member = login.member
      (way, address) = (.password(login), nil)
      (sentence, input) = (
        "Sign in to \(member.origin) as \(member.user).", .password(login.label)
      )
    } else {
      let login = TokenLogin(club: try ClubAccount(setup).unshared(setup), now: { ClubAccount.now })
      try login.check()
      let begun = try await login.begin()
      (way, address) = (.tokens(login, begun), begun.address)
      let page = "Open this page of \(login.club.service) on any device, and allow byteclub."
      switch begun {
      case .code: (sentence, input) = ("\(page) Then paste the code that it shows.", .code)
      case .confirmation: (sentence, input) = ("\(page) Then come back and press Enter.", .confirmation)
      }
    }
    let isServed = if case .tokens(let login, .code) = way { !login.club.account.service.isDropbox } else { false }
    let word =
      "The page asks for a code word from the club's owner. A new invitation, or a line of your other device, lets you in "
      + "without one."
    let words = [setup.plainWarning, sentence, isServed ? word : nil].compactMap { $0 }.joined(separator: " ")
    let step = SignInStep(club: club, sentence: words, address: address, input: input)
    attempts.withLock { $0[club] = Attempt(step: step, setup: setup, way: way) }
    return step
  }

  /// Opens a browser of this machine, and waits until it brings the code. A code that is pasted meanwhile ends the wait
  /// with `cancelled`.
  /// - Returns: nil if no browser can bring a code.
  func awaitBrowser(_ step: SignInStep) async throws(StoreError) -> String? {
    guard let open, let attempt = attempts.withLock({ $0[step.club] }), attempt.step == step,
      case .tokens(let login, let begun) = attempt.way
    else { return nil }
    let pool = attempt.setup.pool
    // Dropbox redirects only to addresses registered for the app, including the port.
    guard case .code = begun, !login.club.account.service.isDropbox else {
      _ = await open(begun.address, pool)
      return nil
    }
    // Another address than the one that is shown: a phone cannot reach the listener.
    let listener: LoopbackListener
    do throws(StoreError) {
      listener = try LoopbackListener()
    } catch {
      throw error.inView(step.input, ofBrowser: true)
    }
    let signIn = SignIn(login.club.account, redirect: listener.address)
    let isCurrent = attempts.withLock { attempts in
      guard attempts[step.club]?.step == step else { return false }
      attempts[step.club]?.listener?.cancel()
      attempts[step.club]?.listener = listener
      return true
    }
    guard isCurrent, await open(signIn.address, pool) else {
      listener.stop()
      return nil
    }
    let code: String
    do throws(StoreError) {
      code = try await listener.code(for: signIn, within: AppSignIn.browserLimit, on: pool)
    } catch {
      throw error.inView(step.input, ofBrowser: true)
    }
    return try await finish(step) { (_) throws(StoreError) in
      try await AppSignIn.keep(attempt.setup, login, .code(signIn), code)
    }
  }

  /// - Throws: with the sign-in still open, so that the member can try again.
  func finish(_ step: SignInStep, _ answer: String) async throws(StoreError) -> String {
    try await finish(step) { (attempt) throws(StoreError) in
      switch attempt.way {
      case .password(let login):
        guard !answer.isEmpty else { throw StoreError(.badInput, "The field is empty.") }
        _ = try await login.finish(answer, keepsUntested: false)
        return login.sentence
      case .tokens(let login, let begun):
        var code = ""
        if case .code(let signIn) = begun { code = try signIn.code(pasted: answer) }
        return try await AppSignIn.keep(attempt.setup, login, begun, code)
      }
    }
  }

  private static func keep(
    _ setup: ClubSetup, _ login: TokenLogin, _ begun: TokenLogin.Begun, _ code: String
  ) async throws(StoreError) -> String {
    try await login.finish(begun, code: code)
    ClubNetworks.process.forget(login.club.account, in: setup.paths.tokensDirectory)
    let (profile, sentence) = await login.signedIn { () throws(StoreError) in try await login.club.tokens.profile() }
    if let profile { await KeptAccount.keep(profile, setup) }
    return sentence
  }

  // MARK: One at a time

  private func finish(
    _ step: SignInStep, _ body: (Attempt) async throws(StoreError) -> String
  ) async throws(StoreError) -> String {
    let claimed = attempts.withLock { attempts -> Attempt? in
      guard let attempt = attempts[step.club], attempt.step == step, !attempt.isFinishing else { return nil }
      attempts[step.club]?.isFinishing = true
      return attempt
    }
    guard let attempt = claimed else {
      throw StoreError(.conflict, "This sign-in is over, or is being completed.", remedy: "Begin it again.")
    }
    let sentence: String
    do throws(StoreError) {
      sentence = try await body(attempt)
    } catch {
      attempts.withLock { if $0[step.club]?.step == step { $0[step.club]?.isFinishing = false } }
      throw error.inView(step.input)
    }
    end(step.club)
    attempt.setup.log.info("login", ["club": step.club])
    return ([sentence] + (await folder(attempt.setup)) + (await findings(attempt.setup))).joined(separator: " ")
  }

  private func end(_ club: String) {
    attempts.withLock { $0.removeValue(forKey: club)?.listener?.cancel() }
  }

  // MARK: The club

  private func isSignedIn(_ setup: ClubSetup) async throws(StoreError) -> Bool {
    do throws(StoreError) {
      _ = try await setup.openStoreAlone().list(.root, ListOptions(.names), after: nil)
      return true
    } catch {
      switch error.kind {
      case .notSignedIn: return false
      case .notFound: return true
      default: throw error
      }
    }
  }

  /// Makes the club's folder if it is missing.
  private func folder(_ setup: ClubSetup) async -> [String] {
    guard await setup.isFolderMissing() else { return [] }
    do throws(StoreError) {
      try await setup.makeClub()
      return ["Made the club's folder, \(setup.choice.place)."]
    } catch {
      return ["The club's folder does not exist yet, and was not made: \(error.message)"]
    }
  }

  private func findings(_ setup: ClubSetup) async -> [String] {
    do throws(StoreError) {
      return try await setup.serverTest?.run().sentences ?? []
    } catch {
      return ["The server was not tested: \(error.message)"]
    }
  }
}

extension StoreError {
  /// The error as the view of a sign-in shows it: the member does not leave the app to try again.
  /// - Parameter ofBrowser: the wait for the browser has failed, whose remedies are commands of a shell.
  fileprivate func inView(_ input: SignInStep.Input, ofBrowser: Bool = false) -> StoreError {
    guard kind == .notSignedIn || kind == .badInput || ofBrowser && kind != .cancelled else { return self }
    let remedy =
      switch input {
      case .password: "Type it again."
      case .code: "Paste the code of the page, or open the page again for a new one."
      case .confirmation: "Allow byteclub on the page, then press Enter."
      }
    return StoreError(kind, message, remedy: remedy)
  }
}
