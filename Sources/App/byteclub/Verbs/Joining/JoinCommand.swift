import Accounts
import ArgumentParser
import Backends
import Basics
import ClubServices
import FileStores
import JSON
import POSIX

struct JoinCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a club by an invitation, or sign in on this machine by a device's line.",
    discussion: Examples.text([
      "byteclub join https://club.example/join#CODE": "join, and open the club",
      "byteclub join -": "paste the line, or send it through a pipe: no other user of this machine sees it",
      "byteclub join LINE --no-open --json": "for scripts",
    ])
      + "\n\nThe line comes from \"byteclub serve invite NAME\" or \"byteclub device add\". One of \"byteclub club invite\" "
      + "adds a club to which you then sign in yourself. Brackets, quotes or a full stop "
      + "around it do no harm. byteclub keeps the sign-in where only you can read it, and the club in a file of its own; "
      + "your config stays as it is. A line for a club that is here already changes its address, after a question: only the "
      + "owner of your club should have sent you that line. Without an answer, or --name of that club, it is a second club. "
      + "While it runs, other users of this machine can see a line that is an argument.")

  @Argument(help: "The invitation; - reads it from standard input.") var line: String
  @Option(help: "The club's name on this machine: a to z, 0 to 9 and -.") var name: String?
  @Flag(help: "Do not open the club.") var noOpen = false
  @Flag(help: "Change a club that is here without a question; move it only with its --name.") var yes = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.club != nil || shared.folder != nil {
      throw ValidationError("join makes a club of its own. Leave out --club and --folder; --name gives it a name.")
    }
    try NewClubName.check(name)
    if line == "-" { try StandardInput.checkOpen() }
  }

  func run() throws {
    let output = Output()
    let verb = self
    let result = MainThread.run { () async -> Result<(Answer, String?), any Error> in
      do {
        return .success(try await verb.join(output))
      } catch {
        return .failure(error)
      }
    }
    guard case .success(let (answer, club))? = result else {
      if case .failure(let error)? = result, !(error is StoreError) { throw error }
      let error: StoreError? = if case .failure(let error as StoreError)? = result { error } else { nil }
      return try CommandEnd.finish(
        error.map { .failure($0) }, name: Self._commandName, output: output, asJSON: shared.json, log: nil)
    }
    try CommandEnd.finish(.success(answer), name: Self._commandName, output: output, asJSON: shared.json, log: nil)
    if opens, let club { throw ExitCode(try RootCommand.open(StartOptions(config: shared.config, club: club))) }
  }

  func perform(_ output: Output) async throws -> Answer { try await join(output).0 }

  private var opens: Bool { !noOpen && !shared.json && StandardInput.isTerminal && isatty(STDOUT_FILENO) == 1 }

  /// Returns the club's name if it can be opened now.
  private func join(_ output: Output) async throws -> (Answer, String?) {
    let paths = try Paths(.process, config: shared.config)
    let pool = BlockingPool()
    let text = try await typed(output, pool)
    let places = Places(paths: paths, environment: .process, config: shared.config, pool: pool)
    if let form = try places.form(ofLine: text) { return (try await ClubAdd.answer(form, name, places, output), nil) }
    guard Environment.process.accessToken == nil else {
      throw StoreError(
        .badInput,
        "The variable \(Environment.tokenVariable) is set, and byteclub would use it instead of the invitation.",
        remedy: "Unset it, and join again.")
    }
    let report = try ClubSetup.report(paths, shared.start, .process)
    _ = try report.checked()
    let log = ActivityLog(file: paths.logFile, isDetailed: report.config.logsDetails)
    let (isAgreed, mayAsk) = (yes, Agreement.canAsk(asJSON: shared.json))
    let done = try await WaitTeller.during("the invitation's server", output) { (teller) throws(StoreError) in
      var agrees: (@Sendable (String) async throws(StoreError) -> Bool)?
      if mayAsk {
        agrees = { (question) async throws(StoreError) in
          teller.take(.answered)
          return try await Agreement.ask(question, output, pool)
        }
      }
      teller.take(.asks)
      let flow = JoinFlow(
        paths: paths, report: report, pool: pool, log: log,
        transport: { log.telling(ClubNetworks.process.transport($0)) }, now: { ClubAccount.now },
        machine: Self.machine, agrees: agrees, isAgreed: isAgreed)
      return try await flow.run(text, name: name)
    }
    let setup = try ClubSetup(StartOptions(config: shared.config, club: done.plan.name), log: log)
    let owner = ClubOwner(place: setup.choice.place, word: ClubOwner.word(ofAccount: done.joined.accountID))
    await ReaderMark.keep(done.joined.isReader, setup, owner)
    return (await answer(done, setup), done.plan.name)
  }

  private func typed(_ output: Output, _ pool: BlockingPool) async throws(StoreError) -> String {
    guard line == "-" else { return line }
    if StandardInput.isTerminal {
      return try await StandardInput.readSecret(
        "Paste the invitation, which is not shown, and press Enter: ", output, pool)
        ?? ""
    }
    return String(decoding: try await StandardInput.read(pool), as: UTF8.self)
  }

  /// How the member is known, and what the club holds. The club is joined even if it cannot be listed now.
  private func answer(_ done: JoinFlow.Done, _ setup: ClubSetup) async -> Answer {
    var answer = Answer()
    let member = done.joined.member.asServersWords, club = done.joined.club.asServersWords
    var counts: (notes: Int, photos: Int)?
    do throws(StoreError) {
      let found = try await Self.counts(setup)
      counts = found
      answer.notices.append(
        "You are \(member) in the club \"\(club)\", which has \(Self.spoken(found.notes, "note")) and "
          + "\(Self.spoken(found.photos, "photo")).")
    } catch {
      answer.notices = ["You are \(member) in the club \"\(club)\".", "It cannot be listed now: \(error)"]
    }
    if done.joined.isReader { answer.notices.append("You can read everything there, and change nothing.") }
    let here = done.file.map { "Here it is \"\(done.plan.name)\", in \(setup.paths.abbreviating($0))." }
    answer.notices.append(
      (here ?? "Here it is \"\(done.plan.name)\".") + (opens ? "" : " Open it with: byteclub --club \(done.plan.name)"))
    answer.records = [
      Record(
        .members([
          "name": .string(done.plan.name), "place": .string(setup.choice.place), "change": .string(done.plan.word),
          "file": done.file.map { .string($0) }, "member": .string(done.joined.member),
          "account": .string(done.joined.accountID), "club": .string(done.joined.club),
          "isReader": .bool(done.joined.isReader), "notes": counts.map { .number($0.notes) },
          "photos": counts.map { .number($0.photos) },
        ]), line: nil)
    ]
    return answer
  }

  private static func counts(_ setup: ClubSetup) async throws(StoreError) -> (notes: Int, photos: Int) {
    let open = try OpenClub(setup, owner: await ClubOwner.find(setup))
    var (notes, photos) = (0, 0)
    try await open.notes.names { found, _ in notes += found.count }
    try await open.photos.list { photos += $0.count }
    return (notes, photos)
  }

  private static func spoken(_ number: Int, _ one: String) -> String {
    number == 0 ? "no \(one)s" : number == 1 ? "one \(one)" : "\(number) \(one)s"
  }

  /// The name of this machine, at most 60 bytes of it.
  private static var machine: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "byteclub" }
    let name = String(decoding: buffer.prefix { $0 != 0 }.prefix(60).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "byteclub" : name
  }
}

extension JoinPlan {
  /// For `--json`.
  fileprivate var word: String {
    switch self {
    case .add: "added"
    case .replace: "changed"
    case .signIn: "signedIn"
    }
  }
}
