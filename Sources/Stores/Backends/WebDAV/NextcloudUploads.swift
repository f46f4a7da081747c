internal import FileStores

/// Uploads in chunks to Nextcloud and ownCloud 10: numbered chunks in a folder of the server's, which a MOVE assembles.
/// Source: Nextcloud developer manual, "Chunked file upload", version 2.
///
/// - A new file is assembled under a name of byteclub's own in the club's folder, then moved to its place: the server
///   looks at the place before it assembles, which can take minutes. So an upload can be finished elsewhere, too.
/// - A file that is there is assembled over, on the condition of its ETag: one that was moved over it would lose the
///   server's versions and shares.
/// - The MOVE's answer is often lost in a proxy while the server still assembles (nextcloud/server#17992). The server
///   removes the upload's folder at the end, which shows how far it is.
struct NextcloudUploads: ChunkedUploads {
  /// The server's limits: 10,000 chunks of 5 MB to 5 GB, the last of which may be smaller.
  static let mostChunks = 10_000
  private static let largestChunk = 5_000_000_000
  /// The longest wait for the server to assemble a file.
  private static let patience = Duration.seconds(900)

  private let store: WebDAVStore
  private let place: WebDAVAddress

  /// nil if the club's address is not that of files at a Nextcloud, or if the test of the server found no chunks.
  init?(_ store: WebDAVStore) {
    guard let place = store.address.nextcloudUploads, store.server.known.map({ $0["chunks"] == "kept" }) ?? true else {
      return nil
    }
    (self.store, self.place) = (store, place)
  }

  var piece: UploadPiece { .exactly(store.tuning.chunkBytes) }
  var offsets: UploadOffsets { store.sent }
  var mostChunks: Int { NextcloudUploads.mostChunks }
  var serverName: String { store.client.name }
  /// The server removes an upload after 24 hours without a chunk; one on an object storage, 24 hours after its begin.
  var keptFor: Duration? { .seconds(86_400) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try store.checkCancelled("The upload", path)
    try store.checkWritable(path)
    let findings = try await store.findings(writing: path)
    guard findings["chunks"] == "kept" else {
      throw StoreError(.unsupported, "\(store.client.name) takes no uploads in chunks.", path: path)
    }
    let chunk = NextcloudUploads.chunkBytes(for: size ?? 0, from: store.tuning.chunkBytes)
    guard let chunk else { throw .tooLarge(path, serverName) }
    let known = NextcloudSession(path: path, size: size, chunkBytes: chunk, store.tuning.random)
    let call = try call(.mkcol, known)
    let answer = try await store.client.steady(call)
    // 405: an earlier try has made it; nobody else knows the name.
    try store.client.check(answer, call, or: 405)
    offsets[known.word] = 0
    return known.word
  }

  static func chunkBytes(for size: UInt64, from first: Int) -> Int? {
    chunkBytes(for: size, from: first, most: mostChunks, longest: largestChunk)
  }

  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64 {
    try await send(.bytes(Array(bytes)), count: bytes.count, to: session, at: offset)
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    let watched = CheckedSource(source)
    let body = HTTPBody.source(watched, from: offset, length: UInt64(count))
    return try await send(body, count: count, from: watched, to: session, at: offset)
  }

  private func send(
    _ body: HTTPBody, count: Int, from source: CheckedSource? = nil, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await appending(count, to: session, at: offset) { (known) throws(StoreError) in
      var call = try call(.put, known, chunk: Int(offset / UInt64(known.chunkBytes)) + 1)
      call.request.kind = .content
      call.request.headers["Content-Type"] = "application/octet-stream"
      // With it the server compares the whole file with the free space at once.
      if known.size > 0 { call.request.headers["OC-Total-Length"] = String(known.size) }
      call.request.body = body
      (call.source, call.offset) = (source, offset)
      let (ready, reached) = (call, offset + UInt64(count))
      var isAgain = false
      let answer: HTTPAnswer? = try await store.client.steps(isFinal: { source?.failure != nil }) {
        () throws(StoreError) in
        if isAgain, let chunks = try await chunks(of: known), known.run(chunks).bytes == reached { return nil }
        isAgain = true
        return try await store.client.call(ready)
      }
      guard let answer else { return }
      // 412: the server has lost its notes about the upload.
      if [404, 409, 412].contains(answer.status) { throw .uploadGone(known.path) }
      try store.client.check(answer, call)
    }
  }

