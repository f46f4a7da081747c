internal import FileStores
internal import XML

/// Multipart uploads in parts of one size. The session's id has the key, the upload's id and the size of its parts, so
/// any process goes on by asking for the parts (ListParts).
struct S3Uploads: ChunkedUploads {
  let store: S3Store

  var piece: UploadPiece { .exactly(store.tuning.partBytes) }
  var offsets: UploadOffsets { store.sent }
  var mostChunks: Int { store.tuning.mostParts }
  var serverName: String { store.place.name }
  /// Until a rule of the bucket removes it; Cloudflare R2 does after seven days.
  var keptFor: Duration? { nil }
  /// An upload is bound to its key (AWS, CreateMultipartUpload).
  var finishesElsewhere: Bool { false }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try store.checkCancelled("The upload", path)
    try store.checkWritable(path)
    guard let partBytes = store.tuning.partBytes(for: size ?? 0) else { throw .tooLarge(path, store.place.name) }
    _ = try await store.features(writing: path)
    let call = S3Call(
      .post, store.place.key(path), about: path, query: [("uploads", "")], headers: S3Store.fields(ofTime: modified))
    guard let id = try await store.client.root(call)["UploadId"]?.text, !id.isEmpty, id.utf8.count <= 1024 else {
      throw store.nonsense("no id of an upload", call)
    }
    let session = S3Session(path: path, upload: id, partBytes: partBytes)
    offsets[session.word] = 0
    return session.word
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await appending(bytes.count, to: session, at: offset) { (known) throws(StoreError) in
      var call = part(known, at: offset)
      call.body = .bytes(Array(bytes))
      try await send(call)
    }
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await appending(count, to: session, at: offset) { (known) throws(StoreError) in
      var call = part(known, at: offset)
      call.sent = { source.delivered(offset + $0) }
      try await store.setBody(of: &call, source, from: offset, count: UInt64(count))
      try await send(call)
    }
  }

  /// Sends the part that begins at an offset. Parts may come in any order, and again.
  func send(_ bytes: [UInt8], of session: UploadSession, at offset: UInt64) async throws(StoreError) {
    let known = try parsed(session)
    guard offset / UInt64(known.partBytes) < UInt64(mostChunks) else { throw .tooLarge(known.path, serverName) }
    if bytes.isEmpty { return }
    var call = part(known, at: offset)
    call.body = .bytes(bytes)
    offsets[session] = nil
    try await send(call)
  }

  private func send(_ call: S3Call) async throws(StoreError) {
    let answer = try await store.answer(toBody: call)
    guard answer.isSuccess else { throw error(answer, call) }
  }

  func have(_ known: S3Session) async throws(StoreError) -> UInt64 { known.run(try await parts(known)).bytes }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let known = try parsed(session, path)
    try store.checkWritable(path)
    let features = try await store.features(writing: path)
    let all = try await parts(known)
    guard known.path == path else {
      throw StoreError(
        .badInput, "An upload to \"\(known.path)\" cannot become \"\(path)\".", remedy: "Start again.", path: path)
    }
    let run = known.run(all)
    guard run.bytes == size, run.count == all.count else { throw .wrongLength(path, declared: size, given: run.bytes) }
    try await store.checkName(path, mode, features)
    guard size > 0 else {
      let entry = try await store.put(DataSource([], modified: session.modified), at: path, mode: mode)
      try await abandon(session)
      return entry
    }
    let entry = try await complete(known, run, size: size, mode, features)
    offsets[session] = nil
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    guard let known = S3Session(session) else { return }
    offsets[session] = nil
    let call = call(.delete, known, [("uploadId", known.upload)])
    let answer = try await store.client.answer(call)
    let error = answer.isSuccess ? nil : store.client.error(answer, call)
    if let error, error.kind != .notFound { throw error }
  }

  /// CompleteMultipartUpload with the condition of `mode`; where the server ignores it there, with a name that was
  /// reserved, or after a look and with a copy in the trash.
  private func complete(
    _ known: S3Session, _ parts: [UploadChunk], size: UInt64, _ mode: WriteMode, _ features: S3Features
  ) async throws(StoreError) -> FileEntry {
    var call = call(.post, known, [("uploadId", known.upload)])
    let list = parts.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>&quot;\($0.etag)&quot;</ETag></Part>" }
    call.body = .bytes(Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8))
    var reserved: Revision?
    switch mode {
    case .overwrite: break
    case .create where features.completeCreate == .kept: call.headers.append(("If-None-Match", "*"))
    case .create where features.create == .kept:
      reserved = try await store.reserve(known.path, mark: known.mark)
    case .create:
      if let there = try await store.entryIfAny(known.path) { throw .exists(there, at: known.path) }
    case .replace(let base):
      guard let etag = base.etag(at: known.path) else {
        throw .conflict(known.path, try await store.entryIfAny(known.path))
      }
      if let header = S3Features.header(features.completeReplace, ifMatch: etag) {
        call.headers.append(header)
      } else {
        try await keepOld(known.path, base, features)
      }
    }
    let answer = try await store.client.answer(call)
    guard answer.isSuccess else {
      if answer.status == 404, let there = try await completed(known, parts, size: size, mode) { return there }
      if let reserved, let there = try? await store.head(known.path), there.reservation == known.mark {
        _ = try? await store.remove(there.entry, ifRevision: reserved, features)
      }
      // AWS: after a 409 here the upload is lost, and every part must be sent again.
      if answer.status == 409 { throw .uploadGone(known.path) }
      if answer.status == 412 || mode.isReplace && answer.status == 404 && S3Fault.code(answer.body) == "NoSuchKey" {
        throw try await store.writeError(answer, call, mode)
      }
      throw error(answer, call)
    }
    // Ceph 16 sends an empty ETag here.
    guard let etag = (try store.client.node(answer, call)["ETag"]?.text).flatMap(S3Client.revision) else {
      let there = try await store.file(at: known.path)
      // Of another size, it is another member's.
      guard let there, there.size == size else { throw .conflict(known.path, there) }
      return there
    }
    let date = answer.response.date
    let written = FileEntry(
      path: known.path, kind: .file, size: size, modified: date.map { Timestamp(seconds: $0) },
      revision: Revision(etag: etag, of: known.path))
    return try await store.confirmed(written, features)
  }

  /// The file of an upload that is gone because this request arrived twice. The ETag of a file that came in parts ends with
  /// their number.
  private func completed(
    _ known: S3Session, _ parts: [UploadChunk], size: UInt64, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry? {
    let there = try await store.steadily { () throws(StoreError) in try await store.file(at: known.path) }
    guard let there, there.size == size, there.etag?.hasSuffix("-\(parts.count)") == true else { return nil }
    if case .replace(let base) = mode, there.revision == base { return nil }
    return there
  }

  /// The server replaces without a condition, so the old content goes to the trash first. With versioning, it stays in
  /// the history.
  private func keepOld(_ path: StorePath, _ base: Revision, _ features: S3Features) async throws(StoreError) {
    guard let there = try await store.file(at: path), there.revision == base else {
      throw .conflict(path, try await store.entryIfAny(path))
    }
    if features.isVersioned { return }
    _ = try await S3Trash(store: store).keepCopy(of: there, features)
    let now = try await store.file(at: path)
    if now?.revision != base { throw .conflict(path, now) }
  }

  /// All parts, in order.
  func parts(_ known: S3Session) async throws(StoreError) -> [UploadChunk] {
    var all: [UploadChunk] = []
    var marker: String?
    while true {
      var query = [("uploadId", known.upload)]
      if let marker { query.append(("part-number-marker", marker)) }
      let call = call(.get, known, query)
      let answer = try await store.client.answer(call)
      guard answer.isSuccess else { throw error(answer, call) }
      let root = try store.client.node(answer, call)
      for node in root.all("Part") {
        guard let number = (node["PartNumber"]?.text).flatMap({ Int($0) }), number > all.last?.number ?? 0,
          number <= store.tuning.mostParts, let size = (node["Size"]?.text).flatMap({ UInt64($0) }), size <= 5 << 30,
          let etag = (node["ETag"]?.text).flatMap(S3Client.revision), !etag.contains("<"), !etag.contains("&")
        else { throw store.nonsense("a wrong list of parts", call) }
        all.append(UploadChunk(number: number, size: size, etag: etag))
      }
      guard root["IsTruncated"]?.text == "true" else { return all }
      guard let next = root["NextPartNumberMarker"]?.text, next != marker, !root.all("Part").isEmpty else {
        throw store.nonsense("the same list of parts again", call)
      }
      marker = next
    }
  }

  private func part(_ known: S3Session, at offset: UInt64) -> S3Call {
    let number = offset / UInt64(known.partBytes) + 1
    var call = call(.put, known, [("partNumber", String(number)), ("uploadId", known.upload)])
    call.isContent = true
    return call
  }

  private func call(_ method: HTTPMethod, _ known: S3Session, _ query: [(String, String)]) -> S3Call {
    S3Call(method, store.place.key(known.path), about: known.path, query: query)
  }

  private func error(_ answer: S3Client.Answer, _ call: S3Call) -> StoreError {
    let error = store.client.error(answer, call)
    return error.kind == .notFound && S3Fault.code(answer.body) != "NoSuchBucket" ? .uploadGone(call.path) : error
  }
}

extension WriteMode {
  fileprivate var isReplace: Bool { if case .replace = self { true } else { false } }
}
