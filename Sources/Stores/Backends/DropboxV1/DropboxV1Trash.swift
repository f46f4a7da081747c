internal import Basics
internal import FileStores

/// The trash of a club: `ClubTrash` with the calls of version 1. Only the file's history shows the content that a move
/// took. The API's own `restore` can neither list deleted files by age nor remove them for good.
struct DropboxV1Trash: ClubTrash {
  let store: DropboxV1Store

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    guard let from = store.folder.apiPath(path) else { throw store.missing(path) }
    if path.isRoot { throw .clubItself("discarded") }
    let before = try await store.expected(ifRevision, at: path)
    if before.kind == .folder { throw .folderDiscarded(path) }
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    let slot = try folder.appending(id.text)
    let target = slot.descending(before.path.bytes[...])
    let to = store.folder.ownPath(target)
    let moved = try await store.relocate(from, to, path, target)
    if ifRevision != nil, try await !store.isContent(moved, of: before, formerlyAt: from) {
      let store = store
      _ = try await store.pool.finishing { () throws(StoreError) in
        let back = try await store.relocate(to, from, target, path)
        try await DropboxV1Trash(store: store).remove(slot)
        return back
      }
      throw .conflict(path, try await store.entryIfAny(path))
    }
    return TrashedFile(id: id.text, origin: before.path, discarded: id.discarded, size: moved.size ?? 0)
  }

  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry? {
    let moved = try await store.relocate(store.folder.ownPath(path), store.folder.ownPath(origin), path, origin)
    return try store.entry(moved, asked: origin)
  }

  func remove(_ path: StorePath) async throws(StoreError) {
    let call = DropboxV1Call(
      .delete, about: .root, ["root": store.client.root, "path": store.folder.ownPath(path)])
    if case .refusal(let refusal) = try await store.client.answer(call), !refusal.isMissing { throw refusal.error }
  }

  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    let all: [DropboxV1Metadata]
    do throws(StoreError) {
      all = try await store.tree(store.folder.ownPath(folder), about: .root).0
    } catch {
      if error.kind == .notFound { return [] }
      throw error
    }
    return all.compactMap { metadata in
      guard !metadata.isFolder, !metadata.isDeleted, let path = store.path(of: metadata) else { return nil }
      return (path, metadata.size ?? 0)
    }
  }
}
