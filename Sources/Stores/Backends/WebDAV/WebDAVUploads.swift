internal import FileStores

/// Uploads in pieces at a server that writes a part of a file. The bytes go to a file of byteclub's own in the club's
/// folder, `.byteclub-part-upload-…`, whose name is the session and whose size is the offset; `finish` moves it.
///
/// A piece is held in memory: the server keeps the beginning of a broken one, which must be the file's.
struct WebDAVUploads: ChunkedUploads {
  let store: WebDAVStore
  let writes: WebDAVPartialWrite

  /// nil at a server that has not shown that it writes parts.
  init?(_ store: WebDAVStore) {
    guard let findings = store.server.known, let writes = WebDAVPartialWrite(findings), WebDAVWay(findings) != .none
    else { return nil }
    (self.store, self.writes) = (store, writes)
  }

  var piece: UploadPiece { .upTo(store.tuning.pieceBytes) }
  var offsets: UploadOffsets { store.sent }
  var mostChunks: Int { .max }
  var serverName: String { store.client.name }
  /// Until any byteclub sweeps (`WebDAVSweep`).
  var keptFor: Duration? { .seconds(WebDAVSweep.age) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try store.checkCancelled("The upload", path)
    try store.checkWritable(path)
    _ = try await store.findings(writing: path)
    store.beginWriting()
    let name = WebDAVPart.prefix + String(store.tuning.random(), radix: 36)
    let call = WebDAVCall(
      .put, store.address.url(try StorePath(name)), about: path,
      ["If-None-Match": "*", "Content-Type": "application/octet-stream"], body: .bytes([]))
    let answer = try await store.client.steady(call)
    // 412: an earlier try has made it; nobody else knows the name.
    try store.client.check(answer, call, or: 412)
    offsets[UploadSession(name)] = 0
    return UploadSession(name)
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await appending(bytes.count, to: session, at: offset) { (known) throws(StoreError) in
      let call = writes.call(Array(bytes), at: offset, of: store.address.url(known.path), about: .root)
      let reached = offset + UInt64(bytes.count)
      var isAgain = false
      let answer: HTTPAnswer? = try await store.client.steps { () throws(StoreError) in
        if isAgain, try await store.look(at: known.path)?.entry.size == reached { return nil }
        isAgain = true
        // A piece that comes again writes the same bytes to the same place.
        return try await store.client.call(call)
      }
      guard let answer else { return }
      if [404, 410, 412].contains(answer.status) { throw .uploadGone(.root) }
      try store.client.check(answer, call)
    }
  }

  func have(_ known: WebDAVPart) async throws(StoreError) -> UInt64 {
    guard let size = try await store.look(at: known.path, isBeginning: true)?.entry.size else {
      throw .uploadGone(.root)
    }
    return size
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let part = try parsed(session, path).path
    try store.checkWritable(path)
    guard let have = try await store.look(at: part, isBeginning: true)?.entry.size else { throw .uploadGone(path) }
    guard have == size else { throw .wrongLength(path, declared: size, given: have) }
    let entry = try await store.publish(part, size: size, at: path, mode)
    offsets[session] = nil
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    guard let part = WebDAVPart(session)?.path else { return }
    offsets[session] = nil
    let call = WebDAVCall(.delete, store.address.url(part), about: .root)
    let answer = try await store.client.steady(call)
    try store.client.check(answer, call, or: 404, 410)
  }
}

/// The file of an unfinished upload.
struct WebDAVPart: ChunkedSession {
  static let prefix = ".byteclub-part-upload-"

  let path: StorePath
  var exactBytes: Int? { nil }

  init?(_ session: UploadSession) {
    let word = session.id.utf8.dropFirst(WebDAVPart.prefix.utf8.count)
    guard session.id.hasPrefix(WebDAVPart.prefix), 1...20 ~= word.count,
      word.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }), let path = try? StorePath(session.id)
    else { return nil }
    self.path = path
  }
}

/// The request with which a server writes bytes into a file, in place.
enum WebDAVPartialWrite: String, Sendable, CaseIterable {
  /// PUT with `Content-Range` (RFC 9110, section 14.5), as Apache's mod_dav takes it.
  case contentRange
  /// PATCH with `X-Update-Range` (sabre.io/dav/http-patch).
  case patch

  init?(_ findings: ServerFindings) {
    guard let word = findings["parts"], let known = WebDAVPartialWrite(rawValue: word) else { return nil }
    self = known
  }

  /// - Parameter bytes: at least one.
  func call(_ bytes: [UInt8], at offset: UInt64, of url: String, about path: StorePath) -> WebDAVCall {
    let last = offset + UInt64(max(bytes.count, 1)) - 1
    let headers: HTTPHeaders =
      switch self {
      case .contentRange:
        ["Content-Range": "bytes \(offset)-\(last)/*", "Content-Type": "application/octet-stream"]
      case .patch:
        ["X-Update-Range": "bytes=\(offset)-\(last)", "Content-Type": "application/x-sabredav-partialupdate"]
      }
    var call = WebDAVCall(self == .patch ? .patch : .put, url, about: path, headers, body: .bytes(bytes))
    // Without it, Apache makes a file that is gone anew, with zeros before these bytes.
    call.request.headers["If-Match"] = "*"
    call.request.kind = .content
    return call
  }
}
