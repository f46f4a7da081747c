extension RetryingStore {
  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let watched = WatchedSource(source)
    var attempt = 1
    while true {
      do throws(StoreError) {
        if attempt > 1, let done = try await alreadyWritten(watched, at: path) { return done }
        return try await base.put(watched, at: path, mode: mode)
      } catch {
        // What the source throws is not the store's failure, however it looks.
        if let failure = watched.failure { throw failure }
        attempt += 1
        try await retrying.pause(before: attempt, after: error)
      }
    }
  }

  /// The entry at `path` when its content is that of `source`: the put whose answer was lost had happened.
  func alreadyWritten(_ source: any ByteSource, at path: StorePath) async throws(StoreError) -> FileEntry? {
    guard let there = try await entryIfAny(path), there.kind == .file else { return nil }
    if let size = source.size, let have = there.size, size != have { return nil }
    let hasher = ContentHasher()
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { hasher.update(chunk) }
    return try await has(hasher.finish(), there) ? there : nil
  }

  /// Whether an entry's content has this hash; read from the store where it does not say.
  func has(_ wanted: ContentHash, _ there: FileEntry) async throws(StoreError) -> Bool {
    if let hash = there.contentHash { return hash == wanted }
    let hasher = ContentHasher()
    do throws(StoreError) {
      _ = try await base.read(there.path, from: 0, ifRevision: there.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
    } catch {
      // It changed while we looked: the write is sent again, and its condition decides.
      if error.kind == .conflict || error.kind == .notFound { return false }
      throw error
    }
    return hasher.finish() == wanted
  }
}
