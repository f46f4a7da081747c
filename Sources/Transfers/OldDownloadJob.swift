import FileStores

/// One download, from its first byte to its name.
struct OldDownloadJob: Sendable {
  /// How often it starts over because the file was changed meanwhile.
  private static let maxAttempts = 3

  let path: StorePath
  let sink: any TransferSink
  let store: any FileStore
  let report: OldTransferReport

  @concurrent
  func perform() async throws(StoreError) -> FileEntry {
    do throws(StoreError) {
      let entry = try await receive()
      try await report.advanced(to: .finishing)
      await report.placed(at: try await sink.publish())
      return entry
    } catch {
      await sink.discard()
      throw error
    }
  }

  /// Everything is in the sink, verified, when this returns.
  private func receive() async throws(StoreError) -> FileEntry {
    var attempt = 1
    while true {
      do throws(StoreError) {
        return try await receiveOnce(isFirst: attempt == 1)
      } catch {
        guard error.kind == .conflict, attempt < Self.maxAttempts else { throw error }
        attempt += 1
      }
    }
  }

  private func receiveOnce(isFirst: Bool) async throws(StoreError) -> FileEntry {
    let before = try await store.entry(at: path)
    guard before.kind == .file else {
      throw StoreError(.badInput, "\"\(path)\" is not a file.", remedy: "Choose a file.", path: path)
    }
    await report.learned(total: before.size)
    if !isFirst { try await report.resumed(at: 0) }
    try await sink.open()
    var count: UInt64 = 0
    let entry = try await store.read(path, from: 0, ifRevision: before.revision) { chunk throws(StoreError) in
      try await sink.write(chunk)
      count += UInt64(chunk.count)
      try await report.progressed(to: count)
    }
    try await report.advanced(to: .verifying)
    let size = entry.size ?? before.size ?? count
    try await sink.verify(size: size, contentHash: entry.contentHash ?? before.contentHash)
    return entry
  }
}