  func have(_ known: NextcloudSession) async throws(StoreError) -> UInt64 {
    if let chunks = try await chunks(of: known) { return known.run(chunks).bytes }
    return try await part(of: known).size ?? 0
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let known = try parsed(session, path)
    try store.checkWritable(path)
    let way = WebDAVWay(try await store.findings(writing: path))
    let chunks = try await chunks(of: known)
    let run = chunks.map { known.run($0) }
    let have = if let run { run.bytes } else { try await part(of: known).size ?? 0 }
    guard have == size, run?.count == chunks?.count else { throw .wrongLength(path, declared: size, given: have) }
    let there = try await store.look(at: path)?.entry
    try mode.check(there, at: path)
    guard size > 0 else {
      let entry = try await store.put(DataSource([]), at: path, mode: mode)
      try await abandon(session)
      return entry
    }
    var isAssembled = chunks == nil
    if there == nil {
      if !isAssembled {
        _ = try await assemble(known, size, at: try known.part, over: nil, about: path, session.modified, [:])
        try await store.checkWhole(try known.part, size, about: path)
      }
      isAssembled = true
      if let entry = try await created(known, size, path, mode) {
        offsets[session] = nil
        return entry
      }
    }
    let hasPart = isAssembled
    let entry = try await store.exclusively(path, size: size, mode, way) { (lock) throws(StoreError) in
      let url = store.address.url(path)
      var headers: HTTPHeaders = [:]
      if let lock {
        headers["If"] = lock.condition(on: url)
      } else if case .replace(let base) = mode, let tag = store.condition(base) {
        // If-Match would be about the chunks (RFC 4918, section 10.4).
        headers["If"] = "<\(url)> ([\(tag)])"
      }
      if hasPart {
        try await store.place(try known.part, size: size, at: path, headers)
        return WebDAVStore.Sent()
      }
      let old = try await store.look(at: path)?.entry.revision
      let tag = try await assemble(known, size, at: path, over: old, about: path, session.modified, headers)
      return WebDAVStore.Sent(tag: tag)
    }
    offsets[session] = nil
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    guard let known = NextcloudSession(session) else { return }
    offsets[session] = nil
    let call = try call(.delete, known)
    let answer = try await store.client.steady(call)
    try store.client.check(answer, call, or: 404, 410)
    await store.remove(try known.part)
  }

