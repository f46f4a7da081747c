import Accounts
import ArgumentParser
import Backends
import Basics
import FileStores

struct LoginCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to the club's service.",
    discussion: Examples.text([
      "byteclub login": "sign in to the default club",
      "byteclub login --club garage": "sign in to another one",
      "byteclub login --paste": "without a browser on this machine, as over ssh",
    ])
      + "\n\nA page of the service asks whether byteclub may use your files. byteclub keeps the sign-in on this machine, "
      + "where only you can read it, for that server and app key, and sends it to no other server. Scripts can set "
      + "BYTECLUB_TOKEN instead; the setting tokenCommand asks a password manager.")

  @Flag(name: .long, help: "Show the address of the page, and ask for its code.") var paste = false
  @Flag(name: .long, help: "Open the page in a browser on this machine, which sends the code back.")
  var browser = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if paste, browser { throw ValidationError("--paste and --browser are two ways to sign in. Leave one of them out.") }
  }

  var isQuietable: Bool { false }

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    if let flow = PasswordLogin(setup) { return try await flow.run(output) }
    let club = try ClubAccount(setup)
    if let warning = setup.plainWarning { output.alert(warning) }
    // Dropbox redirects only to addresses registered for the app, including the port.
    let opensByItself = DesktopBrowser.isHere(setup.environment) && !club.account.service.isDropbox
    let flow = LoginFlow(
      club: club, pool: setup.pool, output: output, now: { ClubAccount.now },
      readLine: { (pool) throws(StoreError) in try await StandardInput.readLine(pool) },
      open: { (address) async in await setup.pool.run { DesktopBrowser.open(address) } },
      keep: { await KeptAccount.keep($0, setup) })
    var answer = try await flow.run(inBrowser: browser || (opensByItself && !paste), mayPaste: !browser)
    if await setup.isFolderMissing() { answer.notices.append(setup.folderIsMissing) }
    setup.log.info("login", ["club": club.account.club, "service": club.service])
    return answer
  }
}

struct LogoutCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out: end the sign-in at the service and remove it from this machine.",
    discussion: Examples.text([
      "byteclub logout": "sign out of the default club",
      "byteclub logout --only-here": "remove the sign-in from this machine only",
    ])
      + "\n\nWhen the service does not answer, the sign-in stays, and the exit code says why. Other clubs of the same "
      + "server and app key share the sign-in. Drafts and unsent saves stay on this machine.")

  @Flag(name: .customLong("only-here"), help: "Remove the sign-in from this machine only; the service keeps it.")
  var onlyHere = false
  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    if let flow = PasswordLogin(setup) { return try await flow.forget() }
    let club = try ClubAccount(setup)
    try await club.asking(output) { () throws(StoreError) in try await club.tokens.signOut(onlyHere: onlyHere) }
    setup.log.info("logout", ["club": club.account.club, "service": club.service])
    return Answer(
      [club.record(nil)],
      notice: onlyHere
        ? "Removed the sign-in to \(club.service) from this machine. The service still has it."
        : "Signed out of \(club.service).")
  }
}

struct WhoamiCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the account of the club.",
    discussion: Examples.text([
      "byteclub whoami": "name and address of the account",
      "byteclub whoami --club garage --json": "for scripts; the exit code is 3 when you are not signed in",
    ]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    if let flow = PasswordLogin(setup) { return try await flow.whoami() }
    return try await WhoamiCommand.answer(try ClubAccount(setup), output)
  }

  static func answer(
    _ club: ClubAccount, _ output: Output, clock: any Clock<Duration> = TimerClock()
  ) async throws(StoreError) -> Answer {
    let profile = try await club.asking(output, clock: clock) { () throws(StoreError) in
      try await club.tokens.profile()
    }
    let email = profile.email.map { " <\($0)>" } ?? ""
    return Answer([club.record(profile, lines: ["\(profile.name)\(email) on \(club.service)"])])
  }
}
