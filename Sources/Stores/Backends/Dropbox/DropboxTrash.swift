internal import Basics
internal import FileStores
internal import JSON

struct DropboxTrash: ClubTrash {
  let store: DropboxStore

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    guard let from = store.folder.apiPath(path) else { throw store.missing(path) }
    if path.isRoot { throw .clubItself("discarded") }
    let before = try await store.expected(ifRevision, at: path)
    if before.kind == .folder { throw .folderDiscarded(path) }
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    let slot = try folder.appending(id.text)
    // With the name's stored case, whatever the case of the request.
    let target = slot.descending(before.path.bytes[...])
    let to = store.folder.ownPath(target)
    let moved = try await store.relocate(from, to, path, target)
    if ifRevision != nil, !DropboxStore.isContent(moved, of: before) {
      let store = store
      _ = try await store.pool.finishing { () throws(StoreError) in
        let back = try await store.relocate(to, from, target, path)
        try await DropboxTrash(store: store).remove(slot)
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
    let call = DropboxCall(.delete, .members(["path": .string(store.folder.ownPath(path))]), about: .root)
    if case .refusal(let refusal) = try await store.client.answer(call), !refusal.has("not_found") {
      throw refusal.error(.root, store.client.server)
    }
  }

  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    var call = DropboxCall(
      .listFolder, .members(["path": .string(store.folder.ownPath(folder)), "recursive": true]), about: .root)
    var found: [(path: StorePath, size: UInt64)] = []
    var bounds = PageBounds("the trash", about: .root, store.client.server.name)
    while true {
      let json: JSONValue
      switch try await store.client.answer(call) {
      case .result(let result): json = result
      case .refusal(let refusal):
        if refusal.has("not_found") || refusal.has("not_folder") { return [] }
        throw refusal.error(.root, store.client.server)
      }
      guard let values = json["entries"]?.elements, let cursor = json["cursor"]?.text else {
        throw store.client.fault.nonsense("no page of a listing", call)
      }
      for value in values {
        guard let metadata = DropboxMetadata(value), metadata.kind != .deleted,
          let path = store.names.path(of: metadata), metadata.kind != .folder
        else { continue }
        found.append((path, metadata.size ?? 0))
      }
      guard json["has_more"]?.boolean == true else { return found }
      try bounds.add(values.count, next: cursor)
      call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
    }
  }
}