  /// - Returns: nil if something is there by now and the mode allows to write over it.
  private func created(
    _ known: NextcloudSession, _ size: UInt64, _ path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry? {
    if !path.parent.isRoot { try await store.makeFolder(path.parent) }
    do throws(StoreError) {
      return try await store.placeAlone(try known.part, size: size, at: path)
    } catch {
      guard error.kind == .exists, mode == .overwrite, error.current?.kind == .file else { throw error }
      return nil
    }
  }

  // MARK: - Assembling

  /// Lets the server make a file of the chunks, and waits for it, whatever becomes of the answer.
  /// - Returns: the file's tag, if the answer arrives and has it (`OC-ETag`, on which Nextcloud's own client insists).
  /// - Throws: `conflict` if a condition does not hold; `offline`, `server` or `rateLimited` if the server does not come
  ///   to an end, after which it may still do so.
  private func assemble(
    _ known: NextcloudSession, _ size: UInt64, at target: StorePath, over old: Revision?, about path: StorePath,
    _ modified: Timestamp?, _ headers: HTTPHeaders
  ) async throws(StoreError) -> WebDAVTag? {
    var call = try call(.move, known, file: ".file")
    for field in headers.fields { call.request.headers[field.name] = field.value }
    call.request.headers["Destination"] = store.address.url(target)
    call.request.headers["Overwrite"] = "T"
    call.request.headers["OC-Total-Length"] = String(size)
    call.request.headers["X-OC-Mtime"] = NextcloudFacts.time(modified)
    call.request.timeouts = HTTPTimeouts(idle: .seconds(600), whole: .seconds(3600))
    var (waited, failures) = (Duration.zero, 0)
    while true {
      let refusal: StoreError
      do throws(StoreError) { return try await closed(call) } catch { refusal = error }
      if refusal.kind == .conflict { throw .conflict(path, try await store.look(at: path)?.entry) }
      if refusal.kind == .server { failures += 1 }
      let isBusy = [.offline, .rateLimited, .server].contains(refusal.kind)
      // A second MOVE while the first still runs makes some servers copy everything again (nextcloud/server#6279).
      var (pause, quiet) = (Duration.seconds(1), Duration.seconds(30) + .milliseconds(Int64(clamping: size >> 13)))
      repeat {
        if try await chunks(of: known) == nil {
          guard let there = try await store.look(at: target)?.entry, there.size == size, there.revision != old else {
            throw .uploadGone(path)
          }
          return nil
        }
        guard isBusy, failures < 3, waited < NextcloudUploads.patience else { throw refusal }
        try await store.sleep(pause, path)
        (waited, quiet) = (waited + pause, quiet - pause)
        pause = min(pause * 2, .seconds(15))
      } while quiet > .zero
    }
  }

  private func closed(_ call: WebDAVCall) async throws(StoreError) -> WebDAVTag? {
    let answer = try await store.client.call(call)
    if answer.status == 412 { throw .conflict(call.path, nil) }
    try store.client.check(answer, call)
    return (answer.response.headers["OC-ETag"] ?? answer.response.headers["ETag"]).flatMap { WebDAVTag($0) }
  }

  // MARK: - Chunks

  /// The chunks that the server has, in their order; nil if the upload is gone.
  private func chunks(of known: NextcloudSession) async throws(StoreError) -> [UploadChunk]? {
    try await store.client.steps { () throws(StoreError) in
      try await NextcloudChunk.all(at: known.address(in: place), store.client, about: known.path)
    }
  }

  /// The assembled file of an upload that waits for its place.
  private func part(of known: NextcloudSession) async throws(StoreError) -> FileEntry {
    guard let part = try await store.look(at: try known.part)?.entry, part.kind == .file else {
      throw .uploadGone(known.path)
    }
    return part
  }

  private func call(
    _ method: HTTPMethod, _ known: NextcloudSession, chunk: Int? = nil, file: String? = nil
  ) throws(StoreError) -> WebDAVCall {
    let name = chunk.map(NextcloudChunk.name) ?? file
    let address = known.address(in: place)
    let url = if let name { address.url(try StorePath(name)) } else { address.url(.root, isFolder: true) }
    var call = WebDAVCall(method, url, about: known.path)
    // Each request of an upload names the same destination, in a folder that exists.
    call.request.headers["Destination"] = store.address.url(try known.part)
    return call
  }
}

/// The chunks of an upload are files with numbers for their names.
enum NextcloudChunk {
  /// With five digits: the server puts them together in the order of their names.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// The chunks in an upload's folder, in their order; nil if there is no such folder.
  static func all(
    at folder: WebDAVAddress, _ client: WebDAVClient, about path: StorePath
  ) async throws(StoreError) -> [UploadChunk]? {
    var chunks: [UploadChunk] = []
    let answer = try await client.at(folder).propfind(.root, isFolder: true, isDeep: true) {
      (resource) throws(StoreError) in
      // Beside them are `.file` and `.target`.
      guard let entry = resource?.entry, entry.kind == .file, entry.path.components.count == 1,
        let number = Int(String(decoding: entry.path.name, as: UTF8.self)), 1...NextcloudUploads.mostChunks ~= number
      else { return }
      chunks.append(UploadChunk(number: number, size: entry.size ?? 0))
    }
    return answer == nil ? nil : chunks.sorted { $0.number < $1.number }
  }
}
