extension FileStore {
  /// What is at a path when it is a file with the content of `source`; nil when it is anything else.
  /// - Throws: what keeps the store from telling.
  public func entry(at path: StorePath, holding source: any ByteSource) async throws(StoreError) -> FileEntry? {
    let there: FileEntry
    do throws(StoreError) {
      there = try await entry(at: path)
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
    guard there.kind == .file else { return nil }
    if let size = source.size, let have = there.size, size != have { return nil }
    return try await has(try await source.contentHash(), there) ? there : nil
  }

  /// Whether an entry's content has this hash; read from the store where it does not say.
  func has(_ wanted: ContentHash, _ there: FileEntry) async throws(StoreError) -> Bool {
    if let hash = there.contentHash { return hash == wanted }
    let hasher = ContentHasher()
    do throws(StoreError) {
      _ = try await read(there.path, from: 0, ifRevision: there.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
    } catch {
      // It changed while we looked: the condition of a write decides.
      if error.kind == .conflict || error.kind == .notFound { return false }
      throw error
    }
    return hasher.finish() == wanted
  }
}

extension ByteSource {
  /// The content hash of all its bytes.
  func contentHash() async throws(StoreError) -> ContentHash {
    let hasher = ContentHasher()
    var reading = try await open(at: 0)
    while let chunk = try await reading.next() { hasher.update(chunk) }
    return hasher.finish()
  }
}
