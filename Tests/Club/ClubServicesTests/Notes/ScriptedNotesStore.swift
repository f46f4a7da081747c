import FileStores
import Synchronization
import TestKit

/// A store that lets a test step in before and after each put, and take capabilities away.
final class ScriptedNotesStore: StoreAround {
  typealias Step = @Sendable (StorePath) async throws(StoreError) -> Void
  private struct Script {
    var before: Step?
    var after: Step?
    var puts: [[UInt8]] = []
    var done: [(path: StorePath, mode: WriteMode)] = []
    var isCapable = true
    var bytesRead = 0
  }

  let base: any FileStore
  private let script = Mutex(Script())

  init(_ base: any FileStore) { self.base = base }

  func beforePut(_ step: Step?) { script.withLock { $0.before = step } }
  func afterPut(_ step: Step?) { script.withLock { $0.after = step } }
  func takeCapabilities() { script.withLock { $0.isCapable = false } }
  /// The texts of all puts that were tried, in order.
  var puts: [String] { script.withLock { $0.puts.map { String(decoding: $0, as: UTF8.self) } } }

  /// The modes of all puts at a path that went well, in order.
  func modes(at path: StorePath) -> [WriteMode] { script.withLock { $0.done.filter { $0.path == path }.map(\.mode) } }

  /// Every put fails with this, until it is nil.
  func fail(_ error: StoreError?) {
    guard let error else { return beforePut(nil) }
    beforePut { _ async throws(StoreError) in throw error }
  }

  /// Trash and changes, until they are taken away.
  var capabilities: Capabilities {
    let own = base.capabilities
    return script.withLock { $0.isCapable } ? Capabilities(trash: own.trash, changes: own.changes) : Capabilities()
  }

  /// How many bytes were passed to readers that had not refused those before.
  var bytesRead: Int { script.withLock(\.bytesRead) }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await base.read(path, options) { chunk throws(StoreError) in
      script.withLock { $0.bytesRead += chunk.count }
      try await receive(chunk)
    }
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() { bytes += chunk }
    let put = bytes
    script.withLock { $0.puts.append(put) }
    if let step = script.withLock({ $0.before }) { try await step(path) }
    let entry = try await base.put(source, at: path, mode: mode)
    script.withLock { $0.done.append((path, mode)) }
    if let step = script.withLock({ $0.after }) { try await step(path) }
    return entry
  }
}

/// A door that a test opens: who comes before waits.
final class Door: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [UnsafeContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  func pass() async {
    await withUnsafeContinuation { continuation in
      let (passes, seen) = state.withLock { state in
        state.arrived += 1
        let seen = state.watchers.filter { $0.count <= state.arrived }
        state.watchers.removeAll { $0.count <= state.arrived }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, seen)
      }
      for watcher in seen { watcher.continuation.resume() }
      if passes { continuation.resume() }
    }
  }

  /// Returns when so many have come to the door.
  func arrivals(_ count: Int) async {
    await withUnsafeContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrived < count { state.watchers.append((count, continuation)) }
        return state.arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
