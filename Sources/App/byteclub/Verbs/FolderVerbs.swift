import ArgumentParser
import Basics
import ClubServices
import FileStores
import JSON

/// Files in folders, as commands move and remove them: notes in the club's, photos in albums.
protocol FiledFiles: Sendable {
  /// Of the help and of sentences.
  static var folderWord: String { get }
  func file(_ name: String) async throws(StoreError) -> FileEntry
  /// The folder of a typed name, also of one that is to be made.
  func folder(_ name: String) async throws(StoreError) -> StorePath
  /// True if a name without a slash at its end is a folder's.
  func isFolder(_ name: String) async throws(StoreError) -> Bool
  func rename(_ file: FileEntry, to name: String) async throws(StoreError) -> FileEntry
  func move(_ file: FileEntry, to folder: StorePath, named name: String?) async throws(StoreError) -> FileEntry
  func trash(_ file: FileEntry) async throws(StoreError) -> Record
  func moveFolder(_ folder: StorePath, to target: StorePath) async throws(StoreError) -> FolderMoved
  func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder
  /// All notes or photos, some at a time.
  func list(_ receive: ([FileEntry]) -> Void) async throws(StoreError)
  func shown(_ path: StorePath) -> String
  func json(_ entry: FileEntry) -> JSONValue
}

/// `mv`: a rename, or moves into a folder. A name with a slash at its end is a folder.
struct FolderMove<Files: FiledFiles>: Sendable {
  let files: Files
  let session: Session
  /// True to mend the links of notes that a move breaks.
  var mendsLinks = false

  static func check(_ names: [String]) throws {
    if names.count < 2 {
      throw ValidationError("Name what moves, then its new name or a \(Files.folderWord) such as oslo/.")
    }
  }

  func perform(_ names: [String]) async throws(StoreError) -> Answer {
    let (target, sources) = (names[names.count - 1], Array(names.dropLast()))
    if sources.count == 1, sources[0].isFolderName { return Self.answer(try await moveFolder(sources[0], target)) }
    var isFolder = sources.count > 1 || target.isFolderName
    if !isFolder { isFolder = try await files.isFolder(target) }
    guard isFolder else { return Self.answer(try await rename(sources[0], target)) }
    let folder = try await files.folder(target)
    return try await Several.performEach(sources) { name throws(StoreError) in
      if name.isFolderName {
        let moving = try await files.folder(name)
        return try await move(moving, to: folder.descending(moving.name))
      }
      let there = try await files.file(name)
      let entry = try await files.move(there, to: folder, named: nil)
      return await end(
        PathMove(there.path, to: entry.path), Record(files.json(entry), line: nil),
        said: "Moved \"\(name)\" to \"\(files.shown(entry.path))\".",
        waiting: await waiting("move", there.path, entry.path))
    }
  }

  private static func answer(_ move: (records: [Record], failure: StoreError?)) -> Answer {
    var answer = Answer(move.records)
    if let failure = move.failure { answer.failures = [failure] }
    return answer
  }

  private func rename(_ name: String, _ newName: String) async throws(StoreError) -> ([Record], StoreError?) {
    let there = try await files.file(name)
    let entry: FileEntry
    if let cut = newName.lastIndex(of: "/") {
      // As in `mv`, a folder may precede the new name.
      let (folder, bare) = (String(newName[...cut]), String(newName[newName.index(after: cut)...]))
      let target = try await files.folder(folder)
      entry =
        target == there.path.parent
        ? try await files.rename(there, to: bare) : try await files.move(there, to: target, named: bare)
    } else {
      entry = try await files.rename(there, to: newName)
    }
    return await end(
      PathMove(there.path, to: entry.path), Record(files.json(entry), line: nil),
      said: "Renamed \"\(files.shown(there.path))\" to \"\(files.shown(entry.path))\".",
      waiting: await waiting("rename", there.path, entry.path))
  }

