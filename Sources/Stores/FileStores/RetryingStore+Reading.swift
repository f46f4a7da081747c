extension RetryingStore {
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    // Without a revision, the bytes after a break could be another version's.
    var rest = options
    if rest.revision == nil {
      let entry = try await self.entry(at: path)
      rest.revision = entry.kind == .file ? entry.revision : nil
    }
    var attempt = 1
    while true {
      var receiverFailed = false
      let before = rest.offset
      do throws(StoreError) {
        retrying.report(.asks)
        let entry = try await base.read(path, rest) { chunk throws(StoreError) in
          retrying.report(.answered)
          do throws(StoreError) {
            try await receive(chunk)
            retrying.report(.asks)
            rest.offset += UInt64(chunk.count)
          } catch {
            receiverFailed = true
            throw error
          }
        }
        retrying.report(.answered)
        return entry
      } catch {
        if receiverFailed { throw error }
        attempt = rest.offset > before ? 2 : attempt + 1
        try await retrying.pause(before: attempt, after: error)
      }
    }
  }
}
