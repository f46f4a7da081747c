import FileStores

/// A content hash in the making, off the callers' threads.
actor SharedContentHasher {
  private let hasher = ContentHasher()

  func add(_ bytes: ByteChunk) { hasher.update(bytes) }
  func finish() -> ContentHash { hasher.finish() }
}
