public import FileStores
internal import JSON

extension DropboxV1Store {
  /// If the server sends no revision with the bytes, the store asks for it first, then for the bytes of that revision.
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let offset = options.offset
    let place = try place(of: path, for: "The reading", root: .isFolder(path))
    var known: FileEntry?
    var refused: StoreError?
    // Three times: the server may omit the metadata, and the file may change before it is requested.
    for _ in 0..<3 {
      if offset <= UInt64(Int64.max) {
        var call = DropboxV1Call(.download, at: place, about: path, ["rev": known?.revision?.value])
        (call.range, call.isShort) = (options.range, options.isShort)
        if let entry = try await download(call, options, known, receive, refused: &refused) { return entry }
      }
      let there = try await entry(at: path)
      guard there.kind == .file, let size = there.size else { throw .notFile(path) }
      try options.check(there, size, at: path)
      if offset == size { return there }
      if let refused, known?.revision == there.revision { throw notSent(path, refused) }
      if there == known { throw .tooFewBytes(path, client.server.name, sent: offset, size: size) }
      known = there
    }
    throw .conflict(path, nil)
  }

  func readOwn(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    var call = DropboxV1Call(.download, at: folder.ownPath(file.path), about: file.path, [:])
    call.range = options.range
    var refused: StoreError?
    if try await download(call, options, file, receive, refused: &refused) == nil {
      throw refused ?? .conflict(file.path, nil)
    }
  }

  /// Returns nil before any chunk if the caller must get the metadata first.
  func download(
    _ call: DropboxV1Call, _ options: ReadOptions, _ known: FileEntry?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void, refused: inout StoreError?
  ) async throws(StoreError) -> FileEntry? {
    let path = call.path
    refused = nil
    var entry: FileEntry?
    var part: FilePart?
    var isSilent = false
    let refusal: DropboxV1Refusal?
    do throws(StoreError) {
      refusal = try await client.download(call) { (response, json) throws(StoreError) in
        let stated = try json.map { (json) throws(StoreError) in try file(json, call) } ?? known
        guard let there = stated, let bytes = there.size else {
          isSilent = true
          throw client.nonsense("bytes without a description", call)
        }
        try options.check(there, bytes, at: path)
        part = try FilePart(of: path, options, size: bytes, in: response, client.server.name, isOwn: json != nil)
        entry = there
      } _: { (chunk) throws(StoreError) in
        try await hand(try part?.take(chunk), of: path, receive)
      }
    } catch {
      if isSilent, known == nil { return nil }
      throw error
    }
    if let refusal {
      if refusal.isMissing || refusal.status == 400 { refused = refusal.error }
      if refusal.status == 416 || refused != nil { return nil }
      throw refusal.error
    }
    guard let entry else { throw client.nonsense("no metadata", call) }
    try await hand(try part?.finish(), of: path, receive)
    return entry
  }

  private func file(_ json: JSONValue, _ call: DropboxV1Call) throws(StoreError) -> FileEntry {
    guard let metadata = DropboxV1Metadata(json), let entry = try entry(metadata, asked: call.path),
      entry.kind == .file
    else { throw client.nonsense("no metadata", call) }
    return entry
  }

  private func notSent(_ path: StorePath, _ refused: StoreError) -> StoreError {
    guard refused.kind == .notFound else { return refused }
    return StoreError(
      .notFound, "\(client.server.name) lists \"\(path)\" but does not send it (status 404).",
      remedy: "Try again. If it fails again, ask the server's owner.", path: path)
  }
}
