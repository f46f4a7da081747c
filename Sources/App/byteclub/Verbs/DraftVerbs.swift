import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI

struct DraftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "List, print, send and discard texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft ls": "list them",
      "byteclub draft cat Answer > answer.md": "copy a text to a file",
      "byteclub draft send": "send all that waits to be sent",
    ])
      + "\n\nThese are texts that you typed and did not save, saves that wait until the server answers, saves of notes that "
      + "someone else changed in the meantime, and, for a week, texts that you discarded.",
    subcommands: [DraftList.self, DraftCat.self, DraftSend.self, DraftDiscard.self])
}

enum DraftName {
  /// The first text with this name or id, in the order of `NotesService.waiting`; discarded texts come last.
  /// - Throws: `notFound`.
  static func text(_ name: String, in texts: [WaitingText]) throws(StoreError) -> WaitingText {
    let names = NotesService.spellings(of: name)
    if let text = texts.first(where: { $0.word == name || names.contains($0.shownName) }) { return text }
    throw StoreError(
      .notFound, "This machine has no draft \"\(name)\".", remedy: "See the names with: byteclub draft ls")
  }
}

extension WaitingText {
  /// The note's name, or the title typed for a new note.
  var shownName: String { path?.description ?? (title.isEmpty ? "(no name yet)" : title) }

  var word: String {
    switch id {
    case .draft(let id): id
    case .save(let id): "s\(id)"
    case .change(let id): "c\(id)"
    }
  }
}

extension JSONValue {
  static func waiting(_ text: WaitingText) -> JSONValue {
    .members([
      "id": .string(text.word),
      "name": .string(text.shownName),
      "path": text.path.map { .string($0.description) },
      "size": .number(text.bytes),
      "modified": .string(RFC3339.text(text.changed)),
      "revision": text.base.map { .string($0.value) },
      "state": .string(FileState(text.kind).rawValue),
      "firstLine": .string(String(decoding: text.firstLine, as: UTF8.self)),
      "openElsewhere": text.isElsewhere ? .bool(true) : nil,
      "change": text.isName ? .string(String(decoding: text.beginning, as: UTF8.self)) : nil,
    ])
  }
}

extension FileState {
  init(_ kind: WaitingText.Kind) {
    self =
      switch kind {
      case .conflict: .conflict
      case .toSend: .unsent
      case .draft: .draft
      case .discarded: .discarded
      }
  }
}

struct DraftList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft ls": "kind, age, size, name and first line",
      "byteclub draft ls --json": "with ids and revisions",
      "byteclub draft ls --all-accounts": "also those of other accounts, such as your former one",
    ])
      + "\n\nThe kinds: conflict, someone else changed the note in the meantime; to send, a save that waits until the server "
      + "answers; draft, typed and not saved, or a change of a name that belongs to nobody yet, which only draft send "
      + "sends; discarded, kept for a week.")

  @Flag(help: "Also list the texts of other accounts of this club that wait on this machine.") var allAccounts = false
  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }
  var saysWhatIsHeldBack: Bool { !allAccounts }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let own = try await session.open.notes.waiting()
    let texts = try await own + (allAccounts ? session.open.notes.waitingOfOthers() : [])
    let now = Int(Timestamp.now().seconds)
    let names = texts.map { TerminalText.filtered($0.shownName.utf8) }
    let width = min(DraftList.widestName, names.map { TerminalText.columns($0) }.max() ?? 0)
    var answer = Answer(
      zip(texts, names).enumerated().map { number, pair in
        let (text, name) = pair
        let isOthers = number >= own.count
        let age = Age.text(of: Int(text.changed.seconds), now: now)
        let columns = [
          TerminalText.padded(text.kind.rawValue, 9), TerminalText.padded(age, 10),
          TerminalText.padded(ByteCount.text(text.bytes), 9), TerminalText.padded(name, width),
          isOthers
            ? "of another account: byteclub draft cat \(text.word) --all-accounts"
            : text.isElsewhere
              ? "open in another byteclub"
              : TerminalText.cut(String(decoding: text.firstLine, as: UTF8.self), columns: 40).text,
        ]
        let json = JSONValue.waiting(text).adding(isOthers ? [JSONMember("otherAccount", true)] : [])
        return Record(json, line: columns.joined(separator: "  "))
      })
    if let file = session.open.drafts.damagedOutbox {
      answer.badNews = DraftList.damaged(file)
    } else if let file = session.open.drafts.damagedFile {
      answer.notices.append(
        "An earlier file of drafts and unsent saves was damaged: \(file). Delete it when you miss nothing.")
    }
    return answer
  }

  /// The outbox was put aside just now.
  static func damaged(_ file: String) -> StoreError {
    StoreError(
      .corrupt, "The file of drafts and unsent saves was damaged. byteclub goes on with its readable part.",
      remedy: "The damaged file is \(file).")
  }

  private static let widestName = 40
}

