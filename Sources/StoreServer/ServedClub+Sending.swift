import Database
import FileStores

extension ServedClub {
  /// Sends the content of a file as it is now, from an offset on, whatever happens to the file meanwhile.
  func send(_ file: ServerNode, from start: UInt64, _ receive: Served.Receiver) async throws {
    var offset = start
    do throws(StoreError) {
      _ = try await index.store.read(file.path, from: start, ifRevision: file.storeRevision) {
        chunk throws(StoreError) in
        guard try await receive(chunk) else { throw StoreError(.cancelled, "Enough was read.") }
        offset += UInt64(chunk.count)
      }
    } catch {
      // The reader has what it asked for.
      if error.kind == .cancelled, !Task.isCancelled { return }
      // A member has replaced the file meanwhile: what is being sent is a kept version now, and goes on. Whatever else
      // it was, the connection is cut and the client knows.
      guard error.tellsOfChange,
        let old = try await index.read({ try $0.revision(file.rev) }), let content = try await files.content(of: old)
      else { throw error }
      try await send(content, from: offset, receive)
    }
  }

  /// Sends content from an offset on.
  func send(_ content: Content, from offset: UInt64, _ receive: Served.Receiver) async throws {
    var reading = try await content.source.open(at: offset)
    while let chunk = try await reading.next(), try await receive(chunk) {}
  }
}

extension StoreError {
  /// Whether a reading of one version failed because that no longer exists: another one is, or nothing, or something
  /// that is no file.
  var tellsOfChange: Bool { kind == .conflict || kind == .notFound || kind == .badInput }
}
