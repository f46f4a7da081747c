import Accounts
import ArgumentParser
import Backends
import FileStores

/// `byteclub login`.
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

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    let club = try ClubAccount(setup)
    if let warning = setup.plainWarning { output.alert(warning) }
    // Dropbox sends a browser back only to addresses that were written down for the app, ports included.
    let opensByItself = DesktopBrowser.isHere(setup.environment) && !club.account.service.isDropbox
    let flow = LoginFlow(
      club: club, pool: setup.pool, output: output, now: { ClubAccount.now },
      readLine: { (pool) throws(StoreError) in try await StandardInput.readLine(pool) },
      open: { (address) async in await setup.pool.run { DesktopBrowser.open(address) } })
    var answer = try await flow.run(inBrowser: browser || (opensByItself && !paste), mayPaste: !browser)
    if await isFolderMissing(setup) {
      answer.notices.append(
        "The club's folder does not exist yet. Make it with: \(setup.choice.commands.makeFolder)")
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
