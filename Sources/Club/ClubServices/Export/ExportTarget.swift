import Basics
import FileStores

actor ExportTarget {
  /// Files of one batch: enough to wait for the disk rarely, few enough to hold in memory.
  private static let batchFiles = 64
  private static let batchBytes = 4 << 20
  private static let mostUnderway = 2
  private static let writesAtOnce = 8

  private let store: any FileStore
  private let pool: BlockingPool
  private let verifies: Bool
  private let progress: @Sendable (ExportProgress) -> Void
  private var reported: ExportProgress
  private var batch: [BatchFile] = []
  private var bytes = 0
  private var underway: [Task<Void, Never>] = []
  private var obstacle: StoreError?
  private(set) var failures: [StoreError] = []

  init(
    _ store: any FileStore, on pool: BlockingPool, verifies: Bool, _ all: ExportProgress,
    _ progress: @escaping @Sendable (ExportProgress) -> Void
  ) {
    (self.store, self.pool, self.verifies, reported, self.progress) = (store, pool, verifies, all, progress)
  }

  /// Adds a small file to a batch. Waits while too many batches are in progress.
  /// - Throws: the error that stops all writes.
  func add(_ item: ExportPlan.Item, _ content: [UInt8], ownTime: Timestamp? = nil) async throws(StoreError) {
    batch.append(
      BatchFile(DataSource(content, modified: ownTime ?? item.file.modified), at: item.file.path, mode: item.mode))
    bytes += content.count
    if batch.count >= ExportTarget.batchFiles || bytes >= ExportTarget.batchBytes { await begin() }
    if let obstacle { throw obstacle }
  }

  /// Returns when all added files are written.
  /// - Throws: the error that stops all writes.
  func flush() async throws(StoreError) {
    await settle()
    if let obstacle { throw obstacle }
  }

  func settle() async {
    if !batch.isEmpty, !Task.isCancelled { await begin() }
    while let oldest = underway.first { await end(of: oldest) }
  }

  private func begin() async {
    let files = batch
    (batch, bytes) = ([], 0)
    while underway.count >= ExportTarget.mostUnderway { await end(of: underway[0]) }
    underway.append(Task(executorPreference: pool.tasks) { await self.write(files) })
  }

  private func end(of batch: Task<Void, Never>) async {
    await withTaskCancellationHandler {
      await batch.value
    } onCancel: {
      batch.cancel()
    }
    underway.removeAll { $0 == batch }
  }

  private func write(_ files: [BatchFile]) async {
    do throws(StoreError) {
      guard let batches = store.capabilities.batches, files.count <= batches.mostFiles else {
        return try await writeEach(files)
      }
      guard verifies else {
        for (file, result) in zip(files, try await batches.put(files)) { note(result, file.path, file.source.size) }
        return
      }
      let tallies = files.map { CheckedSource($0.source, hashing: pool) }
      let results = try await batches.put(zip(files, tallies).map { BatchFile($1, at: $0.path, mode: $0.mode) })
      for (index, result) in results.enumerated() {
        note(await verified(result, tallies[index]), files[index].path, files[index].source.size)
      }
    } catch {
      // The next call of `add` or `flush` throws it.
      obstacle = obstacle ?? error
    }
  }

  /// Writes files to a store that takes one at a time in a request, some at once.
  private func writeEach(_ files: [BatchFile]) async throws(StoreError) {
    let failure: StoreError? = await withTaskGroup(of: StoreError?.self) { group in
      var failure: StoreError?
      for (index, file) in files.enumerated() {
        if index >= ExportTarget.writesAtOnce, let ended = await group.next() ?? nil { failure = failure ?? ended }
        if failure != nil { break }
        group.addTask {
          do throws(StoreError) {
            try await self.write(file.source, at: file.path, file.mode)
            return nil
          } catch {
            return error
          }
        }
      }
      for await ended in group { failure = failure ?? ended }
      return failure
    }
    if let failure { throw failure }
  }

  /// - Throws: `cancelled`, and errors that affect all other files.
  func write(_ source: any ByteSource, at path: StorePath, _ mode: WriteMode) async throws(StoreError) {
    do throws(StoreError) {
      guard verifies else {
        return note(.success(try await store.put(source, at: path, mode: mode)), path, source.size)
      }
      // A store that compares by itself says so once it knows its server, at the latest after a write.
      let tally = CheckedSource(source, hashing: pool)
      let entry = try await store.put(store.limits.comparesBytes ? source : tally, at: path, mode: mode)
      let isCompared = store.limits.comparesBytes
      note(isCompared ? .success(entry) : await verified(.success(entry), tally), path, source.size)
    } catch {
      if Task.isCancelled || [.quota, .notSignedIn, .offline].contains(error.kind) { throw error }
      note(.failure(error), path, nil)
    }
  }

  /// Compares a written file with its source.
  private func verified(
    _ result: Result<FileEntry, StoreError>, _ source: CheckedSource
  ) async -> Result<FileEntry, StoreError> {
    guard case .success(let entry) = result else { return result }
    return await .catching { () throws(StoreError) in
      guard try await source.hash() == ExportPlan.hash(of: entry, in: store) else {
        throw StoreError(
          .corrupt, "\"\(entry.path)\" has arrived with other bytes than were sent.",
          remedy: "Copy it again with --replace.", path: entry.path)
      }
      return entry
    }
  }

  /// Makes folders, if they do not exist.
  /// - Throws: `cancelled`, and errors that stop all writes.
  func make(_ folders: [StorePath]) async throws(StoreError) {
    for folder in folders {
      do throws(StoreError) {
        if Task.isCancelled { throw .cancelled("The copy") }
        try await store.createFolder(folder)
      } catch {
        if Task.isCancelled || error.kind == .quota { throw error }
        failures.append(error.about(folder))
      }
    }
  }

  func fail(_ error: StoreError, _ file: FileEntry) { note(.failure(error), file.path, nil) }

  var account: ExportProgress { reported }

  private func note(_ result: Result<FileEntry, StoreError>, _ path: StorePath, _ size: UInt64?) {
    switch result {
    case .success:
      reported.files += 1
      reported.bytes += size ?? 0
    case .failure(let error):
      if error.kind == .quota { obstacle = obstacle ?? error }
      failures.append(error.about(path))
    }
    progress(reported)
  }
}

public struct ExportProgress: Sendable, Equatable {
  public internal(set) var files = 0
  public internal(set) var bytes: UInt64 = 0
  public let ofFiles: Int
  public let ofBytes: UInt64
}
