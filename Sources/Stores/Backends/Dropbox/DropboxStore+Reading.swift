public import FileStores
internal import JSON

extension DropboxStore {
  /// A read from the beginning is checked against the content hash.
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let offset = options.offset
    let place = try place(of: path, for: "The reading", root: .isFolder(path))
    // Twice: if the range is outside, the file may have changed before its metadata was read.
    var before: FileEntry?
    for _ in 0..<2 {
      if offset <= UInt64(Int64.max) {
        var call = DropboxCall(.download, .members(["path": .string(place)]), about: path)
        (call.range, call.isShort) = (options.range, options.isShort)
        if let entry = try await download(call, options, receive) { return entry }
      }
      let there = try await entry(at: path)
      guard there.kind == .file, let size = there.size else { throw .notFile(path) }
      try options.check(there, size, at: path)
      if offset == size { return there }
      if there == before { throw .tooFewBytes(path, client.server.name, sent: offset, size: size) }
      before = there
    }
    throw .conflict(path, nil)
  }

  func readOwn(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let place = folder.ownPath(file.path)
    var call = DropboxCall(.download, .members(["path": .string(place)]), about: file.path)
    call.range = options.range
    if try await download(call, options, receive) == nil { throw .conflict(file.path, nil) }
  }

  /// Returns nil if the range was outside. `isVersion` checks the version's path, because the API returns any revision.
  func download(
    _ call: DropboxCall, _ options: ReadOptions, isVersion: Bool = false,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry? {
    let path = call.path
    var entry: FileEntry?
    var part: FilePart?
    let isWhole = options.offset == 0 && options.end == nil
    let hasher = options.isChecked && isWhole ? ContentHashLane(pool: pool) : nil
    func hand(_ bytes: ByteChunk?) async throws(StoreError) {
      guard let bytes, !bytes.isEmpty else { return }
      await hasher?.add(bytes)
      try checkCancelled("The reading", path)
      try await receive(bytes)
    }
    let outcome = try await client.download(call) { (response, json) throws(StoreError) in
      let there = try file(json, call, at: path)
      if isVersion, !isOf(json, path) { throw missing(path) }
      guard there.kind == .file, let bytes = there.size else { throw client.nonsense("no size", call) }
      try options.check(there, bytes, at: path)
      part = try FilePart(of: path, options, size: bytes, in: response, client.server.name)
      entry = there
    } _: { (chunk) throws(StoreError) in
      try await hand(try part?.take(chunk))
    }
    switch outcome {
    case .outside: return nil
    case .refusal(let refusal):
      let error = refusal.error(path, client.server)
      throw error.kind == .badName || refusal.has("not_folder") ? missing(path) : error
    case .complete: break
    }
    guard let entry else { throw client.nonsense("no metadata", call) }
    try await hand(try part?.finish())
    if let hash = entry.contentHash, let hasher, await hasher.finish() != hash {
      throw .damaged(path)
    }
    return entry
  }

  private func isOf(_ json: JSONValue, _ path: StorePath) -> Bool {
    guard let metadata = DropboxMetadata(json, kind: .file) else { return false }
    return DropboxFolder.fold(metadata.lower.utf8) == DropboxFolder.fold(folder.ownPath(path).utf8)
  }
}
