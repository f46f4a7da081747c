import FileStores
import Synchronization
import TestKit

/// A store in which something else happens once: in the middle of the first read after `interrupt`, or when the first
/// look after `interruptLook`, move after `interruptMove`, or put or delete after `interruptChange`, has been done and
/// not yet been reported. Its content can be unreadable for a while.
final class InterruptedStore: StoreWrapper {
  let base: any FileStore
  private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)
  private let interruptedName = Mutex<String?>(nil)
  private let lookInterruption = Mutex<(@Sendable () async -> Void)?>(nil)
  private let moveInterruption = Mutex<(@Sendable () async -> Void)?>(nil)
  private let changeInterruption = Mutex<(@Sendable () async -> Void)?>(nil)

  private let read = Atomic(0)
  /// How many bytes were read.
  var bytesRead: Int { read.load(ordering: .relaxed) }

  /// Every read fails with this, until it is nil.
  let readFailure = Mutex<StoreError?>(nil)
  /// Every read waits here, until it is nil.
  let readGate = Mutex<Gate?>(nil)

  init(_ base: any FileStore) { self.base = base }

  /// Runs `body` after the first chunk of the next read, or of the next one of a file with this name.
  func interrupt(_ name: String? = nil, _ body: @escaping @Sendable () async -> Void) {
    interruptedName.withLock { $0 = name }
    interruption.withLock { $0 = body }
  }

  func interruptLook(_ body: @escaping @Sendable () async -> Void) { lookInterruption.withLock { $0 = body } }

  func interruptMove(_ body: @escaping @Sendable () async -> Void) { moveInterruption.withLock { $0 = body } }

  func interruptChange(_ body: @escaping @Sendable () async -> Void) { changeInterruption.withLock { $0 = body } }

  private func hasLooked() async { await InterruptedStore.take(lookInterruption)?() }

  private static func take(_ interruption: borrowing Mutex<(@Sendable () async -> Void)?>) -> (
    @Sendable () async -> Void
  )? {
    interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
  }

  /// Those of the base that are not about finding or about many files at once.
  var capabilities: Capabilities {
    let own = base.capabilities
    return Capabilities(uploads: own.uploads, trash: own.trash, changes: own.changes)
  }

  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage
  {
    let page = try await base.list(folder, options, after: cursor)
    await hasLooked()
    return page
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    let answer: Result<FileEntry, StoreError>
    do throws(StoreError) {
      answer = .success(try await base.entry(at: path))
    } catch {
      answer = .failure(error)
    }
    await hasLooked()
    return try answer.get()
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    if let failure = readFailure.withLock({ $0 }) { throw failure }
    await readGate.withLock { $0 }?.wait()
    let name = interruptedName.withLock { $0 }
    let isMeant = name.map { Array($0.utf8) == Array(path.name) } ?? true
    var pending = isMeant ? InterruptedStore.take(interruption) : nil
    return try await base.read(path, options) { chunk throws(StoreError) in
      read.add(chunk.count, ordering: .relaxed)
      try await receive(chunk)
      if let body = pending {
        pending = nil
        await body()
      }
    }
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let entry = try await base.put(source, at: path, mode: mode)
    await InterruptedStore.take(changeInterruption)?()
    return entry
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    let entry = try await base.move(path, to: target, ifRevision: ifRevision)
    await InterruptedStore.take(moveInterruption)?()
    return entry
  }

  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await base.delete(path, ifRevision: ifRevision)
    await InterruptedStore.take(changeInterruption)?()
  }
}
