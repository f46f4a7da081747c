extension RetryingStore {
  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    // Without a revision, the rest of a broken reading could be another version's.
    var pinned = ifRevision
    if pinned == nil {
      let entry = try await self.entry(at: path)
      pinned = entry.kind == .file ? entry.revision : nil
    }
    var reached = offset
    var attempt = 1
    while true {
      var receiverFailed = false
      let before = reached
      do throws(StoreError) {
        retrying.report(.asks)
        let entry = try await base.read(path, from: reached, ifRevision: pinned) { chunk throws(StoreError) in
          retrying.report(.answered)
          do throws(StoreError) {
            try await receive(chunk)
            retrying.report(.asks)
            reached += UInt64(chunk.count)
          } catch {
            receiverFailed = true
            throw error
          }
        }
        retrying.report(.answered)
        return entry
      } catch {
        if receiverFailed { throw error }
        attempt = reached > before ? 2 : attempt + 1
        try await retrying.pause(before: attempt, after: error)
      }
    }
  }
}
