extension FileStore {
  /// nil if nothing is at the path.
  public func entryIfAny(_ path: StorePath) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      return try await entry(at: path)
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  public func entry(at path: StorePath, holding source: any ByteSource) async throws(StoreError) -> FileEntry? {
    guard let there = try await entryIfAny(path), there.kind == .file else { return nil }
    if let size = source.size, let have = there.size, size != have { return nil }
    return try await has(try await source.contentHash(), there) ? there : nil
  }

  /// True if the content has this hash. Reads the content if the entry has no hash.
  func has(_ wanted: ContentHash, _ there: FileEntry) async throws(StoreError) -> Bool {
    if let hash = there.contentHash { return hash == wanted }
    let hasher = ContentHasher()
    do throws(StoreError) {
      _ = try await read(there.path, from: 0, ifRevision: there.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
    } catch {
      if error.kind == .conflict || error.kind == .notFound { return false }
      throw error
    }
    return hasher.finish() == wanted
  }
}

extension ByteSource {
  func contentHash() async throws(StoreError) -> ContentHash {
    let hasher = ContentHasher()
    var reading = try await open(at: 0)
    while let chunk = try await reading.next() { hasher.update(chunk) }
    return hasher.finish()
  }
}
