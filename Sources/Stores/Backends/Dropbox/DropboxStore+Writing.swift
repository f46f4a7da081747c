public import FileStores
internal import JSON

extension DropboxStore {
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try folder.checkWritable(path)
    try await checkBase(mode, at: path)
    if let entry = try await stream(source, at: path, mode) { return entry }
    var pieces = try await SourcePieces(source, for: path, pieceBytes: tuning.pieceBytes)
    let first = try await pieces.next()
    guard !first.isLast else { return try await upload(first.bytes, pieces.finishHash(), of: source, at: path, mode) }
    try await checkCondition(mode, at: path)
    let uploads = DropboxUploads(store: self)
    var session = try await uploads.start(path, first.bytes) { source.delivered($0) }
    session.modified = source.modified
    var offset = UInt64(first.bytes.count)
    while true {
      let piece = try await pieces.next()
      try checkCancelled("The writing", path)
      if piece.isLast {
        return try await uploads.finish(
          session, at: offset, last: piece.bytes, whole: pieces.finishHash(), path: path, mode: mode, telling: source)
      }
      offset = try await uploads.sendSteadily(piece.bytes, to: session, at: offset, path, telling: source)
    }
  }

  private func upload(
    _ bytes: [UInt8], _ hash: ContentHash, of source: any ByteSource, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    var argument = commit(path, mode, source.modified)
    argument.append(JSONMember("content_hash", .string(hash.hex)))
    var call = DropboxCall(.upload, .object(argument), about: path)
    (call.body, call.sent) = (.bytes(bytes), { source.delivered($0) })
    switch try await client.answer(call) {
    case .refusal(let refusal): throw try await writeError(refusal, at: path, mode)
    case .result(let json): return try checked(try file(json, call, at: path), hash, UInt64(bytes.count))
    }
  }

  /// Sends a whole file in one call while reading it.
  /// - Returns: nil if the file is too large or too small for this, or if the connection broke; pieces survive that.
  private func stream(
    _ source: any ByteSource, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry? {
    guard let size = source.size, size > UInt64(tuning.pieceBytes), size <= tuning.streamedBytes else { return nil }
    try await checkCondition(mode, at: path)
    try checkCancelled("The writing", path)
    let hashed = CheckedSource(source, size: size, for: path, hashing: pool)
    var call = DropboxCall(.upload, .object(commit(path, mode, source.modified)), about: path)
    (call.body, call.sent) = (.source(hashed, from: 0, length: size), { source.delivered($0) })
    let answer: DropboxAnswer<DropboxRefusal>
    do throws(StoreError) {
      answer = try await client.answer(call)
    } catch {
      guard error.kind == .offline, !Task.isCancelled else { throw error }
      guard hashed.isWhole, let there = try await entryIfAny(path), there.size == size,
        there.contentHash == (try await hashed.hash())
      else { return nil }
      return there
    }
    switch answer {
    case .refusal(let refusal): throw try await writeError(refusal, at: path, mode)
    case .result(let json): return try checked(try file(json, call, at: path), try await hashed.hash(), size)
    }
  }

  func commit(_ path: StorePath, _ mode: WriteMode, _ modified: Timestamp? = nil) -> [JSONMember] {
    let word: JSONValue
    switch mode {
    case .create: word = "add"
    case .overwrite: word = "overwrite"
    case .replace(let base): word = .members([".tag": "update", "update": .string(base.value)])
    }
    return [
      JSONMember("path", .string(folder.ownPath(path))), JSONMember("mode", word),
      JSONMember("autorename", false),
      // Without it, identical bytes are no conflict, so two members could write them over one revision. It also rejects
      // a deleted base, which `update` would otherwise write anew (`CommitInfo.strict_conflict` and `WriteMode` in the
      // API's files.stone).
      JSONMember("strict_conflict", .bool(mode != .overwrite)),
    ] + (modified.map { [JSONMember("client_modified", .string(DropboxTime.text($0)))] } ?? [])
  }

  func writeError(
    _ refusal: DropboxRefusal, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> StoreError {
    guard refusal.isConflict else { return refusal.error(path, client.server) }
    let there = try await entryIfAny(path)
    if case .replace = mode { return .conflict(path, there) }
    if let there { return .exists(there, at: path) }
    return refusal.error(path, client.server)
  }

  /// Rejects a revision of another store, or one never seen at this path if nothing exists there.
  func checkBase(_ mode: WriteMode, at path: StorePath) async throws(StoreError) {
    guard case .replace(let base) = mode else { return }
    if DropboxRevisions.isPossible(base), seen.wereSeen(base, at: path) { return }
    try await checkCondition(mode, at: path)
  }

  /// - Parameter hash: nil if the bytes came in pieces of other processes.
  func checked(_ entry: FileEntry, _ hash: ContentHash?, _ size: UInt64) throws(StoreError) -> FileEntry {
    guard entry.size == size else { throw .notWhole(entry, client.server.name, sent: size) }
    guard hash == nil || entry.contentHash == nil || entry.contentHash == hash else {
      throw StoreError(
        .corrupt, "\(client.server.name) stored \"\(entry.path)\" with other bytes than byteclub sent.",
        remedy: "Check the file, then save it again.", path: entry.path, current: entry)
    }
    return entry
  }
}
