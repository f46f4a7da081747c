import Accounts
import ArgumentParser
import Backends
import Basics
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

  @Argument(help: "The invitation; - reads it from standard input.") var line: [String]
  @Option(help: "The club's name on this machine: a to z, 0 to 9 and -.") var name: String?
  @Flag(help: "Do not open the club.") var noOpen = false
  @Flag(help: "Change a club that is here without a question; move it only with its --name.") var yes = false
  @OptionGroup var shared: SharedOptions

  var isQuietable: Bool { false }

  func validate() throws {
    if shared.club != nil || shared.folder != nil {
      throw ValidationError("join makes a club of its own. Leave out --club and --folder; --name gives it a name.")
    }
    try NewClubName.check(name)
    if line == ["-"] { try StandardInput.checkOpen() }
  }

  func run() throws {
    let club = try run { output in try await join(output) } ?? nil
    if opens, let club { throw ExitCode(try RootCommand.open(StartOptions(config: shared.config, club: club))) }
  }

  func perform(_ output: Output) async throws -> Answer { try await join(output).0 }

  private var opens: Bool { !noOpen && !shared.json && StandardInput.isTerminal && isatty(STDOUT_FILENO) == 1 }

  /// Returns the club's name if it can be opened now.
  private func join(_ output: Output) async throws -> (Answer, String?) {
    let pool = BlockingPool()
    let text = try await typed(output, pool)
    let paths = try Paths(.process, config: shared.config)
    let places = Places(paths: paths, environment: .process, config: shared.config, pool: pool)
    if let form = try places.form(ofLine: text) { return (try await ClubAdd.answer(form, name, places, output), nil) }
    var flow = try JoinFlow(shared.start, .process, pool: pool)
    flow.isAgreed = yes
    let (start, mayAsk) = (flow, Agreement.canAsk(asJSON: shared.json))
    let done = try await WaitTeller.during("the invitation's server", output) { (teller) throws(StoreError) in
      var flow = start
      if mayAsk {
        flow.agrees = { (question) async throws(StoreError) in
          teller.take(.answered)
          return try await Agreement.ask(question, output, pool)
        }
      }
      teller.take(.asks)
      return try await flow.run(text, name: name)
    }
    let setup = try ClubSetup(StartOptions(config: shared.config, club: done.plan.name), log: flow.log)
    if let joined = done.joined { await KeptAccount.keep(joined, setup) }
    return (await answer(done, setup), done.plan.name)
  }

  private func typed(_ output: Output, _ pool: BlockingPool) async throws(StoreError) -> String {
    guard line == ["-"] else { return line.joined(separator: " ") }
    if StandardInput.isTerminal {
      return try await StandardInput.readSecret(
        "Paste the invitation, which is not shown, and press Enter: ", output, pool)
        ?? ""
    }
    return String(decoding: try await StandardInput.read(pool, limit: 65_536), as: UTF8.self)
  }

  private func answer(_ done: JoinFlow.Done, _ setup: ClubSetup) async -> Answer {
    let (report, joined) = (await JoinReport(done, setup), done.joined)
    var answer = Answer()
    answer.notices = report.sentences
    let here = done.file.map { "Here it is \"\(done.plan.name)\", in \(setup.paths.abbreviating($0))." }
    answer.notices.append(
      (here ?? "Here it is \"\(done.plan.name)\".")
        + (opens ? "" : " Open it with: byteclub --club \(PathText.plainWord(done.plan.name))"))
    answer.records = [
      Record(
        .members([
          "name": .string(done.plan.name), "place": .string(setup.choice.place), "change": .string(done.plan.word),
          "file": done.file.map { .string($0) }, "member": .string(done.member),
          "account": joined.map { .string($0.accountID) }, "club": joined.map { .string($0.club) },
          "isReader": joined.map { .bool($0.isReader) }, "notes": report.counts.map { .number($0.notes) },
          "photos": report.counts.map { .number($0.photos) },
        ]), line: nil)
    ]
    return answer
  }
}

extension JoinPlan {
  /// For `--json`.
  fileprivate var word: String {
    switch self {
    case .add: "added"
    case .replace: "changed"
    case .signIn: "signedIn"
    case .here: "none"
    }
  }
}