  /// The error of a rename or move that waits to be sent; nil if it does not.
  private func waiting(_ word: String, _ old: StorePath, _ new: StorePath) async -> StoreError? {
    await session.waiting("The \(word) of \"\(files.shown(old))\" to \"\(files.shown(new))\"", at: new)
  }

  /// Mends the links after a move. The error is of links that are as they were, or of a move that waits to be sent, with
  /// its links.
  private func end(
    _ move: PathMove, _ record: Record, said: String, waiting: StoreError?
  ) async -> ([Record], StoreError?) {
    guard move.from != move.to else {
      session.notice("\"\(files.shown(move.from))\" has that name and place already.")
      return ([record], nil)
    }
    if waiting == nil { session.notice(said) }
    guard mendsLinks else { return waiting.map { ([], $0) } ?? ([record], nil) }
    do throws(StoreError) {
      let mended = try await session.mendLinks([move])
      if let waiting { return ([], waiting.with(mended.sentence)) }
      guard !mended.waits else {
        let remedy = "To send them now: byteclub sync now"
        return ([record], StoreError(.offline, mended.sentence, remedy: remedy, path: move.to))
      }
      session.notice(mended.sentence)
      return ([record], nil)
    } catch {
      return waiting.map { ([], $0.with("\(error)")) } ?? ([record], error)
    }
  }

  /// Into the target if that is a folder, as in `mv`, else to that path.
  private func moveFolder(_ name: String, _ newName: String) async throws(StoreError) -> ([Record], StoreError?) {
    let folder = try await files.folder(name)
    var target = try await files.folder(newName)
    if target != folder {
      if try await files.isFolder(newName) { target = target.descending(folder.name) }
    } else if let name = PathText.parts(newName).last {
      // The folder's own name in another letter case is a new one.
      target = folder.parent.descending(Array(name.utf8)[...])
    }
    return try await move(folder, to: target)
  }

  private func move(
    _ folder: StorePath, to target: StorePath
  ) async throws(StoreError) -> ([Record], StoreError?) {
    let moved = try await files.moveFolder(folder, to: target)
    if let unmended = moved.unmended { session.output.alert(unmended) }
    return await end(
      PathMove(folder, to: moved.to), Record(.folder(moved.to, files: moved.count), line: nil),
      said: "Moved \"\(files.shown(folder))/\" to \"\(files.shown(moved.to))/\".",
      waiting: await waiting("move", folder, moved.to))
  }
}

/// `rm`: puts files and, if the member agrees, whole folders into the trash.
struct FolderRemoval<Files: FiledFiles>: Sendable {
  let files: Files
  let session: Session
  let isAgreed: Bool

  static func check(_ names: [String], isAgreed: Bool, _ shared: SharedOptions) throws {
    guard isAgreed || !names.contains(where: \.isFolderName) || Agreement.canAsk(asJSON: shared.json) else {
      throw ValidationError(
        "byteclub asks before it puts a whole \(Files.folderWord) into the trash, and cannot ask here. Add --yes.")
    }
  }

  func perform(_ names: [String]) async throws(StoreError) -> Answer {
    try await Several.performEach(names) { name throws(StoreError) in
      guard name.isFolderName else { return ([try await files.trash(try await files.file(name))], nil) }
      let folder = try await files.folder(name)
      let shown = files.shown(folder)
      if !isAgreed {
        var count = 0
        try await files.list { count += $0.count { $0.path.relative(to: folder) != nil } }
        let question = "Put \"\(shown)/\" and all in it (\(count)) into the trash?"
        guard try await Agreement.ask(question, session.output, session.setup.pool) else {
          session.notice("\"\(shown)/\" stays.")
          return ([], nil)
        }
      }
      let trashed = try await files.trashFolder(folder)
      let done = trashed.files.filter { trashed.progress.done.contains($0.origin) }
      let records = done.map { Record(.trashed($0), line: nil) }
      let unfinished = trashed.failure ?? trashed.progress.waiting("The move of \"\(shown)/\" to the trash")
      if let unfinished { return (records, unfinished) }
      let count = trashed.files.count == 1 ? "one file" : "\(trashed.files.count) files"
      session.notice("Put \(count) of \"\(shown)/\" into the trash.\(trashed.isLeft ? " The folder stays." : "")")
      return (records, nil)
    }.waitingForRest(of: names)
  }
}

