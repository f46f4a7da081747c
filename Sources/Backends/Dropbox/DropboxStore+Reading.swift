public import FileStores
internal import JSON

extension DropboxStore {
  /// Reads a file in chunks; see `FileStore`. A reading from the beginning is checked against the content hash.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await read(path, from: offset, ifRevision, isChecked: true, receive)
  }

  /// Reads a file in chunks without comparing; see `FileStore`.
  public func readUnchecked(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await read(path, from: offset, ifRevision, isChecked: false, receive)
  }

  private func read(
    _ path: StorePath, from offset: UInt64, _ ifRevision: Revision?, isChecked: Bool,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    if path.isRoot { throw StoreError(.badInput, "The club's folder is a folder, not a file.", path: path) }
    guard let place = folder.apiPath(path) else { throw missing(path) }
    // Twice: when the range is outside, the file may have changed before it was looked at.
    for _ in 0..<2 {
      if offset <= UInt64(Int64.max) {
        var call = DropboxCall(.download, .members(["path": .string(place)]), about: path)
        call.offset = offset > 0 ? offset : nil
        if let entry = try await download(call, from: offset, ifRevision, isChecked: isChecked, receive) {
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
    }
    throw conflict(path, nil)
  }

  /// Nil when the range was outside. An old version must be one of the path's own: the API hands out any by its name.
  func download(
    _ call: DropboxCall, from offset: UInt64, _ ifRevision: Revision?, isVersion: Bool = false, isChecked: Bool = true,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry? {
    let path = call.path
    var entry: FileEntry?
    var size: UInt64 = 0
    // Bytes before the offset, which a server sends that does not know ranges.
    var surplus: UInt64 = 0
    var count: UInt64 = 0
    let hasher = isChecked && offset == 0 ? ContentHashLane(pool: pool) : nil
    let outcome = try await client.download(call) { (response, json) throws(StoreError) in
      let there = try file(json, call, at: path)
      if isVersion, !isOf(json, path) { throw missing(path) }
      guard there.kind == .file, let bytes = there.size else { throw client.fault.nonsense("no size", call) }
      if let ifRevision, there.revision != ifRevision { throw conflict(path, there) }
      if offset > bytes { throw pastTheEnd(path, offset, bytes) }
      if response.status == 206 {
        guard DropboxStore.begins(response.headers["Content-Range"], at: offset, of: bytes) else {
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
      await hasher?.add(rest)
      try checkCancelled("The reading", path)
      try await receive(rest)
    }
    switch outcome {
    case .outside: return nil
    case .refusal(let refusal):
      let error = refusal.error(path, client.server)
      throw error.kind == .badName || refusal.has("not_folder") ? missing(path) : error
    case .complete: break
    }
    guard let entry, offset + count == size else {
      throw StoreError(.offline, "The download of \"\(path)\" was interrupted.", remedy: "Try again.", path: path)
    }
    if let hash = entry.contentHash, let hasher, await hasher.finish() != hash {
      throw .damaged(path)
    }
    return entry
  }

  private func isOf(_ json: JSONValue, _ path: StorePath) -> Bool {
    guard let metadata = DropboxMetadata(json, kind: .file) else { return false }
    return DropboxFolder.fold(metadata.lower.utf8) == DropboxFolder.fold(folder.ownPath(path).utf8)
  }

  /// Whether `bytes 5-9/10` is what was asked for.
  private static func begins(_ range: String?, at offset: UInt64, of size: UInt64) -> Bool {
    guard let words = range?.split(separator: " "), words.count == 2, words[0] == "bytes" else { return false }
    let parts = words[1].split { $0 == "-" || $0 == "/" }
    return parts.count == 3 && UInt64(parts[0]) == offset && (parts[2] == "*" || UInt64(parts[2]) == size)
  }

  private func pastTheEnd(_ path: StorePath, _ offset: UInt64, _ size: UInt64) -> StoreError {
    StoreError(.badInput, "\"\(path)\" has \(size) bytes; it cannot be read from byte \(offset).", path: path)
  }
}
