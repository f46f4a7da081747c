import ArgumentParser
import Basics
import ClubServices
import FileStores
import TextUI

protocol ClubVerb: ParsableCommand, Sendable {
  var shared: SharedOptions { get }
  /// False for the verbs that show, send or drop what waits themselves.
  var sendsEarlierChanges: Bool { get }
  /// True for the verbs that say what waits, also of other accounts.
  var saysWhatIsHeldBack: Bool { get }
  /// True for a verb that readers may not use. Those that take a text from a pipe send it first, so that it is kept.
  var changesClub: Bool { get }
  /// True if it takes a text from standard input.
  var readsInput: Bool { get }
  /// True if it reads it before it asks anything also on a terminal.
  var readsTyping: Bool { get }
  /// The path of the draft that keeps a text from standard input until the club has answered.
  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath
  /// Ctrl-C cancels it.
  func perform(_ session: Session) async throws(StoreError) -> Answer
}

extension ClubVerb {
  var sendsEarlierChanges: Bool { true }
  var saysWhatIsHeldBack: Bool { false }
  var changesClub: Bool { false }
  var readsInput: Bool { false }
  var readsTyping: Bool { false }
  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath { .root }

  func run() throws {
    let output = Output(isQuiet: shared.quiet)
    let setup = try ClubSetup(shared.start)
    for warning in setup.report.warnings { output.alert(warning) }
    let verb = self
    let start = Timestamp.now()
    let result = MainThread.run { () async -> Result<Answer, StoreError> in
      var held: HeldText?
      do throws(StoreError) {
        // A pipe has its text only once: it is on the disk before anything is asked that can be cancelled or fail.
        let input =
          verb.readsInput && (!StandardInput.isTerminal || verb.readsTyping)
          ? try await TextInput.standard(setup.pool) { if !verb.shared.json { output.notice($0) } } : nil
        let services = SharedServices(TransferBase(setup))
        if let input, !input.isEmpty { held = await verb.hold(input, setup, services) }
        let holding = held
        if let sentence = try await setup.welcome() { output.notice(sentence) }
        let answer = try await WaitTeller.during(setup.choice.place, output) { (teller) throws(StoreError) in
          teller.take(.asks)
          let owner = await ClubOwner.find(setup)
          try await holding?.give(to: owner.key)
          // A text goes on into the outbox. Anything else could wait for work that this task cannot cancel.
          if Task.isCancelled, holding == nil { throw StoreError.cancelled("The command") }
          if verb.changesClub, await KeptAccount.forbidsChanges(setup, owner) { throw StoreError.reader }
          teller.take(.answered)
          let open = try OpenClub(setup, owner: owner, observer: { teller.take($0) }, shared: services)
          open.notes.hold(holding)
          defer {
            // `draft ls` reports it in its answer.
            if let file = open.drafts.damagedOutbox, !(verb is DraftList) { output.alert("\(DraftList.damaged(file))") }
          }
          let session = Session(setup: setup, output: output, isJSON: verb.shared.json, open: open, input: input)
          if owner.isNew || verb.saysWhatIsHeldBack { await session.sayWhatIsHeldBack() }
          var answer: Answer
          do throws(StoreError) {
            answer = try await verb.perform(session)
          } catch {
            if verb.sendsEarlierChanges { await session.sendEarlierChanges(before: start) }
            await open.news.finish()
            throw error
          }
          try await holding?.remove()
          if verb.sendsEarlierChanges { await session.sendEarlierChanges(before: start) }
          await open.news.finish()
          await open.notes.past?.finish()
          answer.asOf = open.copy?.servedFrom
          if !session.isJSON { verb.tellOfCopy(open, output) }
          return answer
        }
        return .success(answer)
      } catch {
        return .failure(held?.end(error) ?? error)
      }
    }
    try CommandEnd.finish(result, name: Self._commandName, output: output, asJSON: shared.json, log: setup.log)
  }

  /// A text from a pipe, on the disk before the network is asked; nil if that failed. Its save then meets the same failure,
  /// and reports it.
  func hold(_ text: [UInt8], _ setup: ClubSetup, _ services: SharedServices) async -> HeldText? {
    do throws(StoreError) {
      return try await HeldText(
        text, at: path(ofInput: text, setup), key: ClubOwner.last(setup).key, outbox: services.outbox,
        basesDirectory: setup.paths.basesDirectory, pool: setup.pool)
    } catch {
      setup.log.error("a text from a pipe was not kept before it was sent", error)
      return nil
    }
  }
}

extension ClubVerb {
  /// A text or a list from the copy says that it may be old.
  fileprivate func tellOfCopy(_ open: OpenClub, _ output: Output) {
    if let time = open.copy?.servedFrom {
      let age = Age.ago(of: Int(time.seconds), now: Int(Timestamp.now().seconds))
      output.alert(
        "The server does not answer: this is the local copy, as the club was \(age)."
          + (open.copy?.lacksFolders == true ? " It has only the notes at the top." : ""))
    }
    // The verbs of `sync` tell it in their answers.
    let gone = sendsEarlierChanges ? open.copy?.heldPaths.count ?? 0 : 0
    if gone > 0 { output.alert("\(SyncNow.held(gone)) To agree: byteclub sync now --accept") }
  }
}

/// A verb that readers may not use.
protocol ChangingVerb: ClubVerb {}

extension ChangingVerb {
  var changesClub: Bool { true }
}

/// A verb that needs no open club.
protocol PlainVerb: ParsableCommand, Sendable {
  var shared: SharedOptions { get }
  /// False for a conversation with the member, which is more than news.
  var isQuietable: Bool { get }
  /// Ctrl-C cancels it. The errors are those of the settings or of the verb.
  func perform(_ output: Output) async throws -> Answer
}

extension PlainVerb {
  var isQuietable: Bool { true }

  func run() throws { _ = try run { output in (try await perform(output), ()) } }

  /// Carries out `work` and writes its answer.
  /// - Returns: what it gave besides; nil if it failed and nobody reads the reason.
  func run<More: Sendable>(_ work: @escaping @Sendable (Output) async throws -> (Answer, More)) throws -> More? {
    let output = Output(isQuiet: shared.quiet && isQuietable)
    let result = MainThread.run { await Result.catching { try await work(output) } }
    var more: More?
    let answer: Result<Answer, StoreError>?
    switch result {
    case .success(let done):
      answer = .success(done.0)
      more = done.1
    case .failure(let error as StoreError): answer = .failure(error)
    case .failure(let error): throw error
    case nil: answer = nil
    }
    try CommandEnd.finish(answer, name: Self._commandName, output: output, asJSON: shared.json, log: nil)
    return more
  }
}

struct Session: Sendable {
  let setup: ClubSetup
  let output: Output
  let isJSON: Bool
  let open: OpenClub
  /// The text of standard input that was read before anything was asked; nil if there was none.
  var input: [UInt8]?

  var store: any FileStore { open.club.store }

  /// Silent with `--json`.
  func notice(_ sentence: String) {
    if !isJSON { output.notice(sentence) }
  }
}

struct SharedOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Read this config file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(
    name: .long, help: ArgumentHelp("Open this club of the config.", valueName: "name"),
    completion: NameCompletion.clubs)
  var club: String?

  @Option(
    name: .long, help: ArgumentHelp("Open this directory as the club, whatever the config says.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Flag(name: .long, help: "Print one JSON document instead of lines.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing on standard error but errors and questions.")
  var quiet = false

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