extension String {
  var isFolderName: Bool { utf8.last == UInt8(ascii: "/") }
}

/// Notes in the folders of the club.
struct FiledNotes: FiledFiles {
  static let folderWord = "folder of notes"

  let session: Session
  private var notes: NotesService { session.open.notes }

  init(_ session: Session) { self.session = session }

  func file(_ name: String) async throws(StoreError) -> FileEntry {
    try await NoteName.entry(name, notes, ignoresCase: false)
  }
  func folder(_ name: String) async throws(StoreError) -> StorePath { try await notes.folder(named: name) }
  func isFolder(_ name: String) async throws(StoreError) -> Bool {
    guard !PathText.parts(name).isEmpty else { return true }
    return try await notes.folder(at: try StorePath(PathText.parts(name).joined(separator: "/"))) != nil
  }
  func rename(_ file: FileEntry, to name: String) async throws(StoreError) -> FileEntry {
    try await notes.rename(file.path, to: name, seen: file)
  }
  func move(_ file: FileEntry, to folder: StorePath, named name: String?) async throws(StoreError) -> FileEntry {
    try await notes.move(file.path, to: folder, named: name, seen: file)
  }
  func trash(_ there: FileEntry) async throws(StoreError) -> Record {
    let file = try await notes.trash(there.path, seen: there)
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
  func moveFolder(_ folder: StorePath, to target: StorePath) async throws(StoreError) -> FolderMoved {
    try await notes.moveFolder(folder, to: target)
  }
  func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder {
    try await notes.trashFolder(folder)
  }
  func list(_ receive: ([FileEntry]) -> Void) async throws(StoreError) { try await notes.names { receive($0.notes) } }
  func shown(_ path: StorePath) -> String { "\(path)" }
  func json(_ entry: FileEntry) -> JSONValue { .file(entry) }
}

/// Photos in albums.
struct FiledPhotos: FiledFiles {
  static let folderWord = "album"

  let session: Session
  private var photos: PhotosService { session.open.photos }

  init(_ session: Session) { self.session = session }

  func file(_ name: String) async throws(StoreError) -> FileEntry {
    try await PhotoName.entry(name, photos, ignoresCase: false)
  }
  func folder(_ name: String) async throws(StoreError) -> StorePath { try await photos.album(named: name) }
  func isFolder(_ name: String) async throws(StoreError) -> Bool {
    try await photos.isAlbum(name.isFolderName ? String(name.dropLast()) : name)
  }
  func rename(_ file: FileEntry, to name: String) async throws(StoreError) -> FileEntry {
    try await photos.rename(file.path, to: name)
  }
  func move(_ file: FileEntry, to folder: StorePath, named name: String?) async throws(StoreError) -> FileEntry {
    try await photos.move(file.path, to: folder, named: name)
  }
  func trash(_ there: FileEntry) async throws(StoreError) -> Record {
    let file = try await photos.trash(there.path)
    try await session.refuseWaiting("The move of \"\(shown(there.path))\" to the trash", at: there.path)
    session.notice("Put \"\(shown(there.path))\" into the trash.")
    return Record(.trashed(file), line: nil)
  }
  func moveFolder(_ folder: StorePath, to target: StorePath) async throws(StoreError) -> FolderMoved {
    try await photos.moveAlbum(folder, to: target)
  }
  func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder {
    try await photos.trashAlbum(folder)
  }
  func list(_ receive: ([FileEntry]) -> Void) async throws(StoreError) { try await photos.list(receive) }
  func shown(_ path: StorePath) -> String { PhotoName.shown(path, photos) }
  func json(_ entry: FileEntry) -> JSONValue { PhotoName.json(entry, photos) }
}
