import FileStores
import Foundation
import POSIX
import Synchronization
import Transfers

/// A power cut: everything that asks counts, and from the n-th time on nothing happens any more.
final class Power: Sendable {
  private struct State {
    var ticks = 0
    var cut: Int?
    var isOut = false
    var isSettled = false
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Cuts at tick number `cut`; never without one.
  init(cutAt cut: Int? = nil) { state.withLock { $0.cut = cut } }

  /// How often was asked while there was power.
  var ticks: Int { state.withLock { $0.ticks } }

  /// True while there is power.
  func tick() -> Bool {
    let (isOn, watchers) = state.withLock { state in
      if state.isOut { return (false, [CheckedContinuation<Void, Never>]()) }
      state.ticks += 1
      guard state.ticks == state.cut else { return (true, []) }
      state.isOut = true
      defer { state.watchers = [] }
      return (false, state.watchers)
    }
    for watcher in watchers { watcher.resume() }
    return isOn
  }

  /// Returns when the power is out, or all is over.
  func out() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.isOut || state.isSettled { return true }
        state.watchers.append(continuation)
        return false
      }
      if isNow { continuation.resume() }
    }
  }

  /// All is over.
  func settle() {
    let watchers = state.withLock { state in
      state.isSettled = true
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.resume() }
  }

  /// Before and after a call: the answer of a call that has happened may be what is lost.
  func call<Value>(
    _ kind: StoreError.Kind, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    guard tick() else { throw Self.error(kind) }
    let value = try await body()
    guard tick() else { throw Self.error(kind) }
    return value
  }

  /// For this machine's disk.
  var probe: @Sendable (DiskStep, Bool) -> Int32 { { [self] _, _ in tick() ? 0 : EIO } }

  static func error(_ kind: StoreError.Kind) -> StoreError { StoreError(kind, "The power is out.") }
}

/// How many bytes of the one part file in a folder are on the disk for certain.
final class FlushedPart: Sendable {
  private let count = Mutex<UInt64>(0)

  var bytes: UInt64 { count.withLock { $0 } }

  /// A step on the disk was done.
  func done(_ step: DiskStep, in folder: String) {
    guard step == .flush || step == .seal || step == .truncate else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let part = names.first(where: { $0.contains(".byteclub-part-") }),
      let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/" + part),
      let size = (facts[.size] as? NSNumber)?.uint64Value
    else { return }
    count.withLock { $0 = step == .truncate ? min($0, size) : size }
  }
}

/// A journal that a power cut stops.
struct PoweredJournal: TransferJournal {
  let base: any TransferJournal
  let power: Power

  func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) { try await base.records() }
  func write(_ records: [TransferRecord]) async throws(StoreError) {
    try await power.call(.server) { () throws(StoreError) in try await base.write(records) }
  }
  func remove(_ ids: [Transfer.ID]) async throws(StoreError) {
    try await power.call(.server) { () throws(StoreError) in try await base.remove(ids) }
  }
  func limit() async throws(StoreError) -> UInt64? { try await base.limit() }
  func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) { try await base.setLimit(bytesPerSecond) }
}

/// A store to which a power cut breaks the line. Knows which sessions were begun.
struct PoweredStore: StoreWrapper {
  let base: any FileStore
  let power: Power
  let begun: BegunSessions

  /// Uploads alone.
  var capabilities: Capabilities { wrapped(Capabilities(uploads: base.capabilities.uploads)) }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    switch call.name {
    case .list, .move, .createFolder: return try await body()
    default: break
    }
    return try await power.call(.offline) { () throws(StoreError) in
      let answer = try await body()
      if let session = answer as? UploadSession { begun.note(session) }
      return answer
    }
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    guard power.tick() else { throw Power.error(.offline) }
    return try await base.read(path, options) { chunk throws(StoreError) in
      var rest = chunk
      while !rest.isEmpty {
        guard power.tick() else { throw Power.error(.offline) }
        try await receive(rest.prefix(700))
        rest = rest.dropFirst(700)
      }
    }
  }
}

/// Which sessions a store was asked for.
final class BegunSessions: Sendable {
  private let sessions = Mutex<[UploadSession]>([])
  func note(_ session: UploadSession) { sessions.withLock { $0.append(session) } }

  /// The bytes of each that the store still has.
  func left(in store: any FileStore) async -> [UInt64] {
    guard let uploads = store.capabilities.uploads else { return [] }
    var left: [UInt64] = []
    for session in sessions.withLock({ $0 }) {
      if let bytes = try? await uploads.offset(of: session) { left.append(bytes) }
    }
    return left
  }
}
