internal import FileStores

/// The trash of a club: files below `.club-trash/<id>/`, each at the path that it had in the club. One move takes a file
/// there or back, so that it is never in both places or in none.
///
/// The API's own `restore` is no trash: what is deleted can be neither listed by age nor done away with for good.
struct DropboxV1Trash: StoreTrash {
  let store: DropboxV1Store

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    guard let from = store.folder.apiPath(path) else { throw store.missing(path) }
    if path.isRoot { throw StoreError(.badInput, "The club's folder itself cannot be discarded.", path: path) }
    let before = try await store.expected(ifRevision, at: path)
    if before.kind == .folder {
      throw StoreError(.badInput, "\"\(path)\" is a folder; only files go to the trash.", path: path)
    }
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    let slot = try trash.appending(id.text)
    // Under the name that it has, whatever the case that it was asked for in.
    let target = slot.descending(before.path.bytes[...])
    let to = store.folder.ownPath(target)
    let moved = try await store.relocate(from, to, path, target)
    if ifRevision != nil, try await !store.isContent(moved, of: before, formerlyAt: from) {
      let store = store
      _ = try await store.finishing { () throws(StoreError) in
        let back = try await store.relocate(to, from, target, path)
        try await DropboxV1Trash(store: store).remove(slot)
        return back
      }
      throw store.conflict(path, try await store.entryIfAny(path))
    }
    return TrashedFile(id: id.text, origin: before.path, discarded: id.discarded, size: moved.size ?? 0)
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try store.checkCancelled("The listing of the trash", .root)
    return try await files(below: trash).map(\.file).sorted { left, right in
      left.discarded != right.discarded ? left.discarded > right.discarded : left.id > right.id
    }
  }

  func restore(_ file: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The restoring", .root)
    guard TrashID(file) != nil, let slot = try? trash.appending(file), let found = try await files(below: slot).first
    else { throw gone }
    let origin = found.file.origin
    let moved: DropboxV1Metadata
    do throws(StoreError) {
      moved = try await store.relocate(
        store.folder.ownPath(found.path), store.folder.ownPath(origin), found.path, origin)
    } catch {
      throw error.kind == .notFound ? gone : error
    }
    // An empty slot is no file: what is left of it harms nobody.
    try? await remove(slot)
    guard let entry = try store.entry(moved, asked: origin) else { throw gone }
    return entry
  }

  func empty() async throws(StoreError) -> Int {
    try store.checkCancelled("The emptying of the trash", .root)
    let count = try await files(below: trash).count
    try await remove(trash)
    return count
  }

  private var trash: StorePath {
    get throws(StoreError) { try StorePath(DropboxFolder.trashName) }
  }

  private var gone: StoreError {
    StoreError(.notFound, "The trash does not have this file any more.", path: .root)
  }

  /// Deletes what is byteclub's own; what is gone already is no error.
  private func remove(_ path: StorePath) async throws(StoreError) {
    let call = DropboxV1Call(
      .delete, about: .root, ["root": store.client.root, "path": store.folder.ownPath(path)])
    if case .refusal(let refusal) = try await store.client.answer(call), !refusal.isMissing { throw refusal.error }
  }

  /// The files in the trash, or in one slot of it. None when the folder is not there.
  private func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, file: TrashedFile)] {
    let all: [DropboxV1Metadata]
    do throws(StoreError) {
      all = try await store.tree(store.folder.ownPath(folder), about: .root)
    } catch {
      if error.kind == .notFound { return [] }
      throw error
    }
    return all.compactMap { metadata in
      guard !metadata.isFolder, !metadata.isDeleted, let path = store.path(of: metadata),
        let file = trashed(path, metadata)
      else { return nil }
      return (path, file)
    }
  }

  /// Nil for what byteclub did not put there.
  private func trashed(_ path: StorePath, _ metadata: DropboxV1Metadata) -> TrashedFile? {
    let parts = path.components
    guard parts.count >= 3, let id = TrashID(String(decoding: parts[1], as: UTF8.self)),
      let origin = try? StorePath(Array(parts[2...].joined(separator: [UInt8(ascii: "/")])))
    else { return nil }
    return TrashedFile(id: id.text, origin: origin, discarded: id.discarded, size: metadata.size ?? 0)
  }
}
