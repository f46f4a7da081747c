import ArgumentParser
import Basics
import ClubServices
import FileStores
import Synchronization

struct NotePut: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Replace a note's text, or make a note, from a file or from standard input.",
    discussion: Examples.text([
      "byteclub note put Answer answer.md": "from a file",
      "sort list.txt | byteclub note put List": "from standard input; the old text is replaced",
      "byteclub note put trips/2026/oslo oslo.md": "in a folder, which is made if it is missing",
      "byteclub note put List list.md --if-rev REV": "only over this revision",
      "byteclub note put List list.md --if-new": "only if there is no such note",
      "byteclub note put -- -name- answer.md": "a name that begins with a dash",
    ])
      + "\n\nAn existing note is replaced only when nobody else changed it since the command began. Otherwise the exit "
      + "code is 5, nothing is written, and the text is a draft (byteclub draft ls), which is sent only by byteclub draft "
      + "send. While the server is away, "
      + "the text is kept on this machine, the exit code is 6, and byteclub sends the text later. A new note whose name "
      + "has no ending gets .md. To add to a note use: byteclub note append")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Argument(help: "The file; - or nothing is standard input.", completion: .file()) var file: String = "-"
  @Option(
    name: .customLong("if-rev"), help: ArgumentHelp("Write only when the note has this revision.", valueName: "rev"))
  var revision: String?
  @Flag(name: .customLong("if-new"), help: "Write only when there is no such note.")
  var isNew = false
  @Flag(name: .customLong("allow-empty"), help: "Let empty standard input empty the note.")
  var allowsEmpty = false
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if isNew, revision != nil { throw ValidationError("A new note has no revision. Leave out --if-new or --if-rev.") }
    if file == "-" { try StandardInput.checkOpen() }
  }

  var readsInput: Bool { file == "-" }

  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath {
    try HeldText.path(ofNote: name)
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await NoteTarget.find(name, session)
    let text = try await TextInput.read(file, session)
    if case .present(let there) = target, text.isEmpty, file == "-", !allowsEmpty, there.size != 0 {
      throw StoreError(
        .badInput, "Standard input is empty; \"\(there.path)\" keeps its text.",
        remedy: "To empty the note add --allow-empty.", path: there.path)
    }
    let notes = session.open.notes
    let base = revision.map { Revision($0) }
    if isNew, let there = target.entry {
      throw StoreError(
        .exists, "\"\(there.path)\" already exists, and was not replaced.", remedy: "Choose another name.",
        path: there.path, current: there)
    }
    switch target {
    case .unknown(let there, let error):
      guard !text.isEmpty || file != "-" || allowsEmpty else { throw error }
      try await notes.keep(text, for: there.path, base: base ?? there.revision, after: error)
      throw session.kept(there.path, error)
    case .present(let there):
      let base = base ?? there.revision
      let outcome = try await notes.save(there.path, base: base, text: text, draft: nil, isOnlyCopy: true)
      return try await answer(outcome, there.path, base, session)
    case .absent(let path):
      let outcome = try await notes.save(path, base: base, text: text, draft: nil, isOnlyCopy: true)
      return try await answer(outcome, path, base, session)
    }
  }

  private func answer(
    _ outcome: SaveOutcome, _ path: StorePath, _ base: Revision?, _ session: Session
  ) async throws(StoreError) -> Answer {
    switch outcome {
    case .saved(let entry):
      await session.open.notes.dropReplaced(path, over: base)
      return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .merged(let merged): return Answer([Record(.file(merged.entry), line: nil)], notice: merged.sentence)
    case .kept(_, let error): throw session.kept(path, error)
    case .conflict(let conflict):
      // A script retries with the newer text, so this one must not be sent by itself.
      try await session.open.notes.keepAsDraft(conflict.save)
      throw changed(path, conflict.theirEntry)
    case .deleted: throw changed(path, nil)
    }
  }

  private func changed(_ path: StorePath, _ current: FileEntry?) -> StoreError {
    let what =
      revision != nil && current != nil
      ? "\"\(path)\" no longer has that revision."
      : "Someone else \(current == nil ? "deleted" : "changed") \"\(path)\" in the meantime."
    return StoreError(
      .conflict, "\(what) Nothing was written. This text is a draft on this machine.",
      remedy: current == nil
        ? "To make the note again, run the command again\(revision == nil ? "" : " without --if-rev"), or send the draft: "
          + "byteclub draft send \(path.shellWord)"
        : "Look at it with \"byteclub note cat\", then run the command again, or keep both: byteclub draft send "
          + "\"\(path)\" --both",
      path: path, current: current)
  }
}

