import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "The local copy of a club behind a network, and what waits to be sent.",
    discussion: Examples.text([
      "byteclub sync status": "the copy's age, what it holds, and what waits",
      "byteclub sync now": "send what waits, and bring the copy up to date",
      "byteclub sync ls": "list what waits, oldest first",
    ])
      + "\n\nThe app does this by itself, and each command that the server answers sends what waits. A club in a folder has no copy and needs none.",
    subcommands: [SyncStatus.self, SyncNow.self, SyncList.self], defaultSubcommand: SyncStatus.self)
}

struct SyncStatus: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the age of the local copy and how much waits to be sent.",
    discussion: Examples.text([
      "byteclub sync status": "asks nothing of the server",
      "byteclub sync status --json": "for scripts",
    ]))

  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }
  var saysWhatIsHeldBack: Bool { true }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let waiting = try await session.open.notes.waiting()
    let (toSend, conflicts) = (waiting.count { $0.kind == .toSend }, waiting.count { $0.kind == .conflict })
    let (drafts, nobodys) = (waiting.count { $0.kind == .draft && !$0.isName }, WaitingText.nobodysWords(waiting))
    let facts = await session.open.copy?.facts()
    return Answer([
      Record(
        .members([
          "club": .string(session.setup.choice.name),
          "copied": .bool(facts != nil),
          "refreshed": facts.map { .string(RFC3339.text($0.refreshed)) },
          "files": facts.map { .number($0.files) },
          "texts": facts.map { .number($0.texts) },
          "textBytes": facts.map { .number($0.textBytes) },
          "held": facts.map { .number($0.held) },
          "toSend": .number(toSend), "conflicts": .number(conflicts), "drafts": .number(drafts),
        ]),
        lines: SyncStatus.lines(session, facts, toSend: toSend, conflicts: conflicts, drafts: drafts, nobodys: nobodys))
    ])
  }

  static func counted(_ number: Int, _ one: String) -> String {
    number == 1 ? "one \(one)" : "\(number.grouped) \(one)s"
  }

  private static func lines(
    _ session: Session, _ facts: LocalCopy.Facts?, toSend: Int, conflicts: Int, drafts: Int, nobodys: String?
  ) -> [String] {
    var lines: [String] = []
    if let facts {
      let age = Age.ago(of: Int(facts.refreshed.seconds), now: Int(Timestamp.now().seconds))
      lines.append(
        "Copy:     \(counted(facts.files, "file")) as they were \(age); \(counted(facts.texts, "text")) "
          + "(\(ByteCount.text(facts.textBytes)))")
      if facts.held > 0 { lines.append("Removed:  \(SyncNow.held(facts.held))") }
    } else {
      lines.append(session.open.copy == nil ? "Copy:     none; the club is on this machine" : "Copy:     none yet")
    }
    lines.append("To send:  \(toSend)")
    lines.append("Conflicts: \(conflicts)")
    lines.append("Drafts:   \(drafts)\(nobodys.map { "; \($0)" } ?? "")")
    return lines
  }
}

struct SyncNow: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Send what waits, and bring the local copy up to date.",
    discussion: Examples.text([
      "byteclub sync now": "the exit code is 6 while the server is away",
      "byteclub sync now --accept": "also remove what the server no longer has, however much it is",
    ])
      + "\n\nWhen the server suddenly lacks more than 20 files, or a quarter of the club, the copy keeps them until you agree "
      + "with --accept. Texts that were not sent stay in any case.")

  @Flag(name: .long, help: "Agree to the removal of many files by the server.") var accept = false
  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }
  var saysWhatIsHeldBack: Bool { true }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    var answer = Answer()
    var names: [String] = []
    answer.failures += await notes.sendNames { names.append("Sent: \"\($0.shown)\" \($0.words).") }
    answer.notices += names
    var sent: [(StorePath, SaveOutcome)] = []
    var skipped: [StoreError] = []
    try await notes.sendAll(conflicts: true) {
      sent.append(($0, $1))
    } skipped: {
      skipped.append($0)
    }
    answer.failures += skipped
    for (path, outcome) in sent { SyncNow.add(outcome, path, to: &answer, session) }
    let rest = try await notes.waiting().filter { $0.kind == .toSend && $0.isName }
    guard let copy = session.open.copy else { return answer }
    do throws(StoreError) {
      try await copy.refresh()
      if accept {
        let count = await copy.acceptRemoval()
        if count > 0 { answer.notices.append("Removed \(count == 1 ? "one file" : "\(count) files") from the copy.") }
      }
      try await copy.keepTexts()
    } catch {
      answer.failures.append(rest.isEmpty && answer.failures.isEmpty ? error : SyncNow.away(rest.count, error))
      return answer
    }
    if let facts = await copy.facts() {
      if facts.held > 0 {
        answer.failures.append(
          StoreError(.conflict, SyncNow.held(facts.held), remedy: "To agree: byteclub sync now --accept"))
      }
      answer.notices.append(
        "The copy has \(SyncStatus.counted(facts.files, "file")) and \(SyncStatus.counted(facts.texts, "text")).")
    }
    return answer
  }

  static func held(_ count: Int) -> String {
    "The server no longer has \(count == 1 ? "one file" : "\(count.grouped) files") that the copy keeps."
  }

  private static func away(_ count: Int, _ error: StoreError) -> StoreError {
    guard count > 0 else { return error }
    return StoreError(
      error.kind, "\(count == 1 ? "A change" : "\(count) changes") could not be sent. \(error.message)",
      remedy: "byteclub sends \(count == 1 ? "it" : "them") when the server answers.", retryAfter: error.retryAfter)
  }

  private static func add(
    _ outcome: SaveOutcome, _ path: StorePath, to answer: inout Answer, _ session: Session
  ) {
    switch outcome {
    case .saved(let entry):
      session.notice("Saved \"\(entry.path)\".\(entry.lossSentence)")
      answer.records.append(Record(.file(entry), line: nil))
    case .merged(let merged):
      session.notice(merged.sentence)
      answer.records.append(Record(.file(merged.entry), line: nil))
    case .kept(_, let error): answer.failures.append(session.kept(path, error))
    case .conflict(let conflict): answer.failures.append(conflict.notSent)
    case .deleted(let path): answer.failures.append(.deletedMeanwhile(path))
    }
  }
}

struct SyncList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List what waits to be sent, oldest first.",
    discussion: Examples.text([
      "byteclub sync ls": "age, name, and the change or the first line",
      "byteclub sync ls --json": "with ids",
    ])
      + "\n\nThese are saves, renames and moves to the trash that wait for the server, conflicts, and changes of names "
      + "that belong to nobody yet, which only draft send sends. Drafts are in: byteclub draft ls")

  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }
  var saysWhatIsHeldBack: Bool { true }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let texts = try await session.open.notes.waiting()
      .filter { $0.kind == .toSend || $0.kind == .conflict || $0.isNobodys }
      .sorted { $0.changed < $1.changed }
    let now = Int(Timestamp.now().seconds)
    return Answer(
      texts.map { text in
        let age = Age.text(of: Int(text.changed.seconds), now: now)
        let line = TerminalText.cut(String(decoding: text.firstLine, as: UTF8.self), columns: 60).text
        let name = TerminalText.filtered(text.shownName.utf8)
        return Record(
          .waiting(text), line: "\(text.kind == .toSend ? "" : "\(text.kind.rawValue)  ")\(age)  \(name)  \(line)")
      })
  }
}
