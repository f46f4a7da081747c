import Backends
import FileStores
import Synchronization

/// A store in memory that reads folders at once, says no more of it than it was told to, and counts what it is asked.
final class TogetherStore: FileStore, FolderReading {
  struct Asked: Equatable {
    var single: [String] = []
    var together: [Int] = []
  }

  /// What becomes of a reading of all: files that are dropped, that are not told, and after how many it breaks off.
  struct Plan: Sendable {
    var dropped: Set<String> = []
    var untold: Set<String> = []
    var most = Int.max
    var failure = StoreError(.offline, "The line broke.")
  }

  let base = MemoryStore()
  let plan: Plan
  private let state = Mutex(Asked())
  var asked: Asked { state.withLock { $0 } }

  init(_ plan: Plan = Plan()) { self.plan = plan }

  var limits: StoreLimits { base.limits }
  var resumableUploads: (any ResumableUploads)? { nil }
  var trash: (any StoreTrash)? { nil }
  var changes: (any ChangeFeed)? { nil }
  var folderReading: (any FolderReading)? { self }
  let mostEntries = 10_000
  let mostBytes: UInt64 = 1 << 30

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    state.withLock { $0.together.append(files.count) }
    for (index, file) in files.enumerated() {
      if index >= plan.most { throw plan.failure }
      let name = file.path.description
      if plan.untold.contains(name) { continue }
      let bytes = try await base.readAll(file.path).bytes
      let half = bytes.count / 2
      try await receive([.bytes(file, bytes[..<half])])
      try await receive(
        plan.dropped.contains(name) ? [.dropped(file)] : [.bytes(file, bytes[half...]), .whole(file)])
    }
  }

  func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    state.withLock { $0.single.append(path.description) }
    return try await base.read(path, from: offset, ifRevision: ifRevision, receive)
  }

  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage
  {
    try await base.list(folder, options, after: cursor)
  }
  func entry(at path: StorePath) async throws(StoreError) -> FileEntry { try await base.entry(at: path) }
  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    try await base.put(source, at: path, mode: mode)
  }
  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    try await base.move(path, to: target, ifRevision: ifRevision)
  }
  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await base.delete(path, ifRevision: ifRevision)
  }
  func createFolder(_ path: StorePath) async throws(StoreError) { try await base.createFolder(path) }
}
