import FileStores

/// Where an export's files go, and the account of it.
actor ExportTarget {
  /// Files that are written together: enough that the disk is waited for seldom, few enough to be held in memory.
  private static let batchFiles = 64
  private static let batchBytes = 4 << 20
  /// Batches that are being written while the next ones come.
  private static let mostUnderway = 2

  private let store: any FileStore
  private let tasks: TaskThreads?
  private let progress: @Sendable (ExportProgress) -> Void
  private var told: ExportProgress
  private var batch: [BatchFile] = []
  private var bytes = 0
  private var underway: [Task<Void, Never>] = []
  /// Why nothing can be written any more.
  private var obstacle: StoreError?
  /// What failed.
  private(set) var failures: [StoreError] = []

  init(
    _ store: any FileStore, on tasks: TaskThreads?, _ all: ExportProgress,
    _ progress: @escaping @Sendable (ExportProgress) -> Void
  ) {
    (self.store, self.tasks, told, self.progress) = (store, tasks, all, progress)
  }

  /// Takes a small file, with all its bytes. It is written together with others; waits while too many wait.
  /// - Throws: when nothing can be written any more.
  func add(_ item: ExportPlan.Item, _ content: [UInt8]) async throws(StoreError) {
    batch.append(BatchFile(DataSource(content, modified: item.file.modified), at: item.file.path, mode: item.mode))
    bytes += content.count
    if batch.count >= ExportTarget.batchFiles || bytes >= ExportTarget.batchBytes { await begin() }
    if let obstacle { throw obstacle }
  }

  /// Returns when all that was taken is written.
  /// - Throws: when nothing can be written any more.
  func flush() async throws(StoreError) {
    await settle()
    if let obstacle { throw obstacle }
  }

  /// The same, whatever comes of it. Batches end whole, also those of a task that is cancelled.
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

  /// Those who wait for the same one find that it is gone already.
  private func end(of batch: Task<Void, Never>) async {
    await batch.value
    underway.removeAll { $0 == batch }
  }

  private func write(_ files: [BatchFile]) async {
    do throws(StoreError) {
      guard let batches = store.batchUploads, files.count <= batches.mostFiles else {
        for file in files { try await write(file.source, at: file.path, file.mode) }
        return
      }
      for (file, result) in zip(files, try await batches.put(files)) { note(result, file.path, file.source.size) }
    } catch {
      // Nobody is told here; whoever adds or flushes next is.
      obstacle = obstacle ?? error
    }
  }

  /// Writes a file of any size.
  /// - Throws: `cancelled`, and what hinders all others as well.
  func write(_ source: any ByteSource, at path: StorePath, _ mode: WriteMode) async throws(StoreError) {
    do throws(StoreError) {
      note(.success(try await store.put(source, at: path, mode: mode)), path, source.size)
    } catch {
      if Task.isCancelled || [.quota, .notSignedIn, .offline].contains(error.kind) { throw error }
      note(.failure(error), path, nil)
    }
  }

  /// Makes folders that have no files; those that are there stay.
  /// - Throws: `cancelled`, and when nothing can be written any more.
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

  /// A file that could not be had.
  func fail(_ error: StoreError, _ file: FileEntry) { note(.failure(error), file.path, nil) }

  /// How far it is.
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

/// How far an export is.
public struct ExportProgress: Sendable, Equatable {
  /// Files that are written, and how many bytes they have.
  public internal(set) var files = 0
  /// See `files`.
  public internal(set) var bytes: UInt64 = 0
  /// Files that are to be written in all, and their bytes.
  public let ofFiles: Int
  /// See `ofFiles`.
  public let ofBytes: UInt64
}
