import ArgumentParser
import Basics
import ClubServices
import FileStores
import POSIX
import TextUI

struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "List removed files, restore them, or empty the trash.",
    discussion: Examples.text([
      "byteclub trash ls": "list its files, newest first",
      "byteclub trash restore Answer.md": "put it back",
    ]),
    subcommands: [TrashList.self, TrashRestore.self, TrashEmpty.self])
}

struct TrashList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the files in the trash, newest first: ids and names.",
    discussion: Examples.text(["byteclub trash ls --long": "with size and time of removal"]))

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    Answer(
      try await session.open.notes.trashed().map { file in
        let columns = long ? FileLine.columns(size: file.size, time: file.discarded) : ""
        return Record(.trashed(file), line: Array((columns + file.id + "  ").utf8) + file.origin.bytes)
      })
  }
}

struct TrashRestore: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put files back where they were.",
    discussion: Examples.text([
      "byteclub trash restore Answer.md": "the newest of that name",
      "byteclub trash restore photos/garage.jpg": "a photo",
      "byteclub trash restore trips/": "all removed files of a folder",
      "byteclub trash restore Answer.md --as Old": "under another name: Old.md",
    ]))

  @Argument(
    help: "The files, as trash ls names them (.md may be left out), or their ids.", completion: NameCompletion.trash)
  var names: [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Another name for the one file; without an ending it gets the old one.", valueName: "name"))
  var newName: String?
  @OptionGroup var shared: SharedOptions

  var changesClub: Bool { true }

  func validate() throws {
    guard newName == nil || names.count == 1 && !names[0].isFolderName else {
      throw ValidationError("--as works with one file. Restore one at a time.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    return try await Several.performEach(names) { name throws(StoreError) in
      if name.isFolderName { return try await restoreFolder(name, session) }
      guard let file = try TrashRestore.file(name, in: try await notes.trashed()) else {
        throw StoreError(
          .notFound, "The trash has no \"\(name)\".", remedy: "See the names with: byteclub trash ls")
      }
      do throws(StoreError) {
        let target = try newName.map { (name) throws(StoreError) in try TrashRestore.path(name, of: file) }
        let entry =
          if let target { try await notes.restore(file.id, as: target) } else { try await notes.restore(file.id) }
        try await session.refuseWaiting("The return of \"\(entry.path)\" from the trash", at: entry.path)
        session.notice("Put \"\(entry.path)\" back.")
        return ([Record(.file(entry), line: nil)], nil)
      } catch  where error.kind == .exists {
        throw StoreError(
          .exists, error.message, remedy: "Choose another name with --as.", path: error.path, current: error.current)
      }
    }.waitingForRest(of: names)
  }

  private func restoreFolder(_ name: String, _ session: Session) async throws(StoreError) -> ([Record], StoreError?) {
    let folder = try StorePath(PathText.parts(name).joined(separator: "/"))
    var known: Set<StorePath> = []
    // The newest of each path comes first.
    let files = try await session.open.notes.trashed().filter { file in
      file.origin.relative(to: folder) != nil && known.insert(file.origin).inserted
    }
    guard !files.isEmpty else {
      throw StoreError(
        .notFound, "The trash has nothing of \"\(folder)/\".", remedy: "See the names with: byteclub trash ls")
    }
    let back = try await session.open.notes.restore(TrashedFolder(folder: folder, files: files))
    let done = back.files.filter { back.progress.done.contains($0.path) }
    let records = done.map { Record(.file($0), line: nil) }
    let unfinished = back.failure ?? back.progress.waiting("The return of \"\(folder)/\" from the trash")
    if let unfinished { return (records, unfinished) }
    session.notice("Put \(back.files.count == 1 ? "one file" : "\(back.files.count) files") of \"\(folder)/\" back.")
    return (records, nil)
  }

  /// - Throws: `badInput` if several names are shown like this.
  static func file(_ word: String, in trash: [TrashedFile]) throws(StoreError) -> TrashedFile? {
    let words = NotesService.spellings(of: word)
    for word in words.map({ Array($0.utf8) }) {
      let found =
        trash.first { word.elementsEqual($0.id.utf8) } ?? trash.first { word == $0.origin.bytes }
        ?? trash.first { word.elementsEqual($0.origin.name) }
      if let found { return found }
    }
    // Equal texts may have other bytes, as names that macOS wrote.
    let shown = trash.filter {
      ShownName.isShown(word, as: $0.origin.bytes) || ShownName.isShown(word, as: Array($0.origin.name))
    }
    guard Set(shown.map(\.origin)).count <= 1 else {
      throw StoreError(
        .badInput, "Several removed files are shown as \"\(word)\".",
        remedy: "Name one by its id. See the ids with: byteclub trash ls")
    }
    return shown.first
  }

  static func path(_ name: String, of file: TrashedFile) throws(StoreError) -> StorePath {
    let old = file.origin.name
    var bytes = Array(name.utf8)
    if !bytes.contains(UInt8(ascii: ".")), let dot = old.lastIndex(of: UInt8(ascii: ".")), dot > old.startIndex {
      bytes += old[dot...]
    }
    return try file.origin.parent.appending(bytes)
  }
}

struct TrashEmpty: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "empty", abstract: "Delete the files in the trash.",
    discussion: Examples.text([
      "byteclub trash empty": "asks first",
      "byteclub trash empty --older-than 30d --yes": "for scripts: only files removed more than 30 days ago",
    ])
      + "\n\nThe history of a name still has what was emptied from the trash: byteclub note history NAME. A folder "
      + "club keeps files of up to 4 MiB there, not larger ones. Dropbox keeps deleted files for 30 days or longer.")

  @Flag(help: "Do not ask. Needed without a terminal, and with --json.") var yes = false
  @Option(
    help: ArgumentHelp(
      "Only files removed longer ago than this: a number of days (30d), weeks (2w) or hours (12h).",
      valueName: "age"), transform: TrashAge.init)
  var olderThan: TrashAge?
  @OptionGroup var shared: SharedOptions

  var changesClub: Bool { true }

  func validate() throws {
    guard yes || Agreement.canAsk(asJSON: shared.json) else {
      throw ValidationError("byteclub asks before it empties the trash, and cannot ask here. Add --yes.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let all = try await notes.trashed()
    let end = olderThan.map { Timestamp.now().nanoseconds - $0.nanoseconds }
    let files = all.filter { file in end.map { file.discarded.nanoseconds < $0 } ?? true }
    guard let oldest = files.last else {
      return Answer([], notice: all.isEmpty ? "The trash is empty." : "The trash has no file that old.")
    }
    if !yes {
      let (count, time) = (TrashEmpty.count(files), RFC3339.text(Timestamp(seconds: oldest.discarded.seconds)))
      let fate = TrashEmpty.fate(session.open.club.store.capabilities.revisions)
      let question = "Delete \(count)? The oldest, \"\(oldest.origin)\", was removed at \(time). \(fate)"
      guard try await Agreement.ask(question, session.output, session.setup.pool) else {
        return Answer([], notice: "Nothing was deleted.")
      }
    }
    var answer = Answer()
    // Files that came into the trash after the listing stay.
    if try await notes.trashed().map(\.id) == files.map(\.id) {
      _ = try await notes.emptyTrash()
      answer.records = files.map(TrashEmpty.record)
    } else {
      answer = try await Several.perform(files) { file throws(StoreError) in
        try await notes.delete(trashed: file.id)
        return TrashEmpty.record(file)
      }
    }
    answer.notices.append("Deleted \(TrashEmpty.count(files.prefix(answer.records.count))).")
    return answer
  }

  static func fate(_ history: (any RevisionHistory)?) -> String {
    guard let history else { return "This cannot be undone." }
    let rest = "stay in the history of their names: byteclub note history NAME."
    guard let largest = history.largestKept else { return "Deleted files \(rest)" }
    return "Files of up to \(ByteCount.text(largest)) \(rest) Larger ones cannot be restored."
  }

  private static func count(_ files: some Collection<TrashedFile>) -> String {
    files.count == 1 ? "one file" : "\(files.count) files"
  }

  private static func record(_ file: TrashedFile) -> Record { Record(.trashed(file), line: file.origin.bytes) }
}

struct TrashAge: Sendable, Equatable {
  let nanoseconds: Int64

  init(_ text: String) throws {
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 7 * 24]
    guard let unit = text.last.flatMap({ hours[$0] }), let number = Int64(text.dropLast()), (0...100_000) ~= number
    else { throw ValidationError("\"\(text)\" is not an age. Write a number with d, w or h, such as 30d.") }
    nanoseconds = number * unit * 3_600_000_000_000
  }
}
