/// The answer; nil if its error is `notFound` or of one of the other kinds.
@discardableResult
package func ifThere<Answer>(
  or others: Set<StoreError.Kind> = [], _ ask: () async throws(StoreError) -> Answer?
) async throws(StoreError) -> Answer? {
  do throws(StoreError) {
    return try await ask()
  } catch {
    guard error.kind == .notFound || others.contains(error.kind) else { throw error }
    return nil
  }
}

extension FileStore {
  /// nil if nothing is at the path.
  public func entryIfAny(_ path: StorePath) async throws(StoreError) -> FileEntry? {
    try await ifThere { () throws(StoreError) in try await entry(at: path) }
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
    let whole = try await ifThere(or: [.conflict]) { () throws(StoreError) in
      try await read(there.path, from: 0, ifRevision: there.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
    }
    return whole != nil && hasher.finish() == wanted
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
