internal import Basics
internal import FileStores

/// The trash of a bucket with versioning: each deletion leaves a marker, and hides the versions below it. Copies in
/// `.byteclub-trash/` from the time before versioning count, too.
///
/// - A name that a move has left holds an empty version with a mark, so its marker is not in the trash.
/// - Deletions by other programs are in the trash.
struct S3VersionTrash: StoreTrash {
  let store: S3Store
  private var copies: S3Trash { S3Trash(store: store) }

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    let there = try await store.discardable(path, ifRevision)
    let features = try await store.features(changing: path)
    return try await store.pool.finishing { () throws(StoreError) in
      try await store.keepParent(of: path, features)
      try await store.remove(there, ifRevision: ifRevision, features)
      guard let deletion = try await store.deletions(of: path).first else {
        return try await missed(there)
      }
      if let ifRevision, deletion.content.revision != ifRevision {
        // The server ignores the condition of a deletion, and a newer text came in between: it comes back.
        try await store.delete(deletion.marker)
        throw .conflict(path, try await store.entryIfAny(path))
      }
      return trashed(deletion)
    }
  }

  /// The answer without the marker of a deletion that was carried out.
  private func missed(_ there: FileEntry) async throws(StoreError) -> TrashedFile {
    if let now = try await store.entryIfAny(there.path) { throw .conflict(there.path, now) }
    throw StoreError(
      .server, "\"\(there.path)\" was deleted, but \(store.place.name) does not list the deletion.",
      remedy: "Look into the trash again; the history of the file has its text.", path: there.path,
      isWrongAnswer: true)
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try store.checkCancelled("The listing of the trash", .root)
    let all = try await discarded().map(trashed) + copies.contents()
    return all.enumerated().sorted { one, other in
      one.element.discarded != other.element.discarded
        ? one.element.discarded > other.element.discarded : one.offset < other.offset
    }.map(\.element)
  }

  /// Removes the marker, if it is the newest version of its name: the same version is the file again. Otherwise copies
  /// the version; it stays in the history of its old name.
  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    if TrashID(file) != nil { return try await copies.restore(file, as: path) }
    try store.checkCancelled("The restoring of a file", .root)
    guard let deletion = try await deletion(file) else { throw .trashedFileGone }
    let origin = deletion.marker.path
    let target = path ?? origin
    try store.checkWritable(target)
    let features = try await store.features(writing: target)
    try await store.checkNoFile(above: target)
    if let taken = try await store.entryIfAny(target) { throw .exists(taken, at: target) }
    return try await store.pool.finishing { () throws(StoreError) in
      if target == origin, deletion.marker.isLatest {
        try await store.delete(deletion.marker)
        guard let there = try await store.file(at: target) else { throw .trashedFileGone }
        return there
      }
      let copied = try await store.copy(deletion.content, version: deletion.hidden.first?.id, to: target, features)
      try await store.steadily { () throws(StoreError) in try await forget(deletion, features) }
      return copied
    }
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    if TrashID(file) != nil { return try await copies.read(file, limit: limit) }
    try store.checkCancelled("The reading of a file in the trash", .root)
    guard let deletion = try await deletion(file), let version = deletion.hidden.first else { throw .trashedFileGone }
    let path = deletion.marker.path
    let call = S3Call(.get, store.place.key(path), about: path, query: [("versionId", version.id)])
    do throws(StoreError) {
      return try await FileBeginning(of: path, limit: limit) { options, receive throws(StoreError) in
        _ = try await store.read(call, options, receive)
      }
    } catch {
      throw error.kind == .notFound ? .trashedFileGone : error
    }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    if TrashID(file) != nil { return try await copies.delete(file) }
    try store.checkCancelled("The deletion of a file", .root)
    guard let deletion = try await deletion(file) else { return }
    try await erase(deletion)
  }

  func empty() async throws(StoreError) -> Int {
    try store.checkCancelled("The emptying of the trash", .root)
    let all = try await discarded()
    for deletion in all {
      try store.checkCancelled("The emptying of the trash", .root)
      try await erase(deletion)
    }
    return all.count + (try await copies.empty())
  }

  /// The versions go before the marker, so that none of them becomes the file again.
  private func erase(_ deletion: S3Deletion) async throws(StoreError) {
    _ = try await store.features(changing: deletion.marker.path)
    for version in deletion.hidden { try await store.delete(version) }
    try await store.delete(deletion.marker)
  }

  /// Takes a deletion off the trash, and leaves its versions in the history.
  private func forget(_ deletion: S3Deletion, _ features: S3Features) async throws(StoreError) {
    let path = deletion.marker.path
    if deletion.marker.isLatest {
      do throws(StoreError) {
        _ = try await store.reserve(path, mark: S3Store.movedMark)
        try await store.delete(key: path, headers: [])
      } catch {
        // Another member has written a new file of this name.
        if error.kind != .exists { throw error }
      }
    }
    try await store.delete(deletion.marker)
  }

  /// The deletions that hide a file, not a reserved name.
  private func discarded() async throws(StoreError) -> [S3Deletion] {
    var all: [S3Deletion] = []
    for deletion in try await store.deletions() {
      if let content = deletion.hidden.first, try await !store.isReserved(content) { all.append(deletion) }
    }
    return all
  }

  private func deletion(_ id: TrashedFile.ID) async throws(StoreError) -> S3Deletion? {
    let parts = id.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let path = Base64.bytes(of: parts[0], .url).flatMap({ try? StorePath($0) }),
      !path.isRoot, !path.isReserved, store.place.key(path) != nil
    else { return nil }
    return try await store.deletions(of: path).first { $0.marker.id == parts[1] }
  }

  /// The id has the path and the marker's id.
  private func trashed(_ deletion: S3Deletion) -> TrashedFile {
    let path = deletion.marker.path
    return TrashedFile(
      id: Base64.text(of: path.bytes, .url) + "." + deletion.marker.id, origin: path,
      discarded: deletion.marker.modified, size: deletion.content.size ?? 0)
  }
}
