import FileStores

/// One upload, from its first byte to its name.
struct OldUploadJob: Sendable {
  /// How often a store may ask to go on from elsewhere without having taken a byte in between.
  private static let maxFruitlessResumes = 3
  /// How many names are tried.
  private static let maxTargets = 100

  let source: any ByteSource
  let target: StorePath
  let mode: WriteMode
  let store: any FileStore
  let contentHash: ContentHash?
  let nextTarget: (@Sendable (StorePath) async throws(StoreError) -> StorePath)?
  let report: OldTransferReport
  let executor: (any TaskExecutor)?

  @concurrent
  func perform() async throws(StoreError) -> FileEntry {
    let entry = try await send()
    guard let contentHash, let arrived = entry.contentHash, arrived != contentHash else { return entry }
    // Over another version there is nothing to go back to; where nothing was, nothing is left.
    if mode == .create { try await store.delete(entry.path, ifRevision: entry.revision) }
    throw StoreError(
      .corrupt, "\"\(entry.path)\" arrived as something else than was sent.", remedy: "Upload it again.",
      path: entry.path)
  }

  private func send() async throws(StoreError) -> FileEntry {
    if let uploads = store.resumableUploads { return try await sendInPieces(through: uploads) }
    let counted = CountedSource(source, report)
    return try await tryingTargets { (target) throws(StoreError) in
      try await store.put(counted, at: target, mode: mode)
    }
  }

  private func sendInPieces(through uploads: any ResumableUploads) async throws(StoreError) -> FileEntry {
    let session = try await uploads.begin(target)
    do throws(StoreError) {
      let size = try await append(to: session, through: uploads, from: 0)
      return try await tryingTargets { (target) throws(StoreError) in
        try await report.advanced(to: .finishing)
        return try await uploads.finish(session, size: size, at: target, mode: mode)
      }
    } catch {
      try await abandon(session, through: uploads, after: error)
    }
  }

  /// Sends all bytes from `start` on. Returns how many there are in all.
  private func append(
    to session: UploadSession, through uploads: any ResumableUploads, from start: UInt64
  ) async throws(StoreError) -> UInt64 {
    var offset = start
    var fruitless = 0
    while true {
      let before = offset
      do throws(StoreError) {
        return try await appendOnce(to: session, through: uploads, &offset)
      } catch {
        fruitless = offset > before ? 1 : fruitless + 1
        guard error.kind == .conflict, fruitless <= Self.maxFruitlessResumes else { throw error }
        offset = try await uploads.offset(of: session)
        try await report.resumed(at: offset)
      }
    }
  }

  private func appendOnce(
    to session: UploadSession, through uploads: any ResumableUploads, _ offset: inout UInt64
  ) async throws(StoreError) -> UInt64 {
    var reading = try await source.open(at: offset)
    var piece: [UInt8] = []
    let pieceBytes = max(1, uploads.pieceBytes)
    piece.reserveCapacity(Int(clamping: min(UInt64(pieceBytes), source.size ?? UInt64(pieceBytes))))
    var atEnd = false
    while !atEnd {
      if let chunk = try await reading.next() {
        piece.append(contentsOf: chunk)
      } else {
        atEnd = true
      }
      while piece.count >= pieceBytes || (atEnd && !piece.isEmpty) {
        let sending = piece.prefix(pieceBytes)
        if let size = source.size, offset + UInt64(sending.count) > size { throw wrongLength }
        offset = try await uploads.append(sending, to: session, at: offset)
        piece.removeFirst(sending.count)
        try await report.progressed(to: offset)
      }
    }
    if let size = source.size, offset != size { throw wrongLength }
    return offset
  }

  /// Throws `error` on when nothing is left in the store, otherwise says what is.
  private func abandon(
    _ session: UploadSession, through uploads: any ResumableUploads, after error: StoreError
  ) async throws(StoreError) -> Never {
    // A task of its own: this one may be cancelled, and what was sent is to go all the same.
    let failure: StoreError? = await Task(executorPreference: executor) {
      do throws(StoreError) {
        try await uploads.abandon(session)
        return nil
      } catch {
        return error
      }
    }.value
    guard let failure else { throw error }
    throw StoreError(
      error.kind, "\(error.message) What had been sent could not be removed: \(failure.message)",
      remedy: error.remedy, path: error.path, retryAfter: error.retryAfter, current: error.current)
  }

  private func tryingTargets(
    _ send: (StorePath) async throws(StoreError) -> FileEntry
  ) async throws(StoreError) -> FileEntry {
    var target = target
    var tried = 0
    while true {
      do throws(StoreError) {
        return try await send(target)
      } catch {
        tried += 1
        guard error.kind == .exists, mode == .create, tried < Self.maxTargets, let nextTarget else { throw error }
        target = try await nextTarget(target)
        await report.moved(to: target)
      }
    }
  }

  private var wrongLength: StoreError {
    StoreError(
      .badInput, "\"\(target)\" has another length than it had when its upload began.",
      remedy: "Upload it again when it is no longer being written.", path: target)
  }
}
