import FileStores

/// A job's access to its store and to the engine. Throwing calls throw `cancelled` once the job was asked to stop.
struct JobContext: Sendable {
  let engine: TransferEngine
  let record: TransferRecord
  let store: any FileStore
  let settings: TransferSettings

  var id: Transfer.ID { record.id }

  /// Changes the record, durably when this returns.
  func keep(_ change: @Sendable (inout TransferRecord) -> Void) async throws(StoreError) -> TransferRecord {
    try await engine.keep(id, change) ?? record
  }

  func note(_ change: @Sendable (inout TransferRecord) -> Void) async -> TransferRecord {
    await engine.note(id, change) ?? record
  }

  func resumed(at offset: UInt64) async throws(StoreError) { try await engine.resumed(id, at: offset) }
  func enter(_ event: TransferMachine.Event) async throws(StoreError) { try await engine.entered(id, event) }

  func perform() async throws(StoreError) -> TransferResult {
    do throws(StoreError) {
      switch record.order.work {
      case .upload(let file, let size, _, _, _):
        var upload = UploadJob(self, of: file, bytes: size)
        return try await upload.perform()
      case .download(let folder):
        var download = DownloadJob(self, to: folder)
        return try await download.perform()
      }
    } catch {
      // A missing network is no failure; a connection that breaks while the store answers other requests is one.
      let failures = await engine.failures(of: id) + 1
      guard error.kind == .offline, failures >= settings.retry.attempts, await storeAnswers() else { throw error }
      throw StoreError(
        .server,
        "The connection broke \(failures) times in a row during the \(record.order.direction.rawValue) of "
          + "\"\(record.order.name)\", while the store answers other requests: \(error.message)",
        remedy: "Try again later.", path: record.path)
    }
  }

  private func storeAnswers() async -> Bool {
    do throws(StoreError) {
      _ = try await store.entry(at: record.path)
      return true
    } catch {
      return error.kind != .offline && error.kind != .cancelled
    }
  }
}

struct TransferResult: Sendable {
  let entry: FileEntry
  var place: String?
}

struct CleaningJob: Sendable {
  private static let maxTries = 3

  let record: TransferRecord
  let stores: any TransferStores
  let engine: TransferEngine
  let settings: TransferSettings

  /// - Returns: the file, if it turns out to be complete.
  /// - Throws: the reason why leftovers remain.
  @concurrent
  func perform() async throws(StoreError) -> TransferResult? {
    var failures = 0
    while true {
      do throws(StoreError) {
        switch record.order.work {
        case .upload: return try await removeUpload()
        case .download(let folder): return try await removeDownload(folder)
        }
      } catch {
        failures += 1
        if failures < Self.maxTries, let pause = settings.retry.pause(of: error, failures: failures, draw: 0),
          (try? await engine.sleep(engine.elapsed() + pause, nil)) != nil
        {
          continue
        }
        throw StoreError(
          error.kind, "byteclub could not remove the received part of \"\(record.order.name)\": \(error.message)",
          remedy: error.remedy, path: record.path)
      }
    }
  }

  private func removeUpload() async throws(StoreError) -> TransferResult? {
    let store = try await stores.store(for: record.order)
    var there: FileEntry?
    // The answer to a finish may have been lost.
    if record.phase == .cancelling, record.session == nil || record.isWhole, let hash = try await sentHash(store) {
      there = try await store.entry(at: record.path, holding: hash, size: record.total)
    }
    if let session = record.session {
      try await store.capabilities.uploads?.abandon(session)
    } else if record.sessionBegan != nil {
      try await store.capabilities.uploads?.abandonLost(to: record.path)
    }
    return there.map { TransferResult(entry: $0) }
  }

  /// The hash of what was sent in one request whose answer is missing: that of the file, if it is as it was. Reads the file
  /// only if the store has one of its size.
  private func sentHash(_ store: any FileStore) async throws(StoreError) -> ContentHash? {
    if let known = record.contentHash { return known }
    guard record.attempts > 0, let stamp = record.sourceStamp ?? record.order.sourceStamp,
      let there = try await store.entryIfAny(record.path), there.kind == .file,
      there.size ?? record.total == record.total
    else { return nil }
    do throws(StoreError) {
      let source = try await UploadSource(path: record.order.local, pool: engine.pool, settings.readProbe)
      return source.stamp == stamp ? try await source.contentHash() : nil
    } catch {
      // It is gone or was changed, so nothing tells if the store has it.
      if error.kind == .cancelled { throw error }
      return nil
    }
  }

  private func removeDownload(_ folder: String) async throws(StoreError) -> TransferResult? {
    guard record.part != nil else { return nil }
    let part = DownloadPart(of: record, in: folder, engine, settings)
    if let entry = try? await record.published(part) { return TransferResult(entry: entry, place: record.place) }
    let isNamed = record.place == nil ? false : try await part.hasName(record.placeName)
    try await part.remove()
    guard isNamed, let entry = try await record.published(part) else { return nil }
    return TransferResult(entry: entry, place: record.place)
  }
}
