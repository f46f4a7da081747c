internal import Backends
internal import FileStores
internal import Synchronization

struct MemoryUploads: ResumableUploads {
  let store: MemoryStore

  var piece: UploadPiece { .upTo(4 * 1024 * 1024) }
  var keptFor: Duration? { nil }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try store.checkCancelled("The upload", path)
    try path.checkWritable()
    return store.tree.withLock { tree in
      let session = UploadSession(tree.nextWord("u"))
      tree.uploads[session] = []
      return session
    }
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try store.checkCancelled("The upload", .root)
    return try store.tree.withLock { tree throws(StoreError) in
      guard let sent = tree.uploads[session]?.count else { throw .uploadGone(.root) }
      guard UInt64(sent) == offset else {
        throw StoreError(
          .conflict, "The store has \(sent) bytes of the upload, not \(offset).", remedy: "Continue from there.",
          path: .root)
      }
      tree.uploads[session, default: []].append(contentsOf: bytes)
      return offset + UInt64(bytes.count)
    }
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try store.checkCancelled("The upload", .root)
    guard let bytes = store.tree.withLock({ $0.uploads[session] }) else { throw .uploadGone(.root) }
    return UInt64(bytes.count)
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The upload", path)
    try path.checkWritable()
    guard let bytes = store.tree.withLock({ $0.uploads[session] }) else { throw .uploadGone(.root) }
    guard UInt64(bytes.count) == size else {
      throw .wrongLength(path, declared: size, given: UInt64(bytes.count))
    }
    let entry = try store.commit(bytes, ContentHash(of: bytes), at: path, mode)
    store.tree.withLock { $0.uploads[session] = nil }
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    store.tree.withLock { $0.uploads[session] = nil }
  }
}
