import Basics
public import FileStores

/// The versions of notes: those that the store keeps, and those that this machine has read or written (`NotePast`).
extension NotesService {
  /// The versions of a note, newest first, at most `limit`; also of a deleted note. Waits for its saves in progress.
  /// - Throws: `unsupported` if nobody keeps versions; `notFound` if there is neither the note nor a version.
  public func history(of path: StorePath, limit: Int = 100) async throws(StoreError) -> [FileEntry] {
    try needsHistory()
    await sending.wait(for: path)
    let kept = await past?.versions(of: path) ?? []
    var versions: [FileEntry] = []
    do throws(StoreError) {
      if let history = store.capabilities.revisions {
        versions = try await history.versions(of: path, limit: limit)
      } else {
        versions = [try await store.entry(at: path)]
      }
    } catch  where error.kind == .notFound && !kept.isEmpty {
      // A deleted note.
    }
    return Array(NotesService.together(versions, kept).prefix(limit))
  }

  /// Adds the versions that the store lacks by their time, behind the current one.
  private static func together(_ versions: [FileEntry], _ kept: [FileEntry]) -> [FileEntry] {
    let known = Set(versions.compactMap { $0.isKept ? $0.revision : nil })
    let texts = kept.filter { version in version.revision.map { !known.contains($0) } ?? false }
    guard !texts.isEmpty else { return versions }
    let own = Set(texts.compactMap(\.revision))
    var all = versions.filter { version in version.revision.map { !own.contains($0) } ?? true }
    for text in texts {
      let time = text.modified ?? Timestamp(seconds: 0)
      let place = all.indices.first { $0 > 0 && (all[$0].modified ?? time) < time } ?? all.count
      all.insert(text, at: place)
    }
    return all
  }

  /// Reads a version of a note, without a draft.
  /// - Throws: `unsupported`; `notFound` if the version is no longer kept.
  public func version(_ revision: Revision, of path: StorePath) async throws(StoreError) -> OpenNote {
    try needsHistory()
    let (bytes, entry) = try await read(revision, of: path)
    return await pool.run { OpenNote(entry: entry, bytes: bytes, draft: nil) }
  }

  /// Makes a version the newest, over the revision `base` that the member has seen; nil if there is no file. Runs after
  /// the note's saves in progress, and to its end even if the calling task is cancelled.
  ///
  /// The replaced text stays in the history, also where the store keeps none. A draft keeps its base: saving it later is a
  /// conflict that shows both texts.
  /// - Throws: `unsupported`; `conflict`, without any change, if the note has another revision; `notFound`.
  public func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    try needsHistory()
    return try await inLine(path) { () throws(StoreError) in
      if let history = self.store.capabilities.revisions {
        do throws(StoreError) {
          return try await history.restore(revision, of: path, over: base)
        } catch  where error.kind == .notFound && self.past != nil {
          // Perhaps this machine has it.
        }
      }
      if base != nil { try await self.keepReplaced(path) }
      let (bytes, _) = try await self.read(revision, of: path)
      do throws(StoreError) {
        return try await self.writeNote(bytes, at: path, base.map { .replace($0) } ?? .create)
      } catch  where error.kind == .exists {
        throw StoreError(
          .conflict, "\"\(path)\" has changed in the meantime.", remedy: "Nothing was overwritten.", path: path,
          current: error.current)
      }
    }
  }

  /// Keeps the text that is about to be replaced: another member may have written it. One that is too large, or no text,
  /// has no kept versions; one that is gone is found by the condition of the write.
  private func keepReplaced(_ path: StorePath) async throws(StoreError) {
    do throws(StoreError) {
      _ = try await readNote(path)
    } catch {
      guard [.tooLarge, .unsupported, .notFound].contains(error.kind) else { throw error }
    }
    await past?.finish()
  }

  /// The text of a version for a comparison; nil if it is large, or nobody keeps it, or the store does not answer.
  public func compared(_ revision: Revision, of path: StorePath) async -> [UInt8]? {
    if let text = await past?.text(of: path, revision) { return text }
    do throws(StoreError) {
      return try await store.capabilities.revisions?.readAll(revision, of: path, limit: NotePast.mostBytes).bytes
    } catch {
      // The changed lines are not marked.
      return nil
    }
  }

  func read(
    _ revision: Revision, of path: StorePath
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    if let text = await past?.text(of: path, revision) {
      let entry = await past?.versions(of: path).first { $0.revision == revision }
      return (text, entry ?? FileEntry(path: path, kind: .file, size: UInt64(text.count), revision: revision))
    }
    guard let history = store.capabilities.revisions else {
      let there = try await store.entry(at: path)
      guard there.revision == revision else {
        throw StoreError(
          .notFound, "\"\(path)\" no longer has the version \(revision).", remedy: "Look at its history again.",
          path: path)
      }
      return try await readNote(path)
    }
    return try await history.readAll(revision, of: path, limit: NotesService.mostNoteBytes)
  }

  private func needsHistory() throws(StoreError) {
    guard past == nil, store.capabilities.revisions == nil else { return }
    throw StoreError(
      .unsupported, "The store of \"\(club.name)\" keeps no versions of notes.",
      remedy: "Clubs in a folder, in Dropbox or behind byteclub serve keep them.")
  }
}
