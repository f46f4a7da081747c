internal import Database
internal import FileStores
internal import Synchronization

/// Waiting renames take the note that the member meant, and no other that has come to its path.
extension LocalCopy {
  /// - Throws: the store's errors; `conflict` if another file is at the path.
  func move(_ change: ChangeRecord, to target: StorePath) async throws(StoreError) -> FileEntry {
    guard change.kind == .rename, let base = change.base else {
      return try await direct.move(change.path, to: target, ifRevision: nil)
    }
    var expected = base
    // Others may go on writing.
    for _ in 0..<4 {
      let met: StoreError
      do throws(StoreError) {
        return try await direct.move(change.path, to: target, ifRevision: expected)
      } catch {
        guard error.kind == .conflict else { throw error }
        met = error
      }
      let there = try await direct.entry(at: change.path)
      guard there.path == change.path, let revision = try await meant(change, base, there) else { throw met }
      expected = revision
    }
    throw StoreError(
      .rateLimited, "\"\(change.path)\" changes all the time.", remedy: "Try again in a moment.", path: change.path)
  }

  /// The revision at the path of a rename, if it has the content that the member saw, or others have written it over that.
  private func meant(
    _ change: ChangeRecord, _ base: Revision, _ there: FileEntry
  ) async throws(StoreError) -> Revision? {
    if let hash = change.baseHash, hash == there.contentHash?.hex { return there.revision }
    // The place to which the note may have gone.
    try await refresh()
    // An entry from before the refresh may be older than the list.
    let there = try await direct.entry(at: change.path)
    guard there.path == change.path else { return nil }
    await learn(there)
    return state.withLock { $0.written.latest(of: base) == there.revision } ? there.revision : nil
  }

  /// Looks if the folder of a move is the one that the member saw, and sees the edits of the notes in it before the move
  /// takes other notes along that have come into it.
  /// - Throws: the store's errors; `notFound`; `conflict` if another folder is at the path.
  func look(before move: ChangeRecord) async throws(StoreError) {
    guard move.kind == .moveFolder else { return }
    if !move.isTried, state.withLock({ $0.waiting.changes.contains { $0.kind == .rename } }) { try await refresh() }
    guard let sight = move.sight else { return }
    // The store may have made a part of an earlier request.
    if move.isTried, let target = move.target {
      let part = try await ifThere { () throws(StoreError) in try await direct.contents(of: target) }
      if let part, sight.knows(target, part) { return }
    }
    let known = state.withLock { $0.base }
    var there = try await direct.contents(of: move.path)
    // Nothing of others can be taken along.
    if !there.contains(where: { $0.kind == .file }) { return }
    if sight.isEmpty {
      // Others may have put new files into it since. A file that the copy knows from another folder shows another folder.
      let moved = Set(there.compactMap(\.revision))
      let isOther = known.entries.contains { file in
        file.revision.map(moved.contains) == true && file.path.relative(to: move.path) == nil
      }
      guard isOther else { return }
    } else {
      if sight.knows(move.path, there) { return }
      // Others may have written on in all of them, also between the two answers.
      for _ in 0..<3 {
        try await refresh()
        there = try await direct.contents(of: move.path)
        let written = state.withLock { $0.written }
        if sight.knows(move.path, there, latest: written.latest) { return }
      }
    }
    throw Club.otherFolder(at: move.path, to: move.target ?? move.path)
  }
}
