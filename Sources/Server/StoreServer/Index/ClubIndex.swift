import Basics
import Database
import FileStores
import Synchronization

/// The server's knowledge of the club's files: the store's entries, permanent ids, version numbers, checksums, one name
/// regardless of letter case, and a change history.
/// The store is the truth, and other programs may change it at any time. The index follows its change feed, scans a
/// folder when it is listed, and looks at a file when it is requested.
/// Of two names that differ only by case or Unicode form, the second is shown as "name (case conflict)". Names that are
/// not UTF-8 or that the API forbids are skipped, as are links and devices.
final class ClubIndex: Sendable {
  let store: any FileStore
  let database: ServerIndexDatabase
  let pool: BlockingPool
  private let ready: (any ReadyReading)?
  let signal = ChangeCount()
  let locks = KeyedLocks()
  let hashes = SharedHashes()
  let later: LaterHashes
  /// The largest files have a queue of their own.
  let films: LaterHashes
  /// Frees space on a full disk for a row that must be written; false if it cannot.
  private let relief: @Sendable () -> Bool
  let caughtUp = Atomic(false)
  let now: @Sendable () -> Int64

  init(
    store: any FileStore, database: ServerIndexDatabase, pool: BlockingPool, now: @escaping @Sendable () -> Int64,
    relief: @escaping @Sendable () -> Bool = { false },
    unreadable: @escaping @Sendable (StorePath, StoreError) -> Void = { _, _ in }
  ) {
    self.relief = relief
    (later, films) = (LaterHashes(report: unreadable), LaterHashes(report: unreadable))
    self.store = store
    ready = store.capabilities.ready
    self.database = database
    self.pool = pool
    self.now = now
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (ServerIndexReading) throws -> Value
  ) async throws(StoreError) -> Value {
    return try await pool.run { [database] () throws(StoreError) -> Value in try database.read(body) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (ServerIndexWriting) throws -> Value
  ) async throws(StoreError) -> Value {
    let value = try await pool.run { [database, relief] () throws(StoreError) -> Value in
      do throws(StoreError) {
        return try database.write(body)
      } catch {
        guard error.kind == .quota, relief() else { throw error }
        return try database.write(body)
      }
    }
    signal.fire()
    return value
  }

  /// The root, which always exists and has no row.
  static let root = ServerNode(key: "", id: "id:root", display: "", path: .root, isFolder: true)

  /// The node of a request as it is now; nil if nothing is there.
  func find(_ path: ClubPath) async throws(StoreError) -> ServerNode? {
    switch path {
    case .path(let display): return try await find(display: display)
    case .id(let id, let below):
      guard let node = try await read({ try $0.node(id: id) }) else { return nil }
      guard below.isEmpty else { return try await find(display: node.display + below) }
      // A file that another program moved may be at its new path, under another id.
      return try await refreshed(node)
    case .rev(let rev):
      guard let node = try await read({ try $0.node(rev: rev) }) else { return nil }
      let fresh = try await refreshed(node)
      return fresh?.rev == rev ? fresh : nil
    }
  }

  /// The index's row at a key, possibly outdated.
  private func node(key: String) async throws(StoreError) -> ServerNode? {
    if let node = database.rememberedNode(key: key) { return node }
    return try await pool.run { [database] () throws(StoreError) in try database.node(key: key) }
  }

  func find(display: String) async throws(StoreError) -> ServerNode? {
    if display.isEmpty { return ClubIndex.root }
    let key = Folding.key(display)
    if let node = try await node(key: key), let fresh = try await refreshed(node), fresh.key == key { return fresh }
    // Another program may have made it since.
    guard let place = try await place(of: display).path else { return nil }
    let found = try await look(at: place)
    return found?.key == key ? found : nil
  }

  /// A small, recently used file with its bytes; nil if that takes more than one look at the store.
  func smallFile(_ display: String) async -> (file: ServerNode, bytes: [UInt8])? {
    guard let (file, revision) = smallFileKnown(display) else { return nil }
    if let bytes = ready?.readAtHand(file.path, ifRevision: revision, limit: Int(file.size)) {
      return (file, bytes)
    }
    do throws(StoreError) {
      return (file, try await store.readAll(file.path, ifRevision: revision, limit: Int(ClubIndex.smallBytes)).bytes)
    } catch {
      // It changed, is gone, or is unreadable; the caller's other path reports which.
      return nil
    }
  }

  /// Like `smallFile`, but does not block.
  func smallFileAtHand(_ display: String) -> (file: ServerNode, bytes: [UInt8])? {
    guard let ready, let (file, revision) = smallFileKnown(display),
      let bytes = ready.readAtHand(file.path, ifRevision: revision, limit: Int(file.size))
    else { return nil }
    return (file, bytes)
  }

  private func smallFileKnown(_ display: String) -> (file: ServerNode, revision: Revision)? {
    guard let file = database.rememberedNode(key: Folding.key(display)), !file.isFolder, file.hash != nil,
      file.size <= ClubIndex.smallBytes, let revision = file.storeRevision
    else { return nil }
    return (file, revision)
  }

  private static let smallBytes: UInt64 = 64 << 10

  /// The store's path of an existing or new file, resolved from the deepest existing folder. `path` is nil if a file
  /// stands in the way (`isBlocked`) or the store cannot hold the name.
  func place(of display: String) async throws(StoreError) -> (path: StorePath?, isBlocked: Bool) {
    let parts = PathText.parts(display)
    return try await read { reading in
      var folder = ClubIndex.root
      var rest = parts[...]
      while rest.count > 1, let name = rest.first {
        guard let next = try reading.node(key: Folding.key(folder.display + "/" + name)) else { break }
        guard next.isFolder else { return (nil, true) }
        folder = next
        rest = rest.dropFirst()
      }
      var path = folder.path
      for name in rest { path = try path.appending(name) }
      return (path, false)
    }
  }
}
