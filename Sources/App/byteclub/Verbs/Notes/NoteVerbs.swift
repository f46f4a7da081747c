import ArgumentParser
import ClubServices
import FileStores
import JSON

struct NoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: "List, read, write, move, share and remove notes, and restore older versions.",
    discussion: Examples.text([
      "byteclub note ls --long": "notes with size and time",
      "byteclub note cat Welcome": "print a note",
      "byteclub note show Welcome": "print it rendered",
      "byteclub note put Answer answer.md": "replace a note's text by a file's",
      "date | byteclub note append Log": "add a line at the end of a note",
      "byteclub note edit Answer": "edit it with $VISUAL or $EDITOR",
      "byteclub note diff Answer": "the last change",
    ]),
    subcommands: [
      NoteList.self, NoteCat.self, NoteShow.self, NoteNew.self, NoteToday.self, NotePut.self, NoteAppend.self,
      NoteEdit.self, NoteMove.self, NoteMakeFolder.self, NoteRemove.self, NoteHistory.self, NoteDiff.self,
      NoteRestore.self, NoteLink.self,
    ])
}

struct NoteCat: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print a note, byte by byte as it is.",
    discussion: Examples.text([
      "byteclub note cat Welcome.md": "print it",
      "byteclub note cat Welcome": "you may leave out the ending .md",
      "byteclub note cat Welcome --rev REV": "an older version",
      "byteclub note cat Welcome --json": "its text and revision in one document",
    ]))

  private static let mostHeldBytes = 16 << 20

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Option(
    name: .customLong("rev"),
    help: ArgumentHelp("Print this version: a revision of `note history`, or its beginning.", valueName: "rev"))
  var revision: String?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let output = session.output
    if let revision {
      let notes = session.open.notes
      let found = try await NoteName.withHistory(name, notes) { (path) async throws(StoreError) in
        try await notes.version(NoteName.revision(revision, in: try await notes.history(of: path)), of: path)
      }
      let version = found.value
      if session.isJSON { return try NoteCat.document(version.bytes, version.entry, .stored) }
      output.exact(version.bytes, .noteCat)
      return Answer()
    }
    let path = try await NoteName.path(name, session.open.notes)
    let own = try await session.open.notes.own(path)
    if let own, !session.isJSON {
      output.exact(own.bytes, .noteCat)
      return Answer([], notice: own.sentence)
    }
    guard session.isJSON else {
      // The content hash is known at the end; notes up to this size are printed only then.
      var held: [ByteChunk] = []
      var bytes = 0
      let entry = try await session.open.notes.read(path) { chunk throws(StoreError) in
        bytes += chunk.count
        held.append(chunk)
        guard bytes > NoteCat.mostHeldBytes else { return }
        for chunk in held { output.exact(chunk, .noteCat) }
        held = []
        if output.readerIsGone { throw .cancelled("Printing \"\(path)\"", path: path) }
      }
      for chunk in held { output.exact(chunk, .noteCat) }
      session.open.news.seeSoon(entry)
      return Answer()
    }
    let (bytes, entry, state) = try await NoteCat.text(of: path, own, session)
    return try NoteCat.document(bytes, entry, state)
  }
}

extension NoteCat {
  private static func document(
    _ bytes: [UInt8], _ entry: FileEntry, _ state: FileState
  ) throws(StoreError) -> Answer {
    Answer([try Record(.file(entry, state: state), text: bytes, of: "\"\(entry.path)\"", path: entry.path)])
  }

  private static func text(
    of path: StorePath, _ own: OwnText?, _ session: Session
  ) async throws(StoreError) -> ([UInt8], FileEntry, FileState) {
    if let own { return (own.bytes, own.entry, own.isConflict ? .conflict : .unsent) }
    let (bytes, entry) = try await session.open.notes.bytes(of: path)
    session.open.news.seeSoon(entry)
    return (bytes, entry, FileStates(copyOf: session.open).state(of: entry.path))
  }
}

struct NoteHistory: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the kept versions of a note, newest first.",
    discussion: Examples.text([
      "byteclub note history Welcome": "time, size, revision and member of each",
      "byteclub note restore Welcome REV": "make one of them the newest again",
    ])
      + "\n\nIn a folder club, byteclub keeps the versions that it replaces itself. A deleted note keeps its versions.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Option(help: ArgumentHelp("How many versions at most.", valueName: "count")) var limit: Int = 100
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more. Leave it out for 100.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let found = try await NoteName.withHistory(name, session.open.notes) { (path) async throws(StoreError) in
      try await notes.history(of: path, limit: limit)
    }
    var answer = Answer(found.value.map { Record(.version($0), line: NoteHistory.line($0)) })
    answer.notices = try await session.noticeOfOwn(found.path, "These are the versions of the club.")
    return answer
  }

  private static func line(_ version: FileEntry) -> String {
    let columns = FileLine.columns(size: version.size, time: version.modified)
    let words = [version.member, version.isKept ? nil : "not kept"].compactMap { $0.map { "  " + $0 } }
    return columns + (version.revision?.value ?? "-") + words.joined()
  }
}

