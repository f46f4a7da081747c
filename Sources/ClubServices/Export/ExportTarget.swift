import FileStores

actor ExportTarget {
  /// Files of one batch: enough to wait for the disk rarely, few enough to hold in memory.
  private static let batchFiles = 64
  private static let batchBytes = 4 << 20
  private static let mostUnderway = 2

  private let store: any FileStore
  private let tasks: TaskThreads?
  private let progress: @Sendable (ExportProgress) -> Void
  private var told: ExportProgress
  private var batch: [BatchFile] = []
  private var bytes = 0
  private var underway: [Task<Void, Never>] = []
  private var obstacle: StoreError?
  private(set) var failures: [StoreError] = []

  init(
    _ store: any FileStore, on tasks: TaskThreads?, _ all: ExportProgress,
    _ progress: @escaping @Sendable (ExportProgress) -> Void
  ) {
    (self.store, self.tasks, told, self.progress) = (store, tasks, all, progress)
  }

  /// Adds a small file to a batch. Waits while too many batches are in progress.
  /// - Throws: the error that stops all writes.
  func add(_ item: ExportPlan.Item, _ content: [UInt8]) async throws(StoreError) {
    batch.append(BatchFile(DataSource(content, modified: item.file.modified), at: item.file.path, mode: item.mode))
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
    if !batch.isEmpty { await begin() }
    while let oldest = underway.first { await end(of: oldest) }
  }

  private func begin() async {
    let files = batch
    (batch, bytes) = ([], 0)
    while underway.count >= ExportTarget.mostUnderway { await end(of: underway[0]) }
    underway.append(Task(executorPreference: tasks) { await self.write(files) })
  }

  private func end(of batch: Task<Void, Never>) async {
    await batch.value
    underway.removeAll { $0 == batch }
  }

  private func write(_ files: [BatchFile]) async {
    do throws(StoreError) {
      guard let batches = store.capabilities.batches, files.count <= batches.mostFiles else {
        for file in files { try await write(file.source, at: file.path, file.mode) }
        return
      }
      for (file, result) in zip(files, try await batches.put(files)) { note(result, file.path, file.source.size) }
    } catch {
      // The next call of `add` or `flush` throws it.
      obstacle = obstacle ?? error
    }
  }

  /// - Throws: `cancelled`, and errors that affect all other files.
  func write(_ source: any ByteSource, at path: StorePath, _ mode: WriteMode) async throws(StoreError) {
    do throws(StoreError) {
      note(.success(try await store.put(source, at: path, mode: mode)), path, source.size)
    } catch {
      if Task.isCancelled || [.quota, .notSignedIn, .offline].contains(error.kind) { throw error }
      note(.failure(error), path, nil)
    }
  }

  /// Makes folders, if they do not exist.
  /// - Throws: `cancelled`, and errors that stop all writes.
  func make(_ folders: [StorePath]) async throws(StoreError) {
    for folder in folders {
      do throws(StoreError) {
        if Task.isCancelled { throw .cancelled("The export") }
        try await store.createFolder(folder)
      } catch {
        if Task.isCancelled || error.kind == .quota { throw error }
        failures.append(error.about(folder))
      }
    }
  }

  func fail(_ error: StoreError, _ file: FileEntry) { note(.failure(error), file.path, nil) }

  var account: ExportProgress { told }

  private func note(_ result: Result<FileEntry, StoreError>, _ path: StorePath, _ size: UInt64?) {
    switch result {
    case .success:
      told.files += 1
      told.bytes += size ?? 0
    case .failure(let error):
      if error.kind == .quota { obstacle = obstacle ?? error }
      failures.append(error.about(path))
    }
    progress(told)
  }
}

public struct ExportProgress: Sendable, Equatable {
  public internal(set) var files = 0
  public internal(set) var bytes: UInt64 = 0
  public let ofFiles: Int
  public let ofBytes: UInt64
}
