import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI

protocol ClubVerb: ParsableCommand, Sendable {
  var shared: SharedOptions { get }
  /// False while another program has the terminal and gets Ctrl-C.
  var isInterruptible: Bool { get }
  /// False for the verbs that show, send or drop what waits themselves.
  var sendsEarlierChanges: Bool { get }
  /// True for the verbs that say what waits, also of other accounts.
  var saysWhatIsHeldBack: Bool { get }
  /// True for a verb that readers may not use. Those that take a text from a pipe send it first, so that it is kept.
  var changesClub: Bool { get }
  /// True if it takes a text from standard input.
  var readsInput: Bool { get }
  /// Ctrl-C cancels it.
  func perform(_ session: Session) async throws(StoreError) -> Answer
}

extension ClubVerb {
  var isInterruptible: Bool { true }
  var sendsEarlierChanges: Bool { true }
  var saysWhatIsHeldBack: Bool { false }
  var changesClub: Bool { false }
  var readsInput: Bool { false }

  func run() throws {
    let output = Output()
    let setup = try ClubSetup(shared.start)
    for warning in setup.report.warnings { output.alert(warning) }
    let verb = self
    let start = Timestamp.now()
    let result = MainThread.run(isInterruptible: isInterruptible) { () async -> Result<Answer, StoreError> in
      do throws(StoreError) {
        // A pipe has its text only once: it is read before anything is asked that can be cancelled or fail.
        let piped =
          verb.readsInput && !StandardInput.isTerminal ? try await StandardInput.read(setup.pool) : nil
        if let sentence = try await setup.welcome() { output.notice(sentence) }
        let answer = try await WaitTeller.during(setup.choice.place, output) { (teller) throws(StoreError) in
          teller.take(.asks)
          let owner = await ClubOwner.find(setup)
          if verb.changesClub, await ReaderMark.forbidsChanges(setup, owner) { throw StoreError.reader }
          teller.take(.answered)
          let open = try OpenClub(setup, owner: owner, observer: { teller.take($0) })
          defer {
            // `draft ls` reports it in its answer.
            if let file = open.drafts.damagedOutbox, !(verb is DraftList) { output.alert("\(DraftList.damaged(file))") }
          }
          let session = Session(setup: setup, output: output, isJSON: verb.shared.json, open: open, piped: piped)
          if owner.isNew || verb.saysWhatIsHeldBack { await session.sayWhatIsHeldBack() }
          var answer: Answer
          do throws(StoreError) {
            answer = try await verb.perform(session)
          } catch {
            if verb.sendsEarlierChanges { await session.sendEarlierChanges(before: start) }
            await open.news.finish()
            throw error
          }
          if verb.sendsEarlierChanges { await session.sendEarlierChanges(before: start) }
          await open.news.finish()
          await open.notes.past?.finish()
          answer.asOf = open.copy?.servedFrom
          if !session.isJSON { verb.tellOfCopy(open, output) }
          return answer
        }
        return .success(answer)
      } catch {
        return .failure(error)
      }
    }
    try CommandEnd.finish(result, name: Self._commandName, output: output, asJSON: shared.json, log: setup.log)
  }
}

extension ClubVerb {
  /// A text or a list from the copy says that it may be old.
  fileprivate func tellOfCopy(_ open: OpenClub, _ output: Output) {
    if let time = open.copy?.servedFrom {
      let age = Age.ago(of: Int(time.seconds), now: Int(Timestamp.now().seconds))
      output.alert("The server does not answer: this is the local copy, as the club was \(age).")
    }
    // The verbs of `sync` tell it in their answers.
    let gone = sendsEarlierChanges ? open.copy?.heldPaths.count ?? 0 : 0
    if gone > 0 { output.alert("\(SyncNow.held(gone)) To agree: byteclub sync now --accept") }
  }
}

/// A verb that needs no open club.
protocol PlainVerb: ParsableCommand, Sendable {
  var shared: SharedOptions { get }
  /// Ctrl-C cancels it. The errors are those of the settings or of the verb.
  func perform(_ output: Output) async throws -> Answer
}

extension PlainVerb {
  func run() throws {
    let output = Output()
    let verb = self
    let result = MainThread.run { () async -> Result<Answer, any Error> in
      do {
        return .success(try await verb.perform(output))
      } catch {
        return .failure(error)
      }
    }
    let answer: Result<Answer, StoreError>?
    switch result {
    case .success(let value): answer = .success(value)
    case .failure(let error as StoreError): answer = .failure(error)
    case .failure(let error): throw error
    case nil: answer = nil
    }
    try CommandEnd.finish(answer, name: Self._commandName, output: output, asJSON: shared.json, log: nil)
  }
}

struct Session: Sendable {
  let setup: ClubSetup
  let output: Output
  let isJSON: Bool
  let open: OpenClub
  /// The text of a pipe on standard input; nil for a verb that takes none, and on a terminal.
  var piped: [UInt8]?

  var store: any FileStore { open.club.store }

  /// Silent with `--json`.
  func notice(_ sentence: String) {
    if !isJSON { output.notice(sentence) }
  }
}

struct SharedOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Read this config file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Open this club of the config.", valueName: "name"))
  var club: String?

  @Option(
    name: .long, help: ArgumentHelp("Open this directory as the club, whatever the config says.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Flag(name: .long, help: "Print one JSON document instead of lines.")
  var json = false

  func validate() throws {
    if club != nil, folder != nil {
      throw ValidationError("--club and --folder name two clubs. Leave one of them out.")
    }
    if folder == "" { throw ValidationError("--folder needs a directory.") }
  }

  var start: StartOptions { StartOptions(config: config, club: club, folder: folder) }
}

enum Examples {
  static func text(_ examples: KeyValuePairs<String, String>) -> String {
    let width = examples.map(\.key.count).max() ?? 0
    let lines = examples.map { typed, does in
      "  " + typed + String(repeating: " ", count: width - typed.count) + "   " + does
    }
    return "EXAMPLES:\n" + lines.joined(separator: "\n")
  }
}
