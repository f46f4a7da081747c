import Basics
import FileStores

/// Files whose checksums are read later, because no listing waits for a large file. Until then members do not see them.
final class LaterHashes: Sendable {
  private struct State {
    var order: [StorePath] = []
    var waiting: [StorePath: FileEntry] = [:]
    var running: [StorePath: Revision?] = [:]
    /// True if files may have been missed: the folders are looked through again once the queue is empty.
    var hasDropped = false
    /// True if a file could not be read, or may have come too late for the batch that has it.
    var hasMissed = false
    var reported: Set<StorePath> = []
  }

  /// The most files that wait.
  private let most: Int
  private static let batchFiles = 64
  private static let batchBytes: UInt64 = 32 << 20
  /// The most files whose fault is remembered, so that it is reported once.
  private static let mostReported = 1000

  private let state = WaitableState(State())
  private let report: @Sendable (StorePath, StoreError) -> Void

  /// - Parameter report: called once for a file that cannot be read.
  init(most: Int = 10_000, report: @escaping @Sendable (StorePath, StoreError) -> Void = { _, _ in }) {
    (self.most, self.report) = (most, report)
  }

  /// Queues a version of a file. One that is queued or being read already is not queued again.
  func note(_ entry: FileEntry) {
    state.change { state in
      if let revision = state.running[entry.path], revision == entry.revision {
        state.hasMissed = true
        return
      }
      if state.waiting[entry.path] == nil {
        guard state.waiting.count < most else {
          state.hasDropped = true
          return
        }
        state.order.append(entry.path)
      }
      state.waiting[entry.path] = entry
    }
  }

  /// The next files, some small ones together; waits for one. nil once the task is cancelled. Used by one task.
  func next() async -> [FileEntry]? {
    while !Task.isCancelled {
      let batch = state.change { LaterHashes.batch(&$0) }
      if !batch.isEmpty { return batch }
      await state.wait { !$0.order.isEmpty }
    }
    return nil
  }

  private static func batch(_ state: inout State) -> [FileEntry] {
    var bytes: UInt64 = 0
    var batch: [FileEntry] = []
    for path in state.order.prefix(batchFiles) {
      guard let entry = state.waiting[path] else { continue }
      let (sum, isOver) = bytes.addingReportingOverflow(entry.size ?? .max)
      guard batch.isEmpty || !isOver && sum <= batchBytes else { break }
      bytes = isOver ? .max : sum
      batch.append(entry)
    }
    state.order.removeFirst(batch.count)
    for entry in batch {
      state.waiting[entry.path] = nil
      state.running[entry.path] = .some(entry.revision)
    }
    return batch
  }

  /// Ends a batch. Returns true if the queue is empty now and files were left out of it.
  func finish(_ batch: [FileEntry]) -> Bool {
    state.change { state in
      for entry in batch { state.running[entry.path] = nil }
      guard state.waiting.isEmpty, state.hasDropped else { return false }
      state.hasDropped = false
      return true
    }
  }

  /// True if files may have been missed since this was last asked.
  func takeMissed() -> Bool {
    state.change { state in
      defer { state.hasMissed = false }
      return state.hasMissed
    }
  }

  func isWaiting(_ path: StorePath) -> Bool { state.read { $0.waiting[path] != nil } }

  /// Queues a batch again whose files could not be recorded.
  func putBack(_ batch: [FileEntry]) {
    state.change { state in
      for entry in batch { state.running[entry.path] = nil }
      state.hasDropped = true
    }
    batch.forEach(note)
  }

  /// Sees to it that queued files below a folder are found again, because it was moved.
  func noteMoved(_ folder: StorePath) {
    state.change { state in
      state.hasMissed = true
      let isBelow: (StorePath) -> Bool = { $0.relative(to: folder) != nil }
      if state.waiting.keys.contains(where: isBelow) || state.running.keys.contains(where: isBelow) {
        state.hasDropped = true
      }
    }
  }

  /// Reports a file that cannot be read, once.
  func tell(_ path: StorePath, _ error: StoreError) {
    let isNew = state.change { state in
      state.hasMissed = true
      if state.reported.count >= LaterHashes.mostReported { state.reported = [] }
      return state.reported.insert(path).inserted
    }
    if isNew { report(path, error) }
  }
}
