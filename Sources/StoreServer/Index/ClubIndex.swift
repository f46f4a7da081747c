import Database
import FileStores
import Synchronization

/// What the server knows of the club's files: the store's word for what is there, with what the API wants besides
/// (ids and version numbers that last, checksums, one name whatever the letter case, and what changed since when).
///
/// The store is the truth. Other programs may change it at any time: its change feed is followed (`follow`), a folder
/// that is listed is looked through, and a file that is asked for is looked at.
///
/// Two files whose names differ by case or Unicode form alone are both shown: the second as "name (case conflict)".
/// Names that are not UTF-8, or that the API forbids, are passed over, as are links and devices.
final class ClubIndex: Sendable {
  let store: any FileStore
  let database: ServerIndexDatabase
  let pool: BlockingPool
  /// The store's way to read what is in memory; nil when it has none.
  private let ready: (any ReadyReading)?
  let signal = ChangeSignal()
  let locks = KeyedLocks()
  let hashes = SharedHashes()
  let later = LaterHashes()
  /// Makes room on a full disk for what must be written down; false when it cannot.
  private let relief: @Sendable () -> Bool
  /// See `isFollowing`.
  let caughtUp = Atomic(false)
  let now: @Sendable () -> Int64

  init(
    store: any FileStore, database: ServerIndexDatabase, pool: BlockingPool, now: @escaping @Sendable () -> Int64,
    relief: @escaping @Sendable () -> Bool = { false }
  ) {
    self.relief = relief
    self.store = store
    ready = store as? any ReadyReading
    self.database = database
    self.pool = pool
    self.now = now
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (ServerIndexReading) throws -> Value
  ) async throws(StoreError) -> Value {
    let database = database
    return try await pool.run { () throws(StoreError) -> Value in try database.read(body) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (ServerIndexWriting) throws -> Value
  ) async throws(StoreError) -> Value {
    let (database, relief) = (database, relief)
    let value = try await pool.run { () throws(StoreError) -> Value in
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

  /// The root, which is always there and in no row.
  static let root = ServerNode(key: "", id: "id:root", display: "", path: .root, isFolder: true)

  /// What a call names, as it is now; nil when nothing is there.
  func find(_ path: ClubPath) async throws(StoreError) -> ServerNode? {
    switch path {
    case .path(let display): return try await find(display: display)
    case .id(let id, let below):
      guard let node = try await read({ try $0.node(id: id) }) else { return nil }
      guard below.isEmpty else { return try await find(display: node.display + below) }
      // A file that another program moved away may be found again where it now is, but under another id.
      return try await refreshed(node)
    case .rev(let rev):
      guard let node = try await read({ try $0.node(rev: rev) }) else { return nil }
      let fresh = try await refreshed(node)
      return fresh?.rev == rev ? fresh : nil
    }
  }

  /// What the index has at a key, whether or not it is still so.
  private func node(key: String) async throws(StoreError) -> ServerNode? {
    if let node = database.rememberedNode(key: key) { return node }
    let database = database
    return try await pool.run { () throws(StoreError) in try database.node(key: key) }
  }

  func find(display: String) async throws(StoreError) -> ServerNode? {
    if display.isEmpty { return ClubIndex.root }
    let key = Folding.key(display)
    if let node = try await node(key: key), let fresh = try await refreshed(node), fresh.key == key { return fresh }
    // Not known: another program may have made it a moment ago.
    guard let place = try await place(of: display).path else { return nil }
    let found = try await look(at: place)
    return found?.key == key ? found : nil
  }

  /// A small file that was asked for lately, with all its bytes: one look at the store for both. Nil when that is not to
  /// be had in one step, whatever the reason; with `hashed`, also when its checksum is not known yet.
  func smallFile(_ display: String, hashed: Bool) async -> (file: ServerNode, bytes: [UInt8])? {
    guard let (file, revision) = smallFileKnown(display, hashed: hashed) else { return nil }
    if let bytes = ready?.readAtHand(file.path, ifRevision: revision, limit: Int(file.size)) {
      return (file, bytes)
    }
    do throws(StoreError) {
      return (file, try await store.readAll(file.path, ifRevision: revision, limit: Int(ClubIndex.smallBytes)).bytes)
    } catch {
      // Changed, gone, or not to be read: the usual way finds out which.
      return nil
    }
  }

  /// The same where nothing has to be waited for.
  func smallFileAtHand(_ display: String, hashed: Bool) -> (file: ServerNode, bytes: [UInt8])? {
    guard let ready, let (file, revision) = smallFileKnown(display, hashed: hashed),
      let bytes = ready.readAtHand(file.path, ifRevision: revision, limit: Int(file.size))
    else { return nil }
    return (file, bytes)
  }

  private func smallFileKnown(_ display: String, hashed: Bool) -> (file: ServerNode, revision: Revision)? {
    guard let file = database.rememberedNode(key: Folding.key(display)), !file.isFolder, file.hash != nil || !hashed,
      file.size <= ClubIndex.smallBytes, let revision = file.storeRevision
    else { return nil }
    return (file, revision)
  }

  private static let smallBytes: UInt64 = 64 << 10

  /// Where in the store something of this shown path is or would be: the deepest folder that is there, and from it down.
  /// `path` is nil when a file stands in the way (`isBlocked`), or the store cannot hold the name.
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