extension JSONValue {
  fileprivate static func version(_ entry: FileEntry) -> JSONValue {
    .members([
      "revision": entry.revision.map { .string($0.value) },
      "modified": entry.modified.map { .string(RFC3339.text($0)) },
      "size": entry.size.map { .number($0) },
      "member": entry.member.map { .string($0) },
      "kept": .bool(entry.isKept),
    ])
  }
}

struct NoteMove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a note or a folder, or move notes into a folder.",
    discussion: Examples.text([
      "byteclub note mv Draft.md Answer.md": "a taken name is an error, nothing is replaced",
      "byteclub note mv Draft.md Answer": "the same: the note keeps its ending",
      "byteclub note mv Oslo Bergen trips/": "move both into the folder trips; a new name makes one",
      "byteclub note mv trips/Oslo /": "move it out of its folder, to the top",
      "byteclub note mv trips/ journeys/": "rename a folder; into journeys/, if that is there",
      "byteclub note mv Draft.md Answer --mend-links": "links of other notes lead to the new name",
    ])
      + "\n\nRemarks and drafts follow a note, also in a folder. What else is in a folder goes with it.")

  @Argument(
    help: "The notes and folders, then the new name of one, or a folder with a slash at its end.",
    completion: NameCompletion.notesAndFolders)
  var names: [String]
  @Flag(help: "Mend the links of notes that point there.") var mendLinks = false
  @OptionGroup var shared: SharedOptions

  func validate() throws { try FolderMove<FiledNotes>.check(names) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await FolderMove(files: FiledNotes(session), session: session, mendsLinks: mendLinks).perform(names)
  }
}

struct NoteMakeFolder: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "mkdir", abstract: "Make folders for notes.",
    discussion: Examples.text([
      "byteclub note mkdir trips/2026": "with the folders above it; one that is there stays as it is",
      "byteclub note put trips/2026/Oslo oslo.md": "a note makes its folders by itself",
    ]))

  @Argument(help: "The folders.", completion: NameCompletion.folders) var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    return try await Several.perform(names) { name throws(StoreError) in
      let folder = try await notes.folder(named: name)
      if try await notes.folder(at: folder) != nil {
        session.notice("\"\(folder)/\" is there already.")
        return Record(.folder(folder), line: nil)
      }
      let made = try await notes.makeFolder("\(folder)", in: .root)
      session.notice("Made \"\(made)/\".")
      return Record(.folder(made), line: nil)
    }
  }
}

extension Session {
  /// Mends the links that renames or moves have broken.
  /// - Returns: a sentence about them; `waits` if notes are mended on this machine alone.
  /// - Throws: `conflict` if notes were left as they are, because others have changed them; errors of the store.
  func mendLinks(_ moves: [PathMove]) async throws(StoreError) -> (sentence: String, waits: Bool) {
    let plan = try await open.notes.linksToMend(after: moves)
    let remark = plan.remark.map { " \($0)" } ?? ""
    guard plan.linkCount > 0 else {
      return ("\(plan.remark == nil ? "No link" : "No known link") points there.\(remark)", false)
    }
    let outcome = try await open.notes.mend(plan)
    if let error = outcome.error("Mended") { throw plan.remark.map(error.with) ?? error }
    return ("\(outcome.sentence("Mended"))\(remark)", outcome.waiting > 0)
  }
}

struct NoteRemove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Put notes, or whole folders, into the trash.",
    discussion: Examples.text([
      "byteclub note rm Draft": "put it into the trash",
      "byteclub note rm trips/": "a folder with all that is in it; asks first",
      "byteclub trash restore Draft.md": "get it back",
    ]))

  @Argument(
    help: "The notes, and folders with a slash at their ends.", completion: NameCompletion.notesAndFolders)
  var names: [String]
  @Flag(help: "Do not ask before a folder goes. Needed without a terminal, and with --json.") var yes = false
  @OptionGroup var shared: SharedOptions

  func validate() throws { try FolderRemoval<FiledNotes>.check(names, isAgreed: yes, shared) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await FolderRemoval(files: FiledNotes(session), session: session, isAgreed: yes).perform(names)
  }
}

extension Session {
  /// Says that texts of a removed note, which waited to be sent, are drafts now.
  func sayDrafts(of path: StorePath) async throws(StoreError) {
    guard try await open.notes.waiting().contains(where: { $0.kind == .draft && !$0.isName && $0.path == path }) else {
      return
    }
    output.alert(
      "Your text of \"\(path)\" that was not sent is a draft on this machine: byteclub draft cat \(path.shellWord)")
  }
}

struct NoteRestore: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make an older version of a note the newest again.",
    discussion: Examples.text([
      "byteclub note history Welcome": "shows the revisions",
      "byteclub note restore Welcome REV": "restore one of them",
    ])
      + "\n\nThe current text stays in the history. When someone else changes the note in the meantime, nothing is restored and "
      + "the exit code is 5.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Argument(help: ArgumentHelp("The revision, as `note history` shows it, or its beginning.", valueName: "rev"))
  var revision: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let found = try await NoteName.withHistory(name, session.open.notes) { (path) async throws(StoreError) in
      try await notes.history(of: path)
    }
    let wanted = NoteName.revision(revision, in: found.value)
    let entry = try await notes.restore(wanted, of: found.path, over: found.there?.revision)
    return Answer([Record(.file(entry), line: nil)], notice: "Restored \"\(entry.path)\".")
  }
}
