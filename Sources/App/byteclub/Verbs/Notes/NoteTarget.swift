import ClubServices
import FileStores

enum NoteTarget {
  case present(FileEntry)
  case absent(StorePath)
  /// The store did not say; the note as the local copy has it, or the path of a new note.
  case unknown(FileEntry, StoreError)

  /// Finds the note for a text that is nowhere else, whatever the store says. The text replaces the revision that was found:
  /// only an addition may mean a note whose name has another letter case (`ignoresCase`).
  /// - Throws: for a name that no new note can have, if there is no such note; the text of a pipe is then a draft.
  static func find(
    _ name: String, _ session: Session, ignoresCase: Bool = false
  ) async throws(StoreError) -> NoteTarget {
    do throws(StoreError) {
      return try await look(name, session, ignoresCase)
    } catch {
      throw try await session.draftedAsNote(session.piped, name, error)
    }
  }

  private static func look(_ name: String, _ session: Session, _ ignoresCase: Bool) async throws(StoreError)
    -> NoteTarget
  {
    let notes = session.open.notes
    let path: StorePath
    do throws(StoreError) {
      path = try notes.newPath(name)
    } catch {
      // There may be such a note, which another program made.
      guard let entry = try await notes.entry(named: name, ignoresCase: ignoresCase) else { throw error }
      return .present(entry)
    }
    do throws(StoreError) {
      return try await notes.entry(named: name, ignoresCase: ignoresCase).map { .present($0) } ?? .absent(path)
    } catch {
      return .unknown(await notes.known(named: name) ?? FileEntry(path: path, kind: .file), error)
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
  /// The error of a text that is not in the club, with the place where it is.
  func kept(_ path: StorePath, _ error: StoreError) -> StoreError {
    if NotesService.becomesDraft(error) || open.notes.keepsDraftsOnly { return drafted(path, error) }
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

  /// The error of a text that is a draft now: it is sent only when the member says so.
  func drafted(_ path: StorePath, _ error: StoreError) -> StoreError {
    StoreError(
      error.kind, "The text of \"\(path)\" is a draft on this machine, not in the club. \(error.message)",
      remedy: "\(error.closedRemedy)To send the draft: byteclub draft send \"\(path)\"",
      path: path, retryAfter: error.retryAfter, current: error.current)
  }

  /// The error of a text that can have no place in the club under the typed name: it is a draft of a note with a name like
  /// that. Without a text, the same error.
  func draftedAsNote(_ text: [UInt8]?, _ name: String, _ error: StoreError) async throws(StoreError) -> StoreError {
    guard let text, !text.isEmpty else { return error }
    return drafted(try await open.notes.keepAsDraft(text, like: name), error)
  }

  /// Ends a command whose change of a name waits to be sent.
  /// - Throws: `offline` if it does.
  func refuseWaiting(_ change: String, at path: StorePath) async throws(StoreError) {
    guard let copy = open.copy, await copy.waitingChanges().contains(where: { $0.shown == path }) else { return }
    throw StoreError(
      .offline, "\(change) is kept on this machine, not yet in the club.",
      remedy: "byteclub sends it when the server answers. To send it now: byteclub sync now", path: path)
  }
}

extension StoreError {
  /// The remedy before another sentence: one that ends in a command has no full stop.
  fileprivate var closedRemedy: String {
    guard let last = remedy.last else { return "" }
    return last == "." || last == ")" ? "\(remedy) " : "\(remedy). "
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

  /// The path of a note to read or edit: the club has it, or a text of it waits on this machine.
  /// - Throws: as `entry`.
  static func path(_ name: String, _ notes: NotesService) async throws(StoreError) -> StorePath {
    do throws(StoreError) {
      return try await entry(name, notes).path
    } catch {
      for path in try NotesService.paths(named: name) {
        if try await notes.own(path) != nil { return path }
      }
      throw error
    }
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
