internal import FileStores
internal import JSON

/// Uploads with `chunked_upload`, which the server keeps for a day or two. An abandoned one is not used again.
struct DropboxV1Uploads: CountedUploads {
  let store: DropboxV1Store

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The upload", path)
    try store.folder.checkWritable(path)
    let have = try await have(session, path)
    if have != size { throw .wrongLength(path, declared: size, given: have) }
    try await store.checkCondition(mode, at: path)
    return try await commit(session, size: size, at: path, mode)
  }

  /// - Throws: `unsupported` if the server takes no pieces. The store remembers that.
  func start(
    _ path: StorePath, _ bytes: [UInt8], sent: (@Sendable (UInt64) -> Void)? = nil
  ) async throws(StoreError) -> UploadSession {
    var call = DropboxV1Call(.chunk, about: path, [:])
    (call.body, call.sent) = (.bytes(bytes), sent)
    let json = try await store.client.result(call) { refusal in
      if refusal.isMissing || refusal.isUnknownRoute { store.memory.hasNoChunks = true }
      return refusal.error
    }
    guard let id = json["upload_id"]?.text, json["offset"]?.count == UInt64(bytes.count) else {
      throw store.client.nonsense("no upload", call)
    }
    return UploadSession(id)
  }

  func send(
    _ body: HTTPBody, to session: UploadSession, at offset: UInt64, _ path: StorePath,
    telling source: (any ByteSource)?
  ) async throws(StoreError) -> UInt64 {
    let end = offset + (body.length ?? 0)
    let (call, answer) = try await ask(body, session, offset, path, source)
    switch answer {
    case .result(let json):
      guard json["offset"]?.count == end else {
        throw store.client.nonsense("the wrong offset", call)
      }
      return end
    case .refusal(let refusal):
      guard let have = refusal.offset else { throw isGone(refusal) ? .uploadGone(path) : refusal.error }
      throw .otherOffset(have, path)
    }
  }

  /// Gives an upload its name. The API does not check the size.
  func commit(
    _ session: UploadSession, size: UInt64, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try check(session, path)
    var call = DropboxV1Call(.commit, at: store.folder.ownPath(path), about: path, ["upload_id": session.id])
    call.parameters += DropboxV1Store.condition(mode)
    let answer = try await store.client.answer(call)
    if case .refusal(let refusal) = answer, isGone(refusal) { throw .uploadGone(path) }
    return try await store.written(answer, call, at: path, mode, size: size)
  }

  /// The API has no call for the offset. An append at an impossible offset fails and returns the right one.
  func have(_ session: UploadSession, _ path: StorePath) async throws(StoreError) -> UInt64 {
    let (call, answer) = try await ask(.bytes([]), session, 1 << 40, path, nil)
    switch answer {
    case .result(let json):
      guard let offset = json["offset"]?.count else { throw store.client.nonsense("no offset", call) }
      return offset
    case .refusal(let refusal):
      if let offset = refusal.offset { return offset }
      throw isGone(refusal) ? .uploadGone(path) : refusal.error
    }
  }

  private func ask(
    _ body: HTTPBody, _ session: UploadSession, _ offset: UInt64, _ path: StorePath, _ source: (any ByteSource)?
  ) async throws(StoreError) -> (DropboxV1Call, DropboxV1Answer) {
    try check(session, path)
    var call = DropboxV1Call(.chunk, about: path, ["upload_id": session.id, "offset": String(offset)])
    call.body = body
    if let source { call.sent = { source.delivered(offset + $0) } }
    return (call, try await store.client.answer(call))
  }

  /// The status for an unknown upload is 404 for an append and 400 for a commit.
  private func isGone(_ refusal: DropboxV1Refusal) -> Bool {
    if refusal.isMissing { return true }
    let text = refusal.body?["error"]?.text ?? refusal.body?["error"]?["upload_id"]?.text ?? ""
    return refusal.status == 400
      && (refusal.body?["error"]?["upload_id"] != nil || text.lowercased().contains("upload"))
  }
}
