import Backends
import FileStores
import Synchronization
import TestKit

/// A store in memory that reads folders at once, says no more of it than it was told to, and counts what it is asked.
final class TogetherStore: StoreAround, FolderReading {
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

  let base: any FileStore = MemoryStore()
  let plan: Plan
  private let state = Mutex(Asked())
  var asked: Asked { state.withLock { $0 } }

  init(_ plan: Plan = Plan()) { self.plan = plan }

  var capabilities: Capabilities { Capabilities(folders: self) }
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
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    state.withLock { $0.single.append(path.description) }
    return try await base.read(path, options, receive)
  }
}
