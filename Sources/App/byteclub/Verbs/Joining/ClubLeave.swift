import Accounts
import ArgumentParser
import Backends
import Basics
import Database
import FileStores
import JSON

struct ClubLeave: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a club that you joined: sign out, and remove it from this machine's list.",
    discussion: Examples.text([
      "byteclub club leave garage": "asks first",
      "byteclub club leave garage --yes": "for scripts",
    ])
      + "\n\nThe club and its files stay as they are. Drafts and texts that wait stay on this machine, and are sent when you "
      + "join again as the same member. \(comesBack)")

  private static let comesBack = "To come back, ask the club's owner for a new invitation."

  @Argument(help: "The club's name on this machine.", completion: NameCompletion.clubs) var name: String
  @Flag(help: "Do not ask. Needed without a terminal, and with --json.") var yes = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.club != nil || shared.folder != nil {
      throw ValidationError("leave takes the club as its argument. Leave out --club and --folder.")
    }
  }

  func perform(_ output: Output) async throws -> Answer {
    let paths = try Paths(.process, config: shared.config)
    let report = try ClubSetup.report(paths, shared.start, .process)
    let setup = try ClubSetup(StartOptions(config: shared.config, club: name))
    guard report.dropInClubs.contains(name) else {
      throw StoreError(
        .badInput, "The club \"\(name)\" is not one that you joined.",
        remedy: report.config.text("clubs.\(name).store") == nil || !report.hasFile
          ? "It is this machine's own." : "Remove it from \(paths.abbreviating(paths.configFile)) yourself.")
    }
    let place = setup.choice.place
    if !yes {
      guard Agreement.canAsk(asJSON: shared.json) else {
        throw ValidationError("byteclub asks before it leaves a club, and cannot ask here. Add --yes.")
      }
      let question = "Leave the club \"\(name)\", \(place)? Texts that wait stay on this machine."
      guard try await Agreement.ask(question, output, setup.pool) else {
        return Answer([], notice: "You are still in the club.")
      }
    }
    let lock = try await setup.pool.run { () throws(StoreError) in try JoinLock(paths, knowing: report) }
    defer { lock.release() }
    let owner = await ClubOwner.known(setup)
    let waiting = try await setup.pool.run { () throws(StoreError) in
      try OutboxDatabase(openingLater: paths.outboxFile).waiting(underKeysFrom: owner.key)[owner.key] ?? 0
    }
    var answer = Answer()
    let isSignedOut = try await signOut(setup, report, output, &answer)
    let name = name
    try await setup.pool.run { () throws(StoreError) in try DropIn.remove(name, paths) }
    setup.log.info("left", ["club": name])
    answer.notices.append("Left the club \"\(name)\", \(place).")
    if waiting > 0 {
      answer.notices.append(
        "\(waiting == 1 ? "A text or change waits" : "\(waiting) texts or changes wait") in "
          + "\(paths.abbreviating(paths.outboxFile)), and \(waiting == 1 ? "is" : "are") sent when you join again as the "
          + "same member.")
    }
    if KnownClub(name, report, setup.choice.kind, setup.paths) != nil { answer.notices.append(Self.comesBack) }
    answer.records = [
      Record(
        .members(["name": .string(name), "signedOut": .bool(isSignedOut), "waiting": .number(waiting)]), line: nil)
    ]
    return answer
  }

  /// Ends the sign-in at the server, or on this machine alone if the server cannot be reached.
  private func signOut(
    _ setup: ClubSetup, _ report: ConfigReport, _ output: Output, _ answer: inout Answer
  ) async throws(StoreError) -> Bool {
    if let login = PasswordLogin(setup) {
      guard !login.isShared(report) else {
        answer.notices.append("The sign-in stays: another club uses it.")
        return false
      }
      answer.notices += try await login.forget().notices
      return true
    }
    guard case .tokens = setup.signIn else {
      answer.notices.append("byteclub keeps no sign-in of this club that it could end.")
      return false
    }
    let club = try ClubAccount(setup)
    guard club.tokens.source == .file, !isShared(club.account, report, setup) else {
      answer.notices.append("The sign-in to \(club.service) stays: something else uses it.")
      return false
    }
    do throws(StoreError) {
      try await club.asking(output) { () throws(StoreError) in try await club.tokens.signOut(onlyHere: false) }
      return true
    } catch {
      if error.kind == .notSignedIn { return true }
      guard error.kind != .cancelled else { throw error }
    }
    try await club.tokens.signOut(onlyHere: true)
    answer.notices.append(
      "\(club.service) could not be told, so it still knows this machine. End that on another machine with: byteclub "
        + "device rm, or ask the club's owner.")
    return false
  }

  private func isShared(_ account: Account, _ report: ConfigReport, _ setup: ClubSetup) -> Bool {
    let directory = setup.paths.tokensDirectory
    let own = TokenFile(directory: directory, account: account).path
    return report.config.clubNames.contains { other in
      other != name
        && KnownClub(other, report, setup.choice.kind, setup.paths).map {
          TokenFile(directory: directory, account: $0.account).path == own
        } ?? false
    }
  }
}