struct NoteAppend: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add text at the end of a note.",
    discussion: Examples.text([
      "date | byteclub note append Log": "from standard input",
      "byteclub note append Log \"Rain at the pier\"": "from the command line",
      "byteclub note append Log - < day.md": "from a file",
    ])
      + "\n\nThe text begins on a new line. A missing note is made; its name gets .md when it has no "
      + "ending. When someone else changes the note in the meantime, byteclub adds the text to the newer version. While the server "
      + "is away, the text is kept on this machine, the exit code is 6, and byteclub adds it later.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Argument(help: "The text; - or nothing is standard input.") var text: String = "-"
  @OptionGroup var shared: SharedOptions

  func validate() throws { if text == "-" { try StandardInput.checkOpen() } }

  var readsInput: Bool { text == "-" }

  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath {
    try HeldText.path(ofNote: name)
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await NoteTarget.find(name, session, isAddition: true)
    let addition = text == "-" ? try await TextInput.read(text, session) : Array((text.isEmpty ? "" : "\(text)\n").utf8)
    guard !addition.isEmpty else { return Answer([], notice: "The text is empty; \"\(target.path)\" is unchanged.") }
    let notes = session.open.notes
    var seen: Revision?
    switch target {
    case .unknown(let there, let error):
      try await notes.keep(addition, for: there.path, base: there.revision, isAddition: true, after: error)
      throw session.kept(there.path, error)
    case .present(let there): seen = there.revision
    case .absent: break
    }
    switch try await notes.append(addition, to: target.path, seen: seen) {
    case .saved(let entry):
      return Answer([Record(.file(entry), line: nil)], notice: "Added to \"\(entry.path)\".\(entry.lossSentence)")
    case .merged(let merged): return Answer([Record(.file(merged.entry), line: nil)], notice: merged.sentence)
    case .kept(_, let error): throw session.kept(target.path, error)
    case .conflict, .deleted:
      throw StoreError(
        .conflict, "Someone else changed \"\(target.path)\" in the meantime.", remedy: "Try again.", path: target.path)
    }
  }
}

