import Accounts
import ArgumentParser
import Backends
import FileStores

/// `byteclub login`.
struct LoginCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to the service that keeps the club.",
    discussion: Examples.text([
      "byteclub login": "sign in for the club that is opened",
      "byteclub login --club garage": "for another one",
      "byteclub login --paste": "without a browser on this machine, as over ssh",
    ])
      + "\n\nA page of the service asks whether byteclub may use your files. What it gives is kept on this machine, "
      + "where only you can read it, belongs to that server and app key, and is sent to no other. Scripts may set "
      + "BYTECLUB_TOKEN instead, and password managers are asked by the setting tokenCommand.")

  @Flag(name: .long, help: "Show the address of the page, and ask for the code that it gives.") var paste = false
  @Flag(name: .long, help: "Open the page in a browser of this machine, which brings the code by itself.")
  var browser = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if paste, browser { throw ValidationError("--paste and --browser are two ways to sign in; leave one out.") }
  }

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    let club = try ClubAccount(setup)
    if let warning = setup.plainWarning { output.notice("byteclub: " + warning) }
    // Dropbox sends a browser back only to addresses that were written down for the app, ports included.
    let opensByItself = DesktopBrowser.isHere(setup.environment) && !club.account.service.isDropbox
    let flow = LoginFlow(
      club: club, pool: setup.pool, output: output, now: { ClubAccount.now },
      readLine: { (pool) throws(StoreError) in try await StandardInput.readLine(pool) },
      open: { (address) async in await setup.pool.run { DesktopBrowser.open(address) } })
    var answer = try await flow.run(inBrowser: browser || (opensByItself && !paste), mayPaste: !browser)
    if await isFolderMissing(setup) {
      answer.notices.append(
        "The club's folder is not there yet. Make it with: \(setup.choice.commands.makeFolder)")
    }
    setup.log.info("login", ["club": club.account.club, "service": club.service])
    return answer
  }

  /// True when the service has told that it has no such folder. What else may fail has nothing to do with signing in,
  /// and is told by the command that needs it.
  private func isFolderMissing(_ setup: ClubSetup) async -> Bool {
    do throws(StoreError) {
      _ = try await setup.openStoreAlone().list(.root, ListOptions(.names), after: nil)
      return false
    } catch {
      return error.kind == .notFound
    }
  }
}
