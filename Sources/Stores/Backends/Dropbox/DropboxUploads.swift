internal import FileStores
internal import JSON

/// Uploads with the API's sessions, which last a week and cannot be ended early. An abandoned one is not used again.
struct DropboxUploads: CountedUploads {
  let store: DropboxStore

  /// From this size on, an upload asks for the space first: the server itself refuses it only after the last byte.
  private static let askingBytes: UInt64 = 8 << 20

  /// - Throws: `quota` if the file cannot fit, not even in the place of the one that is there.
  func checkSpace(for size: UInt64?, at path: StorePath) async throws(StoreError) {
    guard let size, size >= DropboxUploads.askingBytes else { return }
    let usage: JSONValue
    do throws(StoreError) {
      usage = try await store.client.result(DropboxCall(.spaceUsage, .null, about: path))
    } catch {
      // Not every sign-in may ask. What else is wrong meets the upload itself.
      return
    }
    guard let used = usage["used"]?.count, let all = usage["allocation"]?["allocated"]?.count,
      usage["allocation"]?[".tag"]?.text == "individual"
    else { return }
    let free = all - min(used, all)
    guard size > free, size - free > (try await store.entryIfAny(path)?.size ?? 0) else { return }
    throw DropboxRefusal.noSpace(path, store.client.server)
  }

  func have(_ session: UploadSession, _ path: StorePath) async throws(StoreError) -> UInt64 {
    // The API has no call for the offset. An append at an impossible offset fails and returns the right one.
    let nowhere: UInt64 = 1 << 40
    switch try await store.client.answer(try appending(.bytes([]), to: session, at: nowhere, path)) {
    case .result: return nowhere
    case .refusal(let refusal):
      if let offset = refusal.correctOffset { return offset }
      throw error(refusal, path)
    }
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try store.checkCancelled("The upload", path)
    try store.folder.checkWritable(path)
    try await store.checkBase(mode, at: path)
    return try await finish(session, at: size, last: [], whole: nil, path: path, mode: mode)
  }

  func start(
    _ path: StorePath, _ bytes: [UInt8], sent: (@Sendable (UInt64) -> Void)? = nil
  ) async throws(StoreError) -> UploadSession {
    var call = DropboxCall(
      .sessionStart, .members(["close": false, "content_hash": .string(ContentHash(of: bytes).hex)]), about: path)
    (call.body, call.sent) = (.bytes(bytes), sent)
    guard let id = try await store.client.result(call)["session_id"]?.text else {
      throw store.client.nonsense("no session", call)
    }
    return UploadSession(id)
  }

  func send(
    _ body: HTTPBody, to session: UploadSession, at offset: UInt64, _ path: StorePath, telling source: (any ByteSource)?
  ) async throws(StoreError) -> UInt64 {
    var call = try appending(body, to: session, at: offset, path)
    if let source { call.sent = { source.delivered(offset + $0) } }
    _ = try await store.client.result(call) { error($0, path) }
    return offset + (body.length ?? 0)
  }

  /// Appends a piece of a put. A broken connection or a busy server costs a pause and this piece only.
  func sendSteadily(
    _ bytes: [UInt8], to session: UploadSession, at offset: UInt64, _ path: StorePath, telling source: any ByteSource
  ) async throws(StoreError) -> UInt64 {
    var pause = Duration.milliseconds(500)
    for _ in 0..<4 {
      do throws(StoreError) {
        return try await send(.bytes(bytes), to: session, at: offset, path, telling: source)
      } catch {
        guard error.isTemporary else { throw error }
        try await store.tuning.clock.rest(
          max(pause, error.retryAfter ?? .zero), "The writing of \"\(path)\"", path)
        if let have = try? await self.offset(of: session), have != offset {
          guard have == offset + UInt64(bytes.count) else { throw error }
          return have
        }
      }
      pause = pause * 2
    }
    return try await send(.bytes(bytes), to: session, at: offset, path, telling: source)
  }

  func finish(
    _ session: UploadSession, at offset: UInt64, last: [UInt8], whole: ContentHash?, path: StorePath, mode: WriteMode,
    telling source: (any ByteSource)? = nil
  ) async throws(StoreError) -> FileEntry {
    try check(session, path)
    var call = DropboxCall(
      .sessionFinish,
      .members([
        "cursor": cursor(session, offset), "commit": .object(store.commit(path, mode, session.modified)),
        "content_hash": .string(ContentHash(of: last).hex),
      ]), about: path)
    call.body = .bytes(last)
    if let source { call.sent = { source.delivered(offset + $0) } }
    let size = offset + UInt64(last.count)
    switch try await store.client.answer(call) {
    case .result(let json):
      let entry = try store.file(json, call, at: path)
      return try store.checked(entry, whole, size)
    case .refusal(let refusal) where refusal.tags.first == "lookup_failed":
      if let have = refusal.correctOffset { throw .wrongLength(path, declared: size, given: have) }
      throw error(refusal, path)
    case .refusal(let refusal): throw try await store.writeError(refusal, at: path, mode)
    }
  }

  /// Bytes in memory go with their hash; that of a source would be needed before its first byte. The caller compares the
  /// hash of the whole file.
  private func appending(
    _ body: HTTPBody, to session: UploadSession, at offset: UInt64, _ path: StorePath
  ) throws(StoreError) -> DropboxCall {
    try check(session, path)
    let hash: JSONValue? = if case .bytes(let bytes) = body { .string(ContentHash(of: bytes).hex) } else { nil }
    var call = DropboxCall(
      .sessionAppend, .members(["cursor": cursor(session, offset), "close": false, "content_hash": hash]), about: path)
    call.body = body
    return call
  }

  private func cursor(_ session: UploadSession, _ offset: UInt64) -> JSONValue {
    .members(["session_id": .string(session.id), "offset": .integer(Int64(clamping: offset))])
  }

  private func error(_ refusal: DropboxRefusal, _ path: StorePath) -> StoreError {
    if let have = refusal.correctOffset {
      return .otherOffset(have, path)
    }
    if refusal.has("not_found") || refusal.has("closed") { return .uploadGone(path) }
    return refusal.error(path, store.client.server)
  }
}
