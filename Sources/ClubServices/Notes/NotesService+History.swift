public import FileStores

extension NotesService {
  /// The versions of a note that the store has kept, newest first, at most `limit`; also those of a note that was
  /// deleted. Saves of it that are on their way are waited for, so that they are told.
  /// - Throws: `unsupported` when the store keeps none; `notFound` when there is no such note and no version of one.
  public func history(of path: StorePath, limit: Int = 100) async throws(StoreError) -> [FileEntry] {
    let history = try powerOfHistory()
    await sending.wait(for: path)
    return try await history.versions(of: path, limit: limit)
  }

  /// A version of a note, to be read. It has no draft.
  /// - Throws: `unsupported`; `notFound` when it is not kept any more.
  public func version(_ revision: Revision, of path: StorePath) async throws(StoreError) -> OpenNote {
    let (bytes, entry) = try await powerOfHistory().readAll(
      revision, of: path, limit: NotesService.mostNoteBytes)
    return await pool.run { OpenNote(entry: entry, bytes: bytes, draft: nil) }
  }

  /// Makes a version of a note the newest, over the revision `base` that the member has seen there; over nothing, when
  /// that is nil. What was there stays in the history. After the saves of the note that are on their way; cancelling
  /// the calling task does not cancel it.
  ///
  /// A draft of the note keeps the base that it had: saving it later is a conflict, and both texts are shown.
  /// - Throws: `unsupported`; `conflict` when something else is there, and then nothing is changed; `notFound`.
  public func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    let history = try powerOfHistory()
    return try await inLine(path) { () throws(StoreError) in
      try await history.restore(revision, of: path, over: base)
    }
  }

  private func powerOfHistory() throws(StoreError) -> any RevisionHistory {
    guard let history = store.revisions else {
      throw StoreError(
        .unsupported, "The store of \"\(club.name)\" keeps no versions of notes.",
        remedy: "Clubs in a folder, in Dropbox or behind byteclub serve keep them.")
    }
    return history
  }
}
