import Backends
import Basics
import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

/// All that an engine needs, and what outlives it: a journal, a store and a folder of this machine.
final class Bench: Sendable {
  struct OneStore: TransferStores {
    let store: any FileStore
    func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { store }
  }

  let folder: TemporaryFolder
  let memory = MemoryStore()
  let journal = MemoryJournal()
  let clock: ManualClock
  let pool = BlockingPool(threads: 2)

  /// With `stands`, time stands still until the test moves it; otherwise each sleep moves it on.
  init(stands: Bool = false) throws {
    folder = try TemporaryFolder()
    clock = ManualClock(advancesOnSleep: !stands)
  }

  /// The manual clock's time as a time of day.
  var now: @Sendable () -> Timestamp {
    { [clock] in
      let (seconds, atto) = clock.now.offset.components
      return Timestamp(seconds: 1_700_000_000 + seconds, nanoseconds: atto / 1_000_000_000)
    }
  }

  func engine(
    _ store: (any FileStore)? = nil, journal: (any TransferJournal)? = nil, settings: TransferSettings = .small,
    seed: UInt64 = 1
  ) -> TransferEngine {
    let numbers = Mutex(SeededNumbers(seed))
    return TransferEngine(
      journal: journal ?? self.journal, stores: OneStore(store: store ?? memory), settings: settings, pool: pool,
      clock: clock, now: now, random: { numbers.withLock { $0.next() } })
  }

  var delegate: WatchingDelegate { WatchingDelegate { [clock] in clock.now.offset } }

  func upload(_ name: String, _ bytes: [UInt8], to path: String? = nil) throws -> TransferOrder {
    try folder.write(name, bytes)
    return TransferOrder(
      club: "Club", store: "memory",
      work: .upload(
        file: folder.file(name), size: UInt64(bytes.count), contentHash: nil, name: Array((path ?? name).utf8),
        number: 1),
      path: try StorePath(path ?? name), name: name)
  }

  func download(_ name: String, _ store: String = "memory") throws -> TransferOrder {
    TransferOrder(
      club: "Club", store: store, work: .download(folder: folder.path), path: try StorePath(name), name: name)
  }

  func stored(_ path: String) async throws -> [UInt8]? {
    do {
      return try await memory.readAll(try StorePath(path)).bytes
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  func storedNames() async throws -> [String] {
    try await memory.list(.root, ListOptions(.names), after: nil).entries.map { $0.path.description }.sorted()
  }

  /// Part files that lie about.
  var parts: [String] { folder.names().filter { $0.contains(".byteclub-part-") } }

  static func bytes(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    var numbers = SeededNumbers(seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: numbers.next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes.prefix(count))
  }
}

extension TransferSettings {
  /// Pieces so small that a few kilobytes are many of them.
  static var small: TransferSettings { TransferSettings(pieceBytes: 1000) }
}
