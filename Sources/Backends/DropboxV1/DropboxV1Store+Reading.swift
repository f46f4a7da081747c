public import FileStores
internal import JSON

extension DropboxV1Store {
  /// Reads a file in chunks; see `FileStore`.
  ///
  /// The server says with the bytes which revision they are of. One that does not is asked first, and then for that
  /// revision's bytes alone.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    if path.isRoot { throw StoreError(.badInput, "The club's folder is a folder, not a file.", path: path) }
    guard let place = folder.apiPath(path) else { throw missing(path) }
    var known: FileEntry?
    var refused: StoreError?
    // Thrice: the server may be silent about the file, and the file may change before it is looked at.
    for _ in 0..<3 {
      if offset <= UInt64(Int64.max) {
        var call = DropboxV1Call(.download, at: place, about: path, ["rev": known?.revision?.value])
        call.offset = offset > 0 ? offset : nil
        if let entry = try await download(call, from: offset, ifRevision, known, receive, refused: &refused) {
          return entry
        }
      }
      let there = try await entry(at: path)
      guard there.kind == .file, let size = there.size else {
        throw StoreError(.badInput, "\"\(path)\" is not a file.", path: path)
      }
      if let ifRevision, there.revision != ifRevision { throw conflict(path, there) }
      if offset == size { return there }
      if offset > size { throw pastTheEnd(path, offset, size) }
      if let refused, known?.revision == there.revision { throw notSent(path, refused) }
      known = there
    }
    throw conflict(path, nil)
  }

  /// Nil when no chunk came, and the file has to be looked at: the range was outside, or it was not said what the bytes
  /// are.
  func download(
    _ call: DropboxV1Call, from offset: UInt64, _ ifRevision: Revision?, _ known: FileEntry?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void, refused: inout StoreError?
  ) async throws(StoreError) -> FileEntry? {
    let path = call.path
    refused = nil
    var entry: FileEntry?
    var size: UInt64 = 0
    // Bytes before the offset, which a server sends that does not know ranges.
    var surplus: UInt64 = 0
    var count: UInt64 = 0
    var isSilent = false
    let refusal: DropboxV1Refusal?
    do throws(StoreError) {
      refusal = try await client.download(call) { (response, json) throws(StoreError) in
        let told = try json.map { (json) throws(StoreError) in try file(json, call) } ?? known
        guard let there = told, let bytes = there.size else {
          isSilent = true
          throw client.fault.nonsense("bytes without a description", call)
        }
        if let ifRevision, there.revision != ifRevision { throw conflict(path, there) }
        if offset > bytes { throw pastTheEnd(path, offset, bytes) }
        if response.status == 206 {
          guard DropboxV1Store.begins(response.headers["Content-Range"], at: offset, of: bytes) else {
            throw client.fault.nonsense("the wrong range", call)
          }
        } else {
          surplus = offset
        }
        (entry, size) = (there, bytes)
      } _: { (chunk) throws(StoreError) in
        let dropped = min(surplus, UInt64(chunk.count))
        surplus -= dropped
        let rest = chunk.dropFirst(Int(dropped))
        if rest.isEmpty { return }
        count += UInt64(rest.count)
        if offset + count > size { throw client.fault.nonsense("more bytes than the file has", call) }
        try checkCancelled("The reading", path)
        try await receive(rest)
      }
    } catch {
      if isSilent, known == nil { return nil }
      throw error
    }
    if let refusal {
      // A folder has no bytes, and a revision that is gone has none any more: what is there now tells which it is.
      if refusal.isMissing || refusal.status == 400 { refused = refusal.error }
      if refusal.status == 416 || refused != nil { return nil }
      throw refusal.error
    }
    guard let entry, offset + count == size else {
      throw StoreError(.offline, "The download of \"\(path)\" was interrupted.", remedy: "Try again.", path: path)
    }
    return entry
  }

  private func file(_ json: JSONValue, _ call: DropboxV1Call) throws(StoreError) -> FileEntry {
    guard let metadata = DropboxV1Metadata(json), let entry = try entry(metadata, asked: call.path),
      entry.kind == .file
    else { throw client.fault.nonsense("no metadata", call) }
    return entry
  }

  /// Whether `bytes 5-9/10` is what was asked for.
  private static func begins(_ range: String?, at offset: UInt64, of size: UInt64) -> Bool {
    guard let words = range?.split(separator: " "), words.count == 2, words[0] == "bytes" else { return false }
    let parts = words[1].split { $0 == "-" || $0 == "/" }
    return parts.count == 3 && UInt64(parts[0]) == offset && (parts[2] == "*" || UInt64(parts[2]) == size)
  }

  /// The server names the file, and refuses its bytes.
  private func notSent(_ path: StorePath, _ refused: StoreError) -> StoreError {
    guard refused.kind == .notFound else { return refused }
    return StoreError(
      .notFound, "\(client.server.name) lists \"\(path)\" but does not send it (status 404).",
      remedy: "Try again. If it fails again, ask the server's owner.", path: path)
  }

  private func pastTheEnd(_ path: StorePath, _ offset: UInt64, _ size: UInt64) -> StoreError {
    StoreError(.badInput, "\"\(path)\" has \(size) bytes; it cannot be read from byte \(offset).", path: path)
  }
}
