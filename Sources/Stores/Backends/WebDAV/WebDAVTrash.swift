internal import FileStores

/// The trash of a club: `ClubTrash` with WebDAV's moves, in a folder that every byteclub hides.
struct WebDAVTrash: ClubTrash {
  let store: WebDAVStore

  var trashName: String { ".byteclub-trash" }

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try store.checkCancelled("The discarding", path)
    if path.isRoot { throw .clubItself("discarded") }
    if path.isReserved { throw store.missing(path) }
    let there = try await store.expected(ifRevision, at: path, isBeginning: true)
    if there.kind == .folder { throw .folderDiscarded(path) }
    _ = try await store.findings(writing: path)
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    let target = try folder.appending(id.text).descending(path.bytes[...])
    try await store.makeFolder(target.parent)
    let moved = try await store.relocate(there, to: target, holding: ifRevision)
    return TrashedFile(id: id.text, origin: path, discarded: id.discarded, size: moved.size ?? 0)
  }

  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry? {
    try store.checkWritable(origin)
    _ = try await store.findings(writing: origin)
    guard let there = try await store.look(at: path)?.entry else { throw store.missing(path) }
    return try await store.relocate(there, to: origin, holding: nil)
  }

  func read(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    _ = try await store.readOwn(file.path, options, receive)
  }

  func remove(_ path: StorePath) async throws(StoreError) {
    let call = WebDAVCall(.delete, store.address.url(path, isFolder: true), about: .root)
    let answer = try await store.client.steady(call)
    try store.client.check(answer, call, or: 404)
  }

  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    var found: [(path: StorePath, size: UInt64)] = []
    var folders = [folder]
    while let next = folders.popLast() {
      let content = try await ifThere(or: [.badInput]) { () throws(StoreError) in
        try await store.content(of: next, isBeginning: next == folder)
      }
      for entry in content?.entries ?? [] {
        if entry.kind == .folder { folders.append(entry.path) } else { found.append((entry.path, entry.size ?? 0)) }
      }
    }
    return found
  }
}
