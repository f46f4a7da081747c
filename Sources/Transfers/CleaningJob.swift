import FileStores

/// Removes what a transfer has left in the store or on this machine.
struct CleaningJob: Sendable {
  /// How it ended.
  enum Outcome: Sendable {
    /// Nothing is left.
    case removed
    /// The file turned out to be there, whole.
    case there(TransferResult)
    /// Something is left, for this reason.
    case kept(StoreError)
  }

  private static let maxTries = 3

  let record: TransferRecord
  let stores: any TransferStores
  let pool: BlockingPool
  let settings: TransferSettings
  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  @concurrent
  func perform() async -> Outcome {
    for failures in 1... {
      do throws(StoreError) {
        return try await performOnce()
      } catch {
        guard failures < Self.maxTries, let pause = settings.retry.pause(after: error, failures: failures, draw: 0),
          (try? await sleep(elapsed() + pause)) != nil
        else {
          return .kept(
            StoreError(
              error.kind, "byteclub could not remove the received part of \"\(record.order.name)\": \(error.message)",
              remedy: error.remedy, path: record.path))
        }
      }
    }
    return .removed
  }

  private func performOnce() async throws(StoreError) -> Outcome {
    switch record.order.work {
    case .upload: try await removeUpload()
    case .download(let folder): try await removeDownload(folder)
    }
  }

  private func removeUpload() async throws(StoreError) -> Outcome {
    let store = try await stores.store(for: record.order)
    var there: FileEntry?
    // It may have been finished without our knowing.
    if record.phase == .cancelling, record.session == nil || record.isWhole, let hash = record.contentHash {
      there = try await store.entry(at: record.path, holding: hash, size: record.total)
    }
    if let session = record.session { try await store.resumableUploads?.abandon(session) }
    return there.map { .there(TransferResult(entry: $0)) } ?? .removed
  }

  private func removeDownload(_ folder: String) async throws(StoreError) -> Outcome {
    guard let name = record.part else { return .removed }
    let part = DownloadPart(
      folder: folder, goal: Array(record.path.name), name: name, pool: pool, flushedBytes: settings.pieceBytes,
      probe: settings.diskProbe)
    if let entry = try? await record.published(part) {
      return .there(TransferResult(entry: entry, place: record.place))
    }
    // It may have got its name just before a crash, and lost the part's only now.
    let isNamed = record.place == nil ? false : try await part.hasName(record.placeName)
    try await part.remove()
    guard isNamed, let entry = try await record.published(part) else { return .removed }
    return .there(TransferResult(entry: entry, place: record.place))
  }
}
