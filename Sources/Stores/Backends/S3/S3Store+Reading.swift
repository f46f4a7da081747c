public import FileStores

extension S3Store {
  /// The server's answer to one GET is one revision's bytes. They have no content hash to compare.
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    if path.isRoot { throw .isFolder(path) }
    guard !path.isReserved, let key = place.key(path) else { throw .missing(path) }
    var call = S3Call(.get, key, about: path)
    if let revision = options.revision {
      guard let etag = revision.etag(at: path) else {
        let there = try await entry(at: path)
        throw there.kind == .file ? .conflict(path, there) : .notFile(path)
      }
      call.headers.append(("If-Match", "\"\(etag)\""))
    }
    return try await read(call, options, receive)
  }

  /// Also for versions, whose call names one.
  func read(
    _ call: S3Call, _ options: ReadOptions,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let (path, offset, ifRevision) = (call.path, options.offset, options.revision)
    // A range that begins past what any server knows is refused in other ways than 416.
    guard offset <= UInt64(Int64.max) else { throw try await past(path, offset, ifRevision) }
    var call = call
    (call.isContent, call.isShort) = (true, options.isShort)
    // Also from 0: the whole size in `Content-Range` shows an answer whose own length is another.
    call.headers.append(("Range", options.range ?? "bytes=0-"))
    var entry: FileEntry?
    var part: FilePart?
    func ask() async throws(StoreError) -> S3Client.Answer {
      try await client.download(call) { (response) throws(StoreError) in
        let size = try wholeSize(response, from: offset, call)
        let there = try self.entry(response, call, at: path, size: size)
        if size == 0, response.headers[S3Store.reservationField] != nil { throw .missing(path) }
        try options.check(there, size, at: path)
        part = try FilePart(of: path, options, size: size, in: response, place.name)
        entry = there
      } _: { (chunk) throws(StoreError) in
        try await hand(try part?.take(chunk), of: path, receive)
      }
    }
    var answer = try await ask()
    // Ceph 16 says so of a file that is replaced at the same moment.
    for round in 0..<8 where answer.status == 500 && S3Fault.code(answer.body) == "UnknownError" {
      try await pause(after: round, call)
      answer = try await ask()
    }
    switch answer.status {
    case 200...299:
      guard let entry else { throw nonsense("no description of \"\(path)\"", call) }
      try await hand(try part?.finish(), of: path, receive)
      return entry
    case 404:
      if S3Fault.code(answer.body) == "NoSuchBucket" { throw client.error(answer, call) }
      if try await isFolder(path) { throw .notFile(path) }
      throw .missing(path)
    case 412: throw .conflict(path, try await entryIfAny(path))
    case 416:
      let there = try await whole(call)
      if there.kind != .file { throw .notFile(path) }
      if let ifRevision, there.revision != ifRevision { throw .conflict(path, there) }
      if there.size == offset { return there }
      // It was empty, and is not any more.
      if offset == 0 { throw .conflict(path, there) }
      throw .pastTheEnd(path, offset, there.size ?? 0)
    default: throw client.error(answer, call)
    }
  }

  /// The file, or the version, that a call reads.
  private func whole(_ call: S3Call) async throws(StoreError) -> FileEntry {
    let path = call.path
    guard let version = call.query.first(where: { $0.0 == "versionId" })?.1 else { return try await entry(at: path) }
    guard let there = try await head(path, version: version), !there.isReserved else { throw .missing(path) }
    return there.entry
  }

  /// The size of the whole file, which a part says in `Content-Range`.
  private func wholeSize(
    _ response: HTTPResponse, from offset: UInt64, _ call: S3Call
  ) throws(StoreError) -> UInt64 {
    let range = response.headers["Content-Range"]?.split(separator: "/").last.flatMap { UInt64($0) }
    guard let size = response.status == 206 ? range : response.contentLength else {
      throw nonsense("no size of \"\(call.path)\"", call)
    }
    return size
  }

  private func past(
    _ path: StorePath, _ offset: UInt64, _ ifRevision: Revision?
  ) async throws(StoreError) -> StoreError {
    let there = try await entry(at: path)
    guard there.kind == .file else { return .notFile(path) }
    if let ifRevision, there.revision != ifRevision { return .conflict(path, there) }
    return .pastTheEnd(path, offset, there.size ?? 0)
  }
}
