import ArgumentParser
import ClubServices
import FileStores
import JSON

struct NoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: "List, read, write, rename, share and remove notes, and restore older versions.",
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
      NoteList.self, NoteCat.self, NoteShow.self, NotePut.self, NoteAppend.self, NoteEdit.self, NoteMove.self,
      NoteRemove.self, NoteHistory.self, NoteDiff.self,
      NoteRestore.self, NoteLink.self,
    ])
}

struct NoteList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the notes by name.",
    discussion: Examples.text([
      "byteclub note ls": "one name a line",
      "byteclub note ls --long": "with size and time",
      "byteclub note ls --sort date": "the newest first",
      "byteclub note ls -z | xargs -0 -n1 byteclub note cat": "each note's text",
      "byteclub note ls --json": "with revision and state",
    ]))

  @OptionGroup var form: ListForm
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    try form.check(shared)
    if form.sort == .taken { throw ValidationError("Notes are not taken. Sort them by name, date or size.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    var entries: [FileEntry] = []
    if form.needsNamesOnly, !session.isJSON {
      try await session.open.notes.names { notes, _ in entries += notes }
    } else {
      try await session.open.notes.details { entries += $0 }
    }
    let news = session.isJSON ? await session.open.news.marks(ofAll: entries, in: .notes) : [:]
    entries = form.sorted(await session.open.notes.withOwn(entries)) { $0.path.name }
    // Builds only the printed form: each takes megabytes for a million names.
    guard session.isJSON else {
      return form.answer(entries.map { Record(.null, line: FileLine.bytes($0, isLong: form.long)) })
    }
    let states = try await FileStates(session.open)
    return Answer(
      entries.map { entry in
        Record(.listed(.file(entry, state: states.state(of: entry.path)), isNew: news[entry.path] != nil), line: nil)
      })
  }
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
    guard let text = String(validating: bytes, as: UTF8.self),
      case .object(let members) = JSONValue.file(entry, state: state)
    else {
      throw StoreError(
        .badInput, "\"\(entry.path)\" is not UTF-8, so JSON cannot hold it.", remedy: "Leave out --json.",
        path: entry.path)
    }
    return Answer([
      Record(.object(members + [JSONMember("text", .string(text))]), line: nil)
    ])
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

struct NoteMove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a note.",
    discussion: Examples.text([
      "byteclub note mv Draft.md Answer.md": "a taken name is an error, nothing is replaced",
      "byteclub note mv Draft.md Answer": "the same: the note keeps its ending",
    ]))

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var shared: SharedOptions

  var changesClub: Bool { true }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let there = try await NoteName.entry(name, session.open.notes, ignoresCase: false)
    let entry = try await session.open.notes.rename(there.path, to: newName, seen: there)
    try await session.refuseWaiting("The rename of \"\(there.path)\" to \"\(entry.path)\"", at: entry.path)
    return Answer([Record(.file(entry), line: nil)], notice: "Renamed \"\(there.path)\" to \"\(entry.path)\".")
  }
}

struct NoteRemove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Put notes into the trash.",
    discussion: Examples.text([
      "byteclub note rm Draft": "put it into the trash",
      "byteclub trash restore Draft.md": "get it back",
    ]))

  @Argument(help: "The notes.", completion: NameCompletion.notes) var names: [String]
  @OptionGroup var shared: SharedOptions

  var changesClub: Bool { true }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await Several.perform(names) { name throws(StoreError) in
      let there = try await NoteName.entry(name, session.open.notes, ignoresCase: false)
      let file = try await session.open.notes.trash(there.path, seen: there)
      do throws(StoreError) {
        try await session.refuseWaiting("The move of \"\(there.path)\" to the trash", at: there.path)
      } catch {
        try await session.sayDrafts(of: there.path)
        throw error
      }
      session.notice("Put \"\(file.origin)\" into the trash.")
      try await session.sayDrafts(of: there.path)
      return Record(.trashed(file), line: nil)
    }
  }
}

extension Session {
  /// Says that texts of a removed note, which waited to be sent, are drafts now.
  fileprivate func sayDrafts(of path: StorePath) async throws(StoreError) {
    guard try await open.notes.waiting().contains(where: { $0.kind == .draft && !$0.isName && $0.path == path }) else {
      return
    }
    output.alert(
      "Your text of \"\(path)\" that was not sent is a draft on this machine: byteclub draft cat \(path.shellWord)")
  }
}

struct NoteRestore: ClubVerb {
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

  var changesClub: Bool { true }

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
