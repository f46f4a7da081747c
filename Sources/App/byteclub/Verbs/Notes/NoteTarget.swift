import Basics
import ClubServices
import FileStores

enum NoteTarget {
  case present(FileEntry)
  case absent(StorePath)
  /// The store did not say; the note as the local copy has it, or the path of a new note.
  case unknown(FileEntry, StoreError)

  /// Finds the note for a text that is nowhere else, whatever the store says. The text replaces the revision that was found:
  /// only an addition may mean a note whose name has another letter case, or that lies in another folder (`isAddition`).
  /// - Throws: for a name that no new note can have, if there is no such note.
  static func find(
    _ name: String, _ session: Session, isAddition: Bool = false
  ) async throws(StoreError) -> NoteTarget {
    let notes = session.open.notes
    let path: StorePath
    do throws(StoreError) {
      path = try notes.newPath(name)
    } catch {
      // There may be such a note, which another program made.
      guard let entry = try await find(name, notes, isAddition) else { throw error }
      return .present(entry)
    }
    do throws(StoreError) {
      if let entry = try await find(name, notes, isAddition) { return .present(entry) }
      let meant = try await notes.newPath(meaning: name)
      guard meant != path, let entry = try await find("/\(meant)", notes, isAddition) else { return .absent(meant) }
      return .present(entry)
    } catch  where error.kind == .badInput {
      throw error
    } catch {
      return .unknown(await notes.known(named: name) ?? FileEntry(path: path, kind: .file), error)
    }
  }

  private static func find(
    _ name: String, _ notes: NotesService, _ isAddition: Bool
  ) async throws(StoreError) -> FileEntry? {
    try await NoteName.find(name, notes, ignoresCase: isAddition, isAnywhere: isAddition)
  }

  /// The note that is known; nil for a new one.
  var entry: FileEntry? {
    switch self {
    case .present(let entry): entry
    case .unknown(let entry, _): entry.revision == nil ? nil : entry
    case .absent: nil
    }
  }

  var path: StorePath {
    switch self {
    case .present(let entry), .unknown(let entry, _): entry.path
    case .absent(let path): path
    }
  }
}

extension OwnText {
  /// For standard error, beside the text.
  var sentence: String {
    let note = "This is your text of \"\(entry.path)\". The club does not have it yet"
    return isConflict
      ? "\(note), and someone else changed the note in the meantime. Open it in byteclub to choose."
      : "\(note). byteclub sync ls shows what waits."
  }
}

extension Session {
  /// Says that what is shown is the club's, if a text of the note waits on this machine.
  func noticeOfOwn(_ path: StorePath, _ shown: String) async throws(StoreError) -> [String] {
    try await open.notes.own(path) == nil ? [] : ["\(shown) Your text of \"\(path)\" waits on this machine."]
  }

  /// The error of a text that is not in the club, with the place where it is.
  func kept(_ path: StorePath, _ error: StoreError) -> StoreError {
    if NotesService.becomesDraft(error) || open.notes.keepsDraftsOnly { return error.drafted(path) }
    let remedy =
      switch error.kind {
      case _ where error.isTemporary: "byteclub sends it when the server answers."
      case .cancelled: "byteclub sends it later."
      default: "\(error.closedRemedy)byteclub then sends the text."
      }
    return StoreError(
      error.kind, "The text of \"\(path)\" is kept on this machine, not yet in the club. \(error.message)",
      remedy: "\(remedy) To send it now: byteclub draft send", path: path, retryAfter: error.retryAfter,
      current: error.current)
  }

  /// Ends a command whose change of a name waits to be sent.
  /// - Throws: `offline` if it does.
  func refuseWaiting(_ change: String, at path: StorePath) async throws(StoreError) {
    if let waiting = await waiting(change, at: path) { throw waiting }
  }

  /// The error of a change of a name that waits to be sent; nil if it does not.
  func waiting(_ change: String, at path: StorePath) async -> StoreError? {
    let waits = await open.copy?.waitingChanges().contains { $0.shown == path } ?? false
    return waits ? .kept(change, at: path) : nil
  }
}

extension FolderProgress {
  /// The error of files whose change waits to be sent; nil if none does.
  func waiting(_ change: String) -> StoreError? {
    if waiting.isEmpty { return nil }
    return done.isEmpty ? .kept(change, at: folder) : .waiting(sentence, at: folder)
  }
}

extension StoreError {
  fileprivate static func kept(_ change: String, at path: StorePath) -> StoreError {
    waiting("\(change) is kept on this machine, not yet in the club.", at: path)
  }

