import FileStores

struct UploadJob: Sendable {
  enum Outcome {
    case there(FileEntry)
    case again
    /// The source has changed, or the store has lost the bytes.
    case startOver
  }

  private static let maxTurns = 4

  var record: TransferRecord
  let job: JobContext
  let file: String
  private let orderedBytes: UInt64
  private var source: UploadSource?
  /// The names in a row that the store has refused and does not have.
  var refusals = 0

  init(_ job: JobContext, of file: String, bytes: UInt64) {
    (record, self.file, orderedBytes, self.job) = (job.record, file, bytes, job)
  }

  mutating func perform() async throws(StoreError) -> TransferResult {
    // The answer to `finish` may have been lost.
    if record.isWhole, let entry = try await own(record.contentHash) {
      await dropSession()
      return TransferResult(entry: entry)
    }
    var turns = 0
    while true {
      turns += 1
      switch try await attempt() {
      case .there(let entry): return TransferResult(entry: entry)
      case .again where turns < Self.maxTurns: continue
      case .startOver where turns < Self.maxTurns: try await startOver()
      case .again, .startOver: throw restless
      }
    }
  }

  private mutating func attempt() async throws(StoreError) -> Outcome {
    source = nil
    do throws(StoreError) {
      return try await carry()
    } catch {
      // Stores rethrow errors of a source.
      if source?.isChanged == true { return .startOver }
      throw error
    }
  }

  private mutating func carry() async throws(StoreError) -> Outcome {
    let uploads = job.store.capabilities.uploads
    if record.isWhole, let uploads, let session = record.session, let hash = record.contentHash,
      try await offset(of: session, uploads) == record.total
    {
      return try await finish(session, hash, uploads)
    }
    let source = try await UploadSource(path: file, pool: job.engine.pool, job.settings.readProbe)
    self.source = source
    let isAnother =
      record.sourceStamp.map { $0 != source.stamp }
      ?? (source.bytes != orderedBytes && record.restarts == 0)
    if isAnother { return .startOver }
    guard try await checked(source) else { return .startOver }
    record = await job.note { record in
      (record.sourceStamp, record.total, record.modified) = (source.stamp, source.bytes, source.source.modified)
    }
    guard let uploads, await goesInPieces(source, uploads) else { return try await put(source) }
    do throws(StoreError) {
      return try await send(source, uploads)
    } catch {
      // A store may find out only now that it takes no pieces.
      guard error.kind == .unsupported, job.store.capabilities.uploads == nil else { throw error }
      return try await put(source)
    }
  }

  /// Checks content that was not checked with the order. Returns false if the file changes meanwhile.
  private func checked(_ source: UploadSource) async throws(StoreError) -> Bool {
    let order = record.order
    if order.sourceStamp == source.stamp {
      if let hash = order.contentHash { source.trust(hash, at: job.engine.now()) }
      return true
    }
    let isNew = record.sourceStamp == nil && (order.sourceStamp != nil || record.restarts > 0)
    guard isNew, let check = job.settings.check else { return true }
    do throws(StoreError) {
      try await check(source.source)
      return true
    } catch {
      // A file that is still being written may become complete.
      if try await FileSource(path: file, pool: job.engine.pool).stampText != source.stamp { return false }
      throw error
    }
  }

  private func goesInPieces(_ source: UploadSource, _ uploads: any ResumableUploads) async -> Bool {
    if record.session != nil { return true }
    // Pieces of a set length: a file of one piece gains nothing.
    if case .exactly(let bytes) = uploads.piece { return source.bytes > UInt64(bytes) }
    // With a limit, only files that take more than two seconds go in pieces.
    let limit = await job.engine.bucket.rate.map { $0 > .max / 2 ? $0 : $0 * 2 } ?? .max
    return source.bytes > min(UInt64(min(job.settings.pieceBytes, uploads.piece.bytes)), max(limit, 16 * 1024))
  }

  private mutating func startOver() async throws(StoreError) {
    await dropSession()
    record = try await job.keep { $0.startOver() }
    try await job.resumed(at: 0)
  }

  func dropSession() async {
    guard let session = record.session, let uploads = job.store.capabilities.uploads else { return }
    try? await uploads.abandon(session)
  }

  /// The number of bytes that the store has; nil if the session is gone.
  func offset(of session: UploadSession, _ uploads: any ResumableUploads) async throws(StoreError) -> UInt64? {
    try await ifThere { () throws(StoreError) in try await uploads.offset(of: session) }
  }

  private var restless: StoreError {
    if source?.isChanged == true {
      return StoreError(
        .badInput, "\"\(record.order.name)\" kept changing during the upload.",
        remedy: "Try again when no program writes it.", path: record.path)
    }
    return StoreError(
      .server, "The store keeps losing the sent part of \"\(record.order.name)\".", remedy: "Try again later.",
      path: record.path)
  }
}
