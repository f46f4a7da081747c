internal import Basics
public import FileStores

extension S3Store {
  /// One request with the condition of `mode`, up to 5 GiB (AWS, PutObject); an upload in parts for more, for a large new
  /// file, and for a source of unknown length.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try checkWritable(path)
    let features = try await features(writing: path)
    try await checkName(path, mode, features)
    if let size = source.size, size > UInt64(tuning.partBytes) {
      guard size <= UInt64(tuning.longestPart), !goesTogether(size, mode, features) else {
        return try await upload(source, size: size, at: path, mode)
      }
      return try await stream(source, size: size, at: path, mode, features)
    }
    var pieces = try await SourcePieces(source, for: path, pieceBytes: tuning.partBytes)
    let first = try await pieces.next()
    if first.isLast {
      var call = S3Call(.put, place.key(path), about: path, headers: S3Store.fields(ofTime: source.modified))
      call.body = .bytes(first.bytes)
      call.sent = { source.delivered($0) }
      return try await write(call, size: UInt64(first.bytes.count), mode, features)
    }
    let uploads = S3Uploads(store: self)
    let session = try await uploads.begin(path, size: nil, modified: source.modified)
    return try await orAbandoning(session, uploads) { () throws(StoreError) in
      var offset = try await uploads.append(first.bytes[...], to: session, at: 0)
      while true {
        let piece = try await pieces.next()
        offset = try await uploads.append(piece.bytes[...], to: session, at: offset)
        source.delivered(offset)
        if piece.isLast { break }
      }
      return try await uploads.finish(session, size: offset, at: path, mode: mode)
    }
  }

  /// Sets the bytes of a source from `offset` as the body. One that is too large for memory is read for its hash first,
  /// and again while it is sent; bytes that differ by then are refused.
  func setBody(
    of call: inout S3Call, _ source: any ByteSource, from offset: UInt64, count: UInt64
  ) async throws(StoreError) {
    let isHeld = count <= UInt64(tuning.heldBytes)
    var bytes: [UInt8] = []
    if isHeld { bytes.reserveCapacity(Int(count)) }
    let hash = SHA256()
    var reading = try await source.open(at: offset)
    var left = count
    while left > 0 {
      try checkCancelled("The writing", call.path)
      guard let chunk = try await reading.next() else {
        throw .wrongLength(call.path, declared: offset + count, given: offset + count - left)
      }
      let part = chunk.prefix(Int(clamping: left))
      left -= UInt64(part.count)
      if isHeld { bytes.append(contentsOf: part) } else { hash.update(part) }
    }
    call.body =
      isHeld
      ? .bytes(bytes) : .source(source, from: offset, length: count, hash: SHA256.hexadecimal(hash.finish()))
  }

  private func stream(
    _ source: any ByteSource, size: UInt64, at path: StorePath, _ mode: WriteMode, _ features: S3Features
  ) async throws(StoreError) -> FileEntry {
    var call = S3Call(.put, place.key(path), about: path, headers: S3Store.fields(ofTime: source.modified))
    try await setBody(of: &call, CheckedSource(source, size: size, for: path), from: 0, count: size)
    call.isContent = true
    call.sent = { source.delivered($0) }
    return try await write(call, size: size, mode, features)
  }

  /// Sends a PutObject, or a CompleteMultipartUpload, with the condition of `mode`.
  private func write(
    _ call: S3Call, size: UInt64, _ mode: WriteMode, _ features: S3Features
  ) async throws(StoreError) -> FileEntry {
    var call = call
    let condition = try await condition(mode, at: call.path, features)
    call.headers += condition
    var answer = try await self.answer(toBody: call)
    // 409 means that another write or deletion ran at the same moment (AWS, "conditional requests"); Ceph 16 answers
    // 500. A body that is a source is not sent again here, nor what goes without a condition: it would need another look.
    if case .bytes = call.body, !condition.isEmpty {
      for round in 0..<8 where answer.status == 409 || answer.status == 500 {
        try await pause(after: round, call)
        answer = try await self.answer(toBody: call)
      }
    }
    if answer.isSuccess {
      return try await confirmed(try entry(answer.response, call, at: call.path, size: size), features)
    }
    // A request that has failed, or that has arrived twice, may have written all the same.
    let there = answer.status == 412 ? try await steadily { () throws(StoreError) in try await head(call.path) } : nil
    if let there, !there.isReserved, there.entry.size == size, let own = try await written(call) { return own }
    throw try await writeError(answer, call, mode, there)
  }

  /// Sends a request with content. A large body is announced first, if the server is known to wait for it then.
  func answer(toBody call: S3Call) async throws(StoreError) -> S3Client.Answer {
    var call = call
    if server.known?.mayAsk == true { call.asksFrom = HTTPRequest.largeBody }
    return try await client.answer(call)
  }

  /// Waits before a request is sent again that met another one for its file. The pauses grow, and differ, so that the two
  /// do not meet again.
  func pause(after round: Int, _ call: S3Call) async throws(StoreError) {
    try await tuning.clock.rest(.milliseconds(Int64(tuning.random() % (10 << round))), "The request", call.path)
  }

  /// MD5 of no bytes.
  private static let etagOfNothing = "d41d8cd98f00b204e9800998ecf8427e"

  /// The entry of a write that was answered with success. A server that compares no hashes is asked how many bytes it
  /// has, unless another member has written since.
  func confirmed(_ written: FileEntry, _ features: S3Features) async throws(StoreError) -> FileEntry {
    guard !features.comparesBodies else {
      // Ceph 16 compares the hash with no body that is empty.
      guard written.size == 0 || written.revision?.etag(at: written.path) != S3Store.etagOfNothing else {
        let nothing = FileEntry(path: written.path, kind: .file, size: 0, revision: written.revision)
        throw .notWhole(nothing, place.name, sent: written.size ?? 0)
      }
      return written
    }
    let there = try await steadily { () throws(StoreError) in try await head(written.path)?.entry }
    if let there, there.revision == written.revision, there.size != written.size {
      throw .notWhole(there, place.name, sent: written.size ?? 0)
    }
    return written
  }

  /// The file that a request writes if it has the request's bytes already.
  private func written(_ call: S3Call) async throws(StoreError) -> FileEntry? {
    let source: any ByteSource
    switch call.body {
    case .empty: source = DataSource([])
    case .bytes(let bytes): source = DataSource(bytes)
    case .source(let given, _, _, _): source = given
    }
    return try await steadily { () throws(StoreError) in try await entry(at: call.path, holding: source) }
  }

  /// The header of a condition. Without a kept one, looks before the write; `unsafeWrites` allows that.
  private func condition(
    _ mode: WriteMode, at path: StorePath, _ features: S3Features
  ) async throws(StoreError) -> [(String, String)] {
    switch mode {
    case .overwrite: return []
    case .create:
      if features.create == .kept { return [("If-None-Match", "*")] }
      if let there = try await file(at: path) { throw .exists(there, at: path) }
      return []
    case .replace(let base):
      guard let etag = base.etag(at: path) else { throw .conflict(path, try await entryIfAny(path)) }
      if let header = S3Features.header(features.replace, ifMatch: etag) { return [header] }
      let there = try await entryIfAny(path)
      if there?.revision != base { throw .conflict(path, there) }
      return []
    }
  }

  /// Looks for folders where a file is to be written, which no condition covers. A base is proof of the name.
  func checkName(_ path: StorePath, _ mode: WriteMode, _ features: S3Features) async throws(StoreError) {
    if case .replace = mode { return }
    try await checkNoFile(above: path)
    if try await isFolder(path) { throw .exists(FileEntry(path: path, kind: .folder), at: path) }
  }

  /// 412: the condition does not hold. 404 to a replacement: nothing is there (AWS).
  /// - Parameter known: the file or reserved name that a look has found since.
  func writeError(
    _ answer: S3Client.Answer, _ call: S3Call, _ mode: WriteMode, _ known: Head? = nil
  ) async throws(StoreError) -> StoreError {
    switch (answer.status, mode) {
    case (412, .create):
      let found = if let known { known } else { try await head(call.path) }
      guard let there = found else { return busy(call) }
      if try await removeStale(there, answer.response) { return busy(call) }
      return .exists(there.entry, at: call.path)
    case (412, _): return .conflict(call.path, try await entryIfAny(call.path))
    case (404, .replace):
      let code = S3Fault.code(answer.body)
      guard code == nil || code == "NoSuchKey" else { return client.error(answer, call) }
      return .conflict(call.path, try await entryIfAny(call.path))
    default:
      // The server took this condition in the test, and does not any more.
      if answer.status == 501 || answer.status == 405 { server.surprised() }
      return client.error(answer, call)
    }
  }

  /// Something was there and has gone again.
  private func busy(_ call: S3Call) -> StoreError {
    StoreError(.server, "\"\(call.path)\" changed while it was written.", remedy: "Try again.", path: call.path)
  }
}