struct NoteEdit: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a note with $VISUAL or $EDITOR.",
    discussion: Examples.text([
      "EDITOR=nano byteclub note edit Answer": "each save of the editor goes to the club at once"
    ])
      + "\n\nThe first save makes a note that the club does not have; its name gets .md when it has no ending. When "
      + "someone else changed the note in the meantime, the two texts are merged. When both changed the same "
      + "place, their text stays, yours becomes a note beside it, and the exit code is 5.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    guard let command = session.setup.environment["VISUAL"] ?? session.setup.environment["EDITOR"] else {
      throw StoreError(
        .badInput, "No editor is set.", remedy: "Set the variable VISUAL or EDITOR, such as: export EDITOR=nano")
    }
    let path = try await NoteEdit.path(name, notes)
    let edit = try await notes.beginEdit(path, makesNew: true)
    let log = session.setup.log
    let follower = Task {
      do throws(StoreError) {
        try await notes.follow(edit) { _ in }
      } catch {
        // `endEdit` finds the written text anyway.
        log.error("the copy could not be followed", error)
      }
    }
    let elapsed = TimerClock().stopwatch()
    let end = await session.setup.pool.run { EditorProcess.run(command, file: edit.copy) }
    let endedAtOnce = elapsed() < NoteEdit.shortest
    follower.cancel()
    await follower.value
    let outcome = try await notes.endEdit(edit)
    if let end { throw failure(end, command, path, hasSaved: !edit.isUntouched) }
    if edit.isUntouched, case .saved(let entry) = outcome {
      let hint = endedAtOnce ? NoteEdit.hint(command) : ""
      if entry.revision == nil { return Answer([], notice: "Nothing was written; \"\(path)\" was not made.\(hint)") }
      return Answer([Record(.file(entry), line: nil)], notice: "\"\(path)\" is not changed.\(hint)")
    }
    return try await answer(outcome, session, path)
  }

  /// The path of a note, of which a text may wait, or of a new one.
  /// - Throws: errors of the store; `badName` for a name that no new note can have.
  private static func path(_ name: String, _ notes: NotesService) async throws(StoreError) -> StorePath {
    if let path = try await ifThere({ () throws(StoreError) in try await NoteName.path(name, notes) }) { return path }
    return try await notes.newPath(meaning: name)
  }

  /// Nobody reads a note and closes its editor in less.
  private static let shortest = Duration.seconds(3)

  /// For an editor such as `code`, which leaves the file to a window that is open already.
  private static func hint(_ command: String) -> String {
    " \"\(command)\" has ended at once. If its window is still open, it does not wait for it: what you save there within a "
      + "day goes to the club with your next byteclub command. Most such editors can wait, as with EDITOR=\"code --wait\"."
  }

  private func answer(
    _ outcome: SaveOutcome, _ session: Session, _ path: StorePath
  ) async throws(StoreError) -> Answer {
    switch outcome {
    case .saved(let entry):
      return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .merged(let merged): return Answer([Record(.file(merged.entry), line: nil)], notice: merged.sentence)
    case .kept(_, let error): throw session.kept(path, error)
    case .deleted:
      throw StoreError(
        .conflict, "Someone else deleted \"\(path)\" in the meantime.", remedy: "It may be in the trash.",
        path: path)
    case .conflict(let conflict):
      let kept = try await session.open.notes.resolve(conflict, .both)
      guard case .saved(let mine) = kept else {
        throw StoreError(
          .conflict, "Someone else changed \"\(path)\" while you edited it.",
          remedy: "Your text is kept. Open byteclub to choose.", path: path)
      }
      throw StoreError(
        .conflict, "Someone else changed \"\(path)\" while you edited it. Your text is in \"\(mine.path)\".",
        remedy: "Merge the two as you like.", path: path, current: conflict.theirEntry)
    }
  }

  private func failure(
    _ end: EditorProcess.Failure, _ command: String, _ path: StorePath, hasSaved: Bool
  ) -> StoreError {
    switch end {
    case .didNotStart(let code):
      StoreError(
        .badInput, "The editor \"\(command)\" did not start: \(SystemError.text(code)).",
        remedy: "Check the variables VISUAL and EDITOR.", path: path)
    case .failed(let status):
      StoreError(
        .badInput,
        "The editor \"\(command)\" ended with status \(status). "
          + (hasSaved ? "Its saves of \"\(path)\" are in the club." : "It saved nothing of \"\(path)\"."),
        remedy: status == 127 ? "Check the variables VISUAL and EDITOR." : "", path: path)
    }
  }
}

enum EditorProcess {
  enum Failure: Error, Equatable {
    /// The error number.
    case didNotStart(Int32)
    /// The exit status, or 128 plus the signal's number.
    case failed(Int32)
  }

  private static let isRunning = Atomic(false)
  /// True while an editor runs, which gets Ctrl-C.
  static var hasTerminal: Bool { isRunning.load(ordering: .sequentiallyConsistent) }

  /// Runs a shell command in this terminal with a file as its last argument; nil on success. Blocks.
  static func run(_ command: String, file: String) -> Failure? {
    // As in git, the command may contain arguments and variables; the file name is one argument.
    let editor = ProgramStart("/bin/sh", ["sh", "-c", command + " \"$@\"", command, file])
    isRunning.store(true, ordering: .sequentiallyConsistent)
    defer { isRunning.store(false, ordering: .sequentiallyConsistent) }
    do throws(ProgramStart.Failure) {
      let status = ProgramStart.wait(for: try editor.start())
      return status == 0 ? nil : .failed(status)
    } catch {
      return .didNotStart(error.code)
    }
  }
}