struct DraftCat: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print a text that is not in the club, into a pipe byte by byte as it is.",
    discussion: Examples.text([
      "byteclub draft cat Answer.md": "the first of that name in draft ls",
      "byteclub draft cat s12": "the one with this id, as draft ls --json names it",
    ]))

  @Argument(help: "The note's name, or the id.", completion: NameCompletion.drafts) var name: String
  @Flag(help: "Also look among the texts of other accounts of this club.") var allAccounts = false
  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let texts = try await notes.waiting() + (allAccounts ? notes.waitingOfOthers() : [])
    let found = try DraftName.text(name, in: texts)
    let bytes = try await notes.text(of: found.id)
    guard session.isJSON else {
      session.output.text(bytes)
      return Answer()
    }
    return Answer([try Record(.waiting(found), text: bytes, of: "The text")])
  }
}

struct DraftSend: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft send": "send everything that waits, oldest first",
      "byteclub draft send Answer": "send this one, even a draft that was never saved",
      "byteclub draft send Answer --both": "keep both texts when someone else changed the note",
    ])
      + "\n\nWhen someone else changed a note in the meantime, nothing is overwritten, your text stays here, and the exit "
      + "code is 5. With --both your text becomes a note beside it.")

  @Argument(help: "The note's name, or the id; without it, everything that waits.", completion: NameCompletion.drafts)
  var name: String?
  @Flag(name: .long, help: "When someone else changed the note, save your text as a note beside it.") var both = false
  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let all = try await notes.waiting()
    var texts = all.filter { ($0.kind == .toSend || both && $0.kind == .conflict) && !$0.isElsewhere && !$0.isName }
      .sorted { $0.changed < $1.changed }
    if let name { texts = [try DraftName.text(name, in: all.filter { !$0.isName } + all.filter(\.isName))] }
    if let change = texts.first, change.isName { return try await send(change: change, session) }
    let hasNames = name == nil && all.contains { $0.isName && !$0.isNobodys }
    guard !texts.isEmpty || hasNames else { return Answer([], notice: DraftSend.nothing(all)) }
    var answer = Answer()
    if hasNames { answer.failures += await notes.sendNames() }
    for text in texts {
      if Task.isCancelled { throw .cancelled("The command") }
      do throws(StoreError) {
        guard !text.isElsewhere else { throw text.isOpenElsewhere }
        answer.records.append(try record(try await send(text, notes), text, session))
      } catch {
        answer.failures.append(error)
        // The others would meet the same error.
        if error.isTemporary || error.kind == .notSignedIn || error.kind == .cancelled { break }
      }
    }
    return answer
  }

  private func send(change: WaitingText, _ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    var answer = Answer()
    answer.failures = change.isNobodys ? try await notes.sendStray(change) : await notes.sendNames()
    // A change that was nobody's has another id now.
    let waits = try await notes.waiting().contains {
      $0.isName && !$0.isNobodys && $0.changeWords == change.changeWords
    }
    if waits {
      let absence = session.open.connection?.absence
      answer.failures.append(
        StoreError(
          absence?.kind ?? .offline, "\(change.changeWords) waits to be sent. \(absence?.message ?? "")",
          remedy: "byteclub sends it when the server answers.", path: change.path))
    }
    guard answer.failures.isEmpty else { return answer }
    return Answer([Record(.waiting(change), line: nil)], notice: "Sent: \(change.changeWords).")
  }

  private func send(_ text: WaitingText, _ notes: NotesService) async throws(StoreError) -> SaveOutcome {
    let outcome = try await notes.send(text)
    guard both, case .conflict(let conflict) = outcome else { return outcome }
    return try await notes.resolve(conflict, .both)
  }

  private func record(_ outcome: SaveOutcome, _ text: WaitingText, _ session: Session) throws(StoreError) -> Record {
    switch outcome {
    case .saved(let entry):
      let isBeside = text.path != nil && text.path != entry.path
      session.notice(
        isBeside
          ? "Kept both: your text is in \"\(entry.path)\"." : "Saved \"\(entry.path)\".\(entry.lossSentence)")
      return Record(.file(entry), line: nil)
    case .merged(let merged):
      session.notice(merged.sentence)
      return Record(.file(merged.entry), line: nil)
    case .kept(_, let error): throw session.kept(text.path ?? .root, error)
    case .conflict(let conflict):
      throw StoreError(
        .conflict,
        "\(conflict.theirWriter.subject) \(conflict.theirs == nil ? "deleted" : "changed") \"\(conflict.path)\" in the meantime. "
          + "Your text: byteclub draft cat \(text.word). To compare the two, open byteclub.",
        remedy: "To keep both: byteclub draft send \(text.word) --both", path: conflict.path,
        current: conflict.theirEntry)
    case .deleted(let path):
      throw .deletedMeanwhile(path)
    }
  }

  private static func nothing(_ all: [WaitingText]) -> String {
    let elsewhere = all.count { $0.isElsewhere && ($0.kind == .toSend || $0.kind == .conflict) }
    if elsewhere > 0 {
      return "Another byteclub that runs has \(elsewhere == 1 ? "a text" : "\(elsewhere) texts") to send. "
        + "Close it to send from here."
    }
    let conflicts = all.count { $0.kind == .conflict }
    guard conflicts > 0 else { return "No text waits to be sent." }
    return "No text waits to be sent, but you have \(conflicts == 1 ? "one conflict" : "\(conflicts) conflicts"). "
      + "See them with: byteclub draft ls"
  }
}

struct DraftDiscard: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Discard texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft discard Answer.md": "the first of that name in draft ls",
      "byteclub draft cat Answer.md": "print a text, for a week also a discarded one",
    ])
      + "\n\nA discarded text is kept for a week. Discarding it again deletes it for good.")

  @Argument(help: "The notes' names, or the ids.", completion: NameCompletion.drafts) var names: [String]
  @OptionGroup var shared: SharedOptions
  var sendsEarlierChanges: Bool { false }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    return try await Several.perform(names) { name throws(StoreError) in
      let text = try DraftName.text(name, in: try await notes.waiting())
      guard !text.isElsewhere else { throw text.isOpenElsewhere }
      try await notes.discard(text)
      session.notice(
        text.isName
          ? "Took back: \(text.changeWords)."
          : text.kind == .discarded
            ? "Deleted the text of \"\(text.shownName)\" for good."
            : "Discarded the text of \"\(text.shownName)\". It is kept for a week.")
      return Record(.waiting(text), line: nil)
    }
  }
}

extension WaitingText {
  var isOpenElsewhere: StoreError {
    StoreError(
      .conflict, "The text of \"\(shownName)\" is open in another byteclub.", remedy: "Close it there, then try again.",
      path: path)
  }
}
