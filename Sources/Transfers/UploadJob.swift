import FileStores

/// One upload, from where the journal says it is to its name.
struct UploadJob: Sendable {
  /// What to do next.
  enum Outcome {
    case there(FileEntry)
    /// Look again how far it is.
    case again
    /// From nothing: the source has changed, or the store has nothing of it any more.
    case startOver
  }

  /// Stores keep what was sent for a week. Source: the API's upload sessions.
  static let keptFor: Int64 = 7 * 24 * 60 * 60 * 1_000_000_000
  /// How often one attempt starts over, and looks again, before it fails.
  private static let maxTurns = 4

  var record: TransferRecord
  let line: TransferLine
  let store: any FileStore
  let pool: BlockingPool
  let settings: TransferSettings
  let now: @Sendable () -> Timestamp
  /// Nil until it was opened.
  var source: SourceFile?

  init(
    _ record: TransferRecord, _ line: TransferLine, _ store: any FileStore, _ pool: BlockingPool,
    _ settings: TransferSettings, _ now: @escaping @Sendable () -> Timestamp
  ) {
    (self.record, self.line, self.store, self.pool) = (record, line, store, pool)
    (self.settings, self.now) = (settings, now)
  }

  mutating func perform() async throws(StoreError) -> TransferResult {
    // The answer to a finish may be what was lost.
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
      // Stores hand on what a source threw.
      if source?.isChanged == true { return .startOver }
      throw error
    }
  }

  private mutating func carry() async throws(StoreError) -> Outcome {
    guard case .upload(let file, let size, _, _, _) = record.order.work else {
      throw StoreError(.badInput, "\"\(record.order.name)\" is not an upload.")
    }
    if record.isWhole, let uploads = store.resumableUploads, let session = record.session,
      let hash = record.contentHash, try await offset(of: session, uploads) == record.total
    {
      return try await finish(session, hash, uploads)
    }
    let source = try await SourceFile.open(file, pool)
    self.source = source
    let isAnother = record.sourceStamp.map { $0 != source.stamp } ?? (source.bytes != size && record.restarts == 0)
    if isAnother { return .startOver }
    record = await line.note { record in
      (record.sourceStamp, record.total) = (source.stamp, source.bytes)
    }
    guard let uploads = store.resumableUploads, await goesInPieces(source, uploads) else {
      return try await put(source)
    }
    do throws(StoreError) {
      return try await send(source, uploads)
    } catch {
      // A store may find out only now that it takes no pieces.
      guard error.kind == .unsupported, store.resumableUploads == nil else { throw error }
      return try await put(source)
    }
  }

  private func goesInPieces(_ source: SourceFile, _ uploads: any ResumableUploads) async -> Bool {
    if record.session != nil { return true }
    // With a limit, what takes more than two seconds.
    let limit = await line.limit.map { $0 > .max / 2 ? $0 : $0 * 2 } ?? .max
    return source.bytes > min(UInt64(min(settings.pieceBytes, uploads.pieceBytes)), max(limit, 16 * 1024))
  }

  private mutating func startOver() async throws(StoreError) {
    await dropSession()
    record = try await line.keep { $0.startOver() }
    try await line.resumed(at: 0)
  }

  /// Leaves nothing of a session; one that cannot be removed is removed by the store in a week.
  func dropSession() async {
    guard let session = record.session, let uploads = store.resumableUploads else { return }
    try? await uploads.abandon(session)
  }

  /// How many bytes the store has; nil when it does not know the session any more.
  func offset(of session: UploadSession, _ uploads: any ResumableUploads) async throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      return try await uploads.offset(of: session)
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
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