  fileprivate static func waiting(_ sentence: String, at path: StorePath) -> StoreError {
    StoreError(
      .offline, sentence,
      remedy: "byteclub sends it when the server answers. To send it now: byteclub sync now", path: path)
  }
}

extension HeldText {
  /// The error of a command, with the place of the text if no save has taken it over.
  func end(_ error: StoreError) -> StoreError { isHeld ? error.drafted(path) : error }
}

extension StoreError {
  /// The error of a text that is a draft now: it is sent only when the member says so.
  func drafted(_ path: StorePath) -> StoreError {
    StoreError(
      kind, "The text of \"\(path)\" is a draft on this machine, not in the club. \(message)",
      remedy: "\(closedRemedy)To send the draft: byteclub draft send \(path.shellWord)",
      path: path, retryAfter: retryAfter, current: current)
  }

  /// The same error with one more sentence about what happened.
  func with(_ sentence: String) -> StoreError {
    StoreError(
      kind, "\(message) \(sentence)", remedy: remedy, path: path, retryAfter: retryAfter, current: current)
  }

  /// The remedy before another sentence: one that ends in a command has no full stop.
  fileprivate var closedRemedy: String {
    guard let last = remedy.last else { return "" }
    return last == "." || last == ")" ? "\(remedy) " : "\(remedy). "
  }
}

enum NoteName {
  /// Also finds the name with `.md`, if it has no extension.
  /// - Throws: `notFound`.
  static func entry(
    _ name: String, _ notes: NotesService, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry {
    if let entry = try await find(name, notes, ignoresCase: ignoresCase) { return entry }
    throw try await missing(name, "The club has no note \"\(name)\".", notes)
  }

  /// The error for a note that the club does not have. A text of it may wait on this machine.
  private static func missing(
    _ name: String, _ sentence: String, _ notes: NotesService
  ) async throws(StoreError) -> StoreError {
    guard let path = try await waiting(name, notes) else {
      if let folder = try await notes.folder(at: try NotesService.path(named: name)) {
        return StoreError(
          .notFound, "\"\(folder)\" is a folder, and no note has that name.",
          remedy: "note ls, mv and rm take it with a slash at its end: \(PathText.shellWord("\(folder)/"))",
          path: folder)
      }
      return StoreError(
        .notFound, sentence, remedy: "See the names with: byteclub note ls", path: try NotesService.path(named: name))
    }
    return StoreError(
      .notFound, "The club does not have \"\(path)\" yet: your text waits on this machine.",
      remedy: "To send it now: byteclub draft send \(path.shellWord)", path: path)
  }

  /// The path of a note of which a text waits on this machine; nil if none does.
  private static func waiting(_ name: String, _ notes: NotesService) async throws(StoreError) -> StorePath? {
    for path in try NotesService.paths(named: name) {
      if try await notes.own(path) != nil { return path }
    }
    return nil
  }

  /// The path of a note to read or edit: the club has it, or a text of it waits on this machine.
  /// - Throws: as `entry`.
  static func path(_ name: String, _ notes: NotesService) async throws(StoreError) -> StorePath {
    do throws(StoreError) {
      return try await entry(name, notes).path
    } catch {
      guard let path = try await waiting(name, notes) else { throw error }
      return path
    }
  }

  /// The only revision that begins with the typed letters, which are at least four, else one that is as typed.
  static func revision(_ typed: String, in versions: [FileEntry]) -> Revision {
    let found = versions.compactMap(\.revision).filter { typed.count >= 4 && $0.value.hasPrefix(typed) }
    return found.count == 1 ? found[0] : Revision(typed)
  }

  /// Asks for the history of a note that may be deleted. Returns the first answer with its path, and the note that is
  /// there now.
  /// - Throws: `notFound` if there is neither a note of that name nor a version of one; errors of `ask`.
  static func withHistory<Value>(
    _ name: String, _ notes: NotesService, _ ask: (StorePath) async throws(StoreError) -> Value
  ) async throws(StoreError) -> (path: StorePath, there: FileEntry?, value: Value) {
    if let there = try await find(name, notes, ignoresCase: false) {
      return (there.path, there, try await ask(there.path))
    }
    for path in try NotesService.paths(named: name) {
      let value = try await ifThere(or: [.badInput]) { () throws(StoreError) in try await ask(path) }
      if let value { return (path, nil, value) }
    }
    if let there = try await find(name, notes) { return (there.path, there, try await ask(there.path)) }
    throw try await missing(name, "The club has no note \"\(name)\", and no version of one.", notes)
  }
}
