internal import Basics
public import FileStores
internal import JSON

extension DropboxV1Store {
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try folder.checkWritable(path)
    if mode != .overwrite { try await checkCondition(mode, at: path) }
    var pieces = try await SourcePieces(source, for: path, pieceBytes: tuning.pieceBytes)
    let first = try await pieces.next()
    guard !first.isLast else { return try await upload(.bytes(first.bytes), of: source, at: path, mode) }
    if mode == .overwrite { try await checkCondition(mode, at: path) }
    let uploads = DropboxV1Uploads(store: self)
    guard let session = try await start(uploads, path, first.bytes, of: source) else {
      return try await upload(try await whole(source, for: path, first.bytes, &pieces), of: source, at: path, mode)
    }
    var offset = UInt64(first.bytes.count)
    while true {
      let piece = try await pieces.next()
      try checkCancelled("The writing", path)
      if !piece.bytes.isEmpty {
        offset = try await uploads.send(.bytes(piece.bytes), to: session, at: offset, path, telling: source)
      }
      if piece.isLast { return try await uploads.commit(session, size: offset, at: path, mode) }
    }
  }

  private func start(
    _ uploads: DropboxV1Uploads, _ path: StorePath, _ bytes: [UInt8], of source: any ByteSource
  ) async throws(StoreError) -> UploadSession? {
    if memory.hasNoChunks { return nil }
    do throws(StoreError) {
      return try await uploads.start(path, bytes) { source.delivered($0) }
    } catch {
      if memory.hasNoChunks { return nil }
      throw error
    }
  }

  /// All bytes as one body, read while they are sent, or before if their number is unknown.
  private func whole(
    _ source: any ByteSource, for path: StorePath, _ first: [UInt8], _ pieces: inout SourcePieces
  ) async throws(StoreError) -> HTTPBody {
    if let size = source.size {
      return .source(CheckedSource(source, size: size, for: path), from: 0, length: size)
    }
    var bytes = first
    while true {
      let piece = try await pieces.next()
      bytes += piece.bytes
      if piece.isLast { return .bytes(bytes) }
    }
  }

  private func upload(
    _ body: HTTPBody, of source: any ByteSource, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    if memory.hasPut == false { return try await uploadForm(body, of: source, at: path, mode) }
    var call = DropboxV1Call(.put, at: folder.ownPath(path), about: path, [:])
    call.parameters += DropboxV1Store.condition(mode)
    (call.body, call.sent) = (body, { source.delivered($0) })
    switch try await client.answer(call) {
    // `files_put` makes folders, so 404 means that the server lacks the route.
    case .refusal(let refusal) where refusal.isUnknownRoute || (refusal.isMissing && memory.hasPut == nil):
      memory.hasPut = false
      return try await uploadForm(body, of: source, at: path, mode)
    case let answer:
      if case .result = answer { memory.hasPut = true }
      return try await written(answer, call, at: path, mode, size: body.length ?? 0)
    }
  }

  private func uploadForm(
    _ body: HTTPBody, of source: any ByteSource, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    var call = DropboxV1Call(.form, at: folder.ownPath(path.parent), about: path, [:])
    call.parameters += DropboxV1Store.condition(mode)
    call.fileName = String(decoding: path.name, as: UTF8.self)
    (call.body, call.sent) = (body, { source.delivered($0) })
    // 128 random bits occur in no file.
    call.boundary =
      "byteclub-" + [tuning.random(), tuning.random()].map { String($0, radix: 36) }.joined(separator: "-")
    var answer = try await client.answer(call)
    if case .refusal(let refusal) = answer, refusal.isMissing {
      // A form does not create folders.
      try await createFolder(path.parent)
      answer = try await client.answer(call)
    }
    return try await written(answer, call, at: path, mode, size: body.length ?? 0)
  }

  /// The condition of a write. Without `autorename=false`, the server stores rejected writes under another name.
  static func condition(_ mode: WriteMode) -> [(String, String)] {
    switch mode {
    case .create: [("overwrite", "false"), ("autorename", "false")]
    case .overwrite: [("overwrite", "true"), ("autorename", "false")]
    case .replace(let base): [("parent_rev", base.value), ("overwrite", "false"), ("autorename", "false")]
    }
  }

  /// Checks that the intended bytes were stored at the intended path.
  func written(
    _ answer: DropboxV1Answer, _ call: DropboxV1Call, at path: StorePath, _ mode: WriteMode, size: UInt64
  ) async throws(StoreError) -> FileEntry {
    let json: JSONValue
    switch answer {
    case .result(let result): json = result
    case .refusal(let refusal): throw try await writeError(refusal, at: path, mode)
    }
    let found: FileEntry?
    // The oldest servers respond to a form with this.
    if json["path"] == nil, json["result"]?.text != nil {
      found = try await entryIfAny(path)
    } else {
      guard let metadata = DropboxV1Metadata(json), !metadata.isFolder else {
        throw client.nonsense("no metadata", call)
      }
      if metadata.lower != DropboxFolder.fold(folder.ownPath(path).utf8) {
        throw try await refuseCopy(metadata, at: path, mode)
      }
      found = try entry(metadata, asked: path)
    }
    guard let entry = found, entry.kind == .file else { throw client.nonsense("no metadata", call) }
    guard entry.size == size else { throw .notWhole(entry, client.server.name, sent: size) }
    return entry
  }

  /// Removes a renamed copy that the server stored instead of rejecting the write, even if the task is cancelled. The
  /// error names a copy that remains.
  private func refuseCopy(
    _ copy: DropboxV1Metadata, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> StoreError {
    var note = " The server had stored your upload as \"\(copy.name)\"; byteclub removed that copy."
    do throws(StoreError) {
      try await pool.finishing { () throws(StoreError) in try await self.remove(copy, about: path) }
    } catch {
      note =
        " The server has stored your upload as \"\(copy.path)\", and byteclub could not remove it: \(error.message)"
    }
    let there = try? await entryIfAny(path)
    if case .replace = mode { return .conflict(path, there, note) }
    return .exists(there ?? FileEntry(path: path, kind: .other), note)
  }

  private func remove(_ copy: DropboxV1Metadata, about path: StorePath) async throws(StoreError) {
    let look = DropboxV1Call(.metadata, at: copy.path, about: path, ["list": "false"])
    let there = DropboxV1Metadata(try await client.result(look))
    guard let there, !there.isDeleted, there.revision == copy.revision else { return }
    _ = try await client.result(
      DropboxV1Call(.delete, about: path, ["root": client.root, "path": copy.path]))
  }

  private func writeError(
    _ refusal: DropboxV1Refusal, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> StoreError {
    if refusal.isUnknownRoute || refusal.error.kind == .badName || refusal.status == 304 { return refusal.error }
    let there = try await entryIfAny(path)
    switch mode {
    case .replace(let base):
      if refusal.status == 409 || there?.revision != base { return .conflict(path, there) }
    case .create: if let there { return .exists(there) }
    case .overwrite: if let there, there.kind != .file { return .exists(there) }
    }
    return try await blocked(path, entryIfAny) ?? refusal.error
  }
}
