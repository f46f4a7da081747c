internal import FileStores

/// A path's history, as a server tells it.
struct KeptVersions: Sendable {
  /// The file as it is now; nil when nothing is there.
  let there: FileEntry?
  /// Newest first, with what is there.
  let versions: [FileEntry]
}

/// The history of a server whose own `restore` knows no condition.
protocol UnconditionalHistory: RevisionHistory {
  /// Asks the server for at most `limit` versions.
  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions
  /// Makes a version the newest, over whatever is there.
  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry
  /// Does something to its end, whatever becomes of the caller's task.
  func finishing<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value
}

extension UnconditionalHistory {
  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await kept(of: path, limit: limit).versions
  }

  /// The history is looked at before and after. A version that lies below the restored one, and was not there before,
  /// is another member's, written in between: it is made the newest again.
  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    let before = try await kept(of: path, limit: looked)
    guard before.there?.revision == base else { throw conflict(path, before.there) }
    if let there = before.there, there.revision == revision { return there }
    let restored = try await makeNewest(revision, of: path)
    let after = try await kept(of: path, limit: looked).versions
    guard let index = after.firstIndex(where: { $0.revision == restored.revision }),
      let below = after.dropFirst(index + 1).first, let overtaken = below.revision,
      !before.versions.contains(where: { $0.revision == overtaken })
    else { return restored }
    // Is the restored one not the newest any more, the other member has written over it, knowing it.
    if index == 0 {
      _ = try await finishing { () throws(StoreError) in try await self.makeNewest(overtaken, of: path) }
    }
    throw conflict(path, try await kept(of: path, limit: 1).there)
  }

  /// Enough to see what happens within a moment.
  private var looked: Int { 20 }

  private func conflict(_ path: StorePath, _ there: FileEntry?) -> StoreError {
    StoreError(
      .conflict, "\"\(path)\" has changed in the meantime.", remedy: "Nothing was overwritten.", path: path,
      current: there)
  }

  func noVersion(_ revision: Revision, _ path: StorePath) -> StoreError {
    StoreError(
      .notFound, "\"\(path)\" no longer has the version \(revision).",
      remedy: "Look at its history again.", path: path)
  }
}
