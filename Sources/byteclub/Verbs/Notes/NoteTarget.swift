import ClubServices
import FileStores

/// The note that a text is for.
enum NoteTarget {
  /// It is there.
  case present(FileEntry)
  /// It is not there; this is the path that it gets.
  case absent(StorePath)
  /// The store did not answer. The path is the one that a new note of this name gets.
  case unknown(StorePath, StoreError)

  /// Looks for the note.
  /// - Throws: `badName`; what the store throws, unless trying again later may help.
  static func find(_ name: String, _ session: Session) async throws(StoreError) -> NoteTarget {
    do throws(StoreError) {
      return .present(try await NoteName.entry(name, in: session.store))
    } catch {
      if error.kind == .notFound { return .absent(try session.open.notes.newPath(name)) }
      guard error.isTemporary else { throw error }
      return .unknown(try session.open.notes.newPath(name), error)
    }
  }

  /// Where the note is, or will be.
  var path: StorePath {
    switch self {
    case .present(let entry): entry.path
    case .absent(let path), .unknown(let path, _): path
    }
  }
}

extension StoreError {
  /// This error, which kept a text of `path` from the store, with a sentence about where the text is.
  func ofKept(_ path: StorePath) -> StoreError {
    StoreError(
      kind, "The text of \"\(path)\" is kept on this machine, not yet in the club. \(message)",
      remedy: isTemporary
        ? "byteclub sends it when the server answers. To send it now: byteclub draft send"
        : "\(remedy.isEmpty ? "" : "\(remedy) ")Then send the text with: byteclub draft send",
      path: path, retryAfter: retryAfter, current: current)
  }
}
