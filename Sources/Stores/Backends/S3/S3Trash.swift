internal import FileStores

/// The trash: the keys below `.byteclub-trash/<id>/`, each with its path in the club.
struct S3Trash: ClubTrash {
  let store: S3Store
  var trashName: String { ".byteclub-trash" }

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    let there = try await store.discardable(path, ifRevision)
    let features = try await store.features(writing: path)
    let (id, target) = try slot(for: path)
    let moved = try await store.moveFile(there, to: target, features, isHeld: ifRevision != nil)
    return TrashedFile(id: id.text, origin: path, discarded: id.discarded, size: moved.size ?? 0)
  }

  /// Keeps a copy of a file that is about to be replaced without a condition.
  func keepCopy(of file: FileEntry, _ features: S3Features) async throws(StoreError) -> FileEntry {
    try await store.copy(file, to: try slot(for: file.path).target, features)
  }

  private func slot(for path: StorePath) throws(StoreError) -> (id: TrashID, target: StorePath) {
    let id = TrashID(discarded: Timestamp(nanoseconds: store.tuning.now()), word: store.tuning.random())
    return (id, try folder.appending(id.text).descending(path.bytes[...]))
  }

  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    // A copy that broke off leaves a reserved name.
    let all = try await store.withoutReservations(store.allFiles(below: folder, own: true))
    return all.filter { $0.kind == .file }.map { ($0.path, $0.size ?? 0) }
  }

  func read(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    _ = try await store.read(S3Call(.get, store.place.key(file.path), about: file.path), options, receive)
  }

  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry? {
    try store.checkWritable(origin)
    let features = try await store.features(writing: origin)
    guard let there = try await store.file(at: path) else { return nil }
    try await store.checkNoFile(above: origin)
    if let taken = try await store.entryIfAny(origin) { throw .exists(taken, at: origin) }
    return try await store.moveFile(there, to: origin, features, isHeld: false)
  }

  func remove(_ path: StorePath) async throws(StoreError) {
    _ = try await store.features(changing: path)
    for file in try await store.allFiles(below: path, own: true) {
      try await store.steadily { () throws(StoreError) in
        try await store.delete(key: file.path, isFolder: file.kind == .folder, headers: [])
      }
    }
    try await store.steadily { () throws(StoreError) in
      try await store.delete(key: path, isFolder: true, headers: [])
    }
  }
}

extension S3Store {
  /// The file that is to go to the trash, if it has the revision.
  /// - Throws: `badInput` for a folder; `notFound`; `conflict`.
  func discardable(_ path: StorePath, _ ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    try checkCancelled("The discarding", path)
    if path.isRoot { throw .clubItself("discarded") }
    let there = try await entry(at: path)
    if let ifRevision, there.revision != ifRevision { throw .conflict(path, there) }
    if there.kind == .folder { throw .folderDiscarded(path) }
    return there
  }
}
