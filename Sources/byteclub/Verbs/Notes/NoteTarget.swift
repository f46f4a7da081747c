import ClubServices
import FileStores

enum NoteTarget {
  case present(FileEntry)
  case absent(StorePath)
  /// The store did not answer; the path is that of a new note.
  case unknown(StorePath, StoreError)

  /// - Throws: `badName`; errors of the store, unless a later retry may help.
  static func find(_ name: String, _ session: Session) async throws(StoreError) -> NoteTarget {
    do throws(StoreError) {
      return .present(try await NoteName.entry(name, session.open.notes))
    } catch {
      if error.kind == .notFound { return .absent(try session.open.notes.newPath(name)) }
      guard error.isTemporary else { throw error }
      return .unknown(try session.open.notes.newPath(name), error)
    }
  }

  var path: StorePath {
    switch self {
    case .present(let entry): entry.path
    case .absent(let path), .unknown(let path, _): path
    }
  }
}

extension StoreError {
  func ofKept(_ path: StorePath) -> StoreError {
    StoreError(
      kind, "The text of \"\(path)\" is kept on this machine, not yet in the club. \(message)",
      remedy: isTemporary
        ? "byteclub sends it when the server answers. To send it now: byteclub draft send"
        : "\(remedy.isEmpty ? "" : "\(remedy) ")Then send the text with: byteclub draft send",
      path: path, retryAfter: retryAfter, current: current)
  }
}

extension Session {
  /// Ends a command whose change of a name waits to be sent.
  /// - Throws: `offline` if it does.
  func refuseWaiting(_ change: String, at path: StorePath) async throws(StoreError) {
    guard let copy = open.copy, await copy.waitingChanges().contains(where: { $0.shown == path }) else { return }
    throw StoreError(
      .offline, "\(change) is kept on this machine, not yet in the club.",
      remedy: "byteclub sends it when the server answers. To send it now: byteclub sync now", path: path)
  }
}

enum NoteName {
  /// Also finds the name with `.md`, if it has no extension.
  /// - Throws: `notFound`.
  static func entry(_ name: String, _ notes: NotesService) async throws(StoreError) -> FileEntry {
    if let entry = try await notes.entry(named: name) { return entry }
    throw StoreError(
      .notFound, "The club has no note \"\(name)\".", remedy: "See the names with: byteclub note ls",
      path: try NotesService.path(named: name))
  }

  /// Asks for the history of a note that may be deleted. Returns the first answer with its path, and the note that is
  /// there now.
  /// - Throws: `notFound` if there is neither a note of that name nor a version of one; errors of `ask`.
  static func withHistory<Value>(
    _ name: String, _ notes: NotesService, _ ask: (StorePath) async throws(StoreError) -> Value
  ) async throws(StoreError) -> (path: StorePath, there: FileEntry?, value: Value) {
    if let there = try await notes.entry(named: name) { return (there.path, there, try await ask(there.path)) }
    for path in try NotesService.paths(named: name) {
      do throws(StoreError) {
        return (path, nil, try await ask(path))
      } catch {
        guard error.kind == .notFound || error.kind == .badInput else { throw error }
      }
    }
    throw StoreError(
      .notFound, "The club has no note \"\(name)\", and no version of one.",
      remedy: "See the names with: byteclub note ls",
      path: try NotesService.path(named: name))
  }
}
