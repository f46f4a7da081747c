internal import FileStores
internal import JSON

/// The trash of a club: files below `.club-trash/<id>/`, each at the path that it had in the club. One move takes a file
/// there or back, so that it is never in both places or in none.
struct DropboxTrash: StoreTrash {
  let store: DropboxStore

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
    if ifRevision != nil, !DropboxStore.isContent(moved, of: before) {
      let store = store
      _ = try await store.finishing { () throws(StoreError) in
        let back = try await store.relocate(to, from, target, path)
        try await DropboxTrash(store: store).remove(slot)
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
    guard TrashID(file) != nil, let slot = try? trash.appending(file),
      let found = try await files(below: slot).first
    else { throw gone }
    let origin = found.file.origin
    let moved: DropboxMetadata
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
    let call = DropboxCall(.delete, .members(["path": .string(store.folder.ownPath(path))]), about: .root)
    if case .refusal(let refusal) = try await store.client.answer(call), !refusal.has("not_found") {
      throw refusal.error(.root, store.client.server)
    }
  }

  /// The files in the trash, or in one slot of it. None when the folder is not there.
  private func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, file: TrashedFile)] {
    var call = DropboxCall(
      .listFolder, .members(["path": .string(store.folder.ownPath(folder)), "recursive": true]), about: .root)
    var found: [(path: StorePath, file: TrashedFile)] = []
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
          let path = store.names.path(of: metadata), metadata.kind != .folder, let file = trashed(path, metadata)
        else { continue }
        found.append((path, file))
      }
      guard json["has_more"]?.boolean == true else { return found }
      call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
    }
  }

  /// Nil for what byteclub did not put there.
  private func trashed(_ path: StorePath, _ metadata: DropboxMetadata) -> TrashedFile? {
    let parts = path.components
    guard parts.count >= 3, let id = TrashID(String(decoding: parts[1], as: UTF8.self)),
      let origin = try? StorePath(Array(parts[2...].joined(separator: [UInt8(ascii: "/")])))
    else { return nil }
    return TrashedFile(id: id.text, origin: origin, discarded: id.discarded, size: metadata.size ?? 0)
  }
}
