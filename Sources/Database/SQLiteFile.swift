import FileStores
import FoundationEssentials
import GRDB
import Glibc
import Synchronization

/// One SQLite file: opened, checked, brought to the newest schema; failures told as `StoreError`s that name the file.
///
/// Calls block, and are carried out one at a time. Several processes may use one file: a writer waits up to 5 s for
/// another's.
final class SQLiteFile: Sendable {
  /// What a file is for, and so what to do when it is damaged.
  enum Purpose {
    /// Holds what is nowhere else: every commit is on the disk when it returns; damaged, it is put aside, never deleted.
    case kept
    /// Can be made again: deleted when damaged, and a power cut may lose the newest commits.
    case rebuilt
  }

  static let memory = ":memory:"
  /// Where the file is.
  let path: String
  private let purpose: Purpose
  private let schema: [String]
  private let opened = Mutex<(queue: DatabaseQueue, setAside: String?)?>(nil)

  /// Names a file. `schema` is the list of steps from an empty file to the newest form; `PRAGMA user_version` says how
  /// many of them a file has seen. The file is opened, and made when it is not there, at the first
  /// use or by `open`.
  init(path: String, purpose: Purpose, schema: [String]) {
    (self.path, self.purpose, self.schema) = (path, purpose, schema)
  }

  /// Opens the file, unless that was done before.
  func open() throws(StoreError) { _ = try queue() }

  /// Where a damaged predecessor was put, as far as the file has been opened.
  var setAside: String? { opened.withLock { $0?.setAside } }

  /// The newest damaged predecessor that is still beside the file, also of an earlier start.
  var lastAside: String? {
    let first = "\(path).damaged"
    guard path != SQLiteFile.memory, access(first, F_OK) == 0 else { return nil }
    var newest = first
    var number = 2
    while access("\(first)-\(number)", F_OK) == 0 {
      newest = "\(first)-\(number)"
      number += 1
    }
    return newest
  }

  private func queue() throws(StoreError) -> DatabaseQueue {
    try opened.withLock { (state) throws(StoreError) in
      if let state { return state.queue }
      let new = try make()
      state = new
      return new.queue
    }
  }

  private func make() throws(StoreError) -> (queue: DatabaseQueue, setAside: String?) {
    guard path != SQLiteFile.memory else { return (try SQLiteFile.open(path, purpose, schema), nil) }
    if let cut = path.lastIndex(of: "/"), cut != path.startIndex {
      _ = try PrivateDirectory(making: String(path[..<cut]))
    }
    let lock = OpeningLock(besides: path)
    defer { lock.release() }
    do throws(StoreError) {
      return (try SQLiteFile.open(path, purpose, schema), nil)
    } catch {
      guard error.kind == .corrupt else { throw error }
    }
    switch purpose {
    case .rebuilt:
      for suffix in SQLiteFile.suffixes { unlink(path + suffix) }
      return (try SQLiteFile.open(path, purpose, schema), nil)
    case .kept:
      let aside = try SQLiteFile.putAside(path)
      let fresh = try SQLiteFile.open(path, purpose, schema)
      SQLiteFile.salvage(from: aside, into: fresh)
      return (fresh, aside)
    }
  }

  /// Reads, seeing one state of the file.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    let queue = try queue()
    return try call { try queue.read(body) }
  }

  /// Changes the file: all that `body` does, or nothing. Durable when it returns, where the purpose is `.kept`.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    let queue = try queue()
    return try call { try queue.write(body) }
  }

  private func call<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw SQLiteFile.told(error, path)
    }
  }

  private static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// Opens a file; while another process is making it, or turning it to its write-ahead log, SQLite says "busy" at once
  /// and not after its busy timeout (waiting could be a deadlock there), so that is waited for here.
  private static func open(
    _ path: String, _ purpose: Purpose, _ schema: [String]
  ) throws(StoreError) -> DatabaseQueue {
    var tries = 0
    while true {
      do {
        return try openOnce(path, purpose, schema)
      } catch {
        guard tries < 250, (error as? DatabaseError)?.resultCode == .SQLITE_BUSY else { throw told(error, path) }
        tries += 1
        usleep(20_000)
      }
    }
  }

  private static func openOnce(_ path: String, _ purpose: Purpose, _ schema: [String]) throws -> DatabaseQueue {
    if path != memory { try makePrivate(path) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // A write-ahead log needs one flush a commit instead of three. Where the file system cannot (some network
      // file systems), SQLite stays with its rollback journal, and all else holds.
      try database.execute(sql: "PRAGMA auto_vacuum = FULL")
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = \(purpose == .kept ? "FULL" : "NORMAL")")
      // After a very large note the log is cut back to this.
      _ = try Int.fetchOne(database, sql: "PRAGMA journal_size_limit = 4194304")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    guard verdict == "ok" else { throw damaged(path) }
    if try queue.read(version) < schema.count { try queue.write { try upgrade($0, schema) } }
    if try queue.read(version) > schema.count {
      throw StoreError(
        .unsupported, "\"\(path)\" was written by a newer byteclub.", remedy: "Start the newest byteclub that you have."
      )
    }
    return queue
  }

  private static func version(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Carries out the steps that the file has not seen yet. Asks again which those are, now that no other process can
  /// do them at the same time.
  private static func upgrade(_ database: Database, _ schema: [String]) throws {
    for step in try schema.dropFirst(version(database)) { try database.execute(sql: step) }
    if try version(database) < schema.count { try database.execute(sql: "PRAGMA user_version = \(schema.count)") }
  }

  /// Sees to it that the file is there with mode 0600, before SQLite would make it with the umask's; its companions
  /// (-wal, -shm) take the file's mode. The file is not opened for that: closing a second descriptor of it would drop
  /// the locks of a connection that this process may have (https://www.sqlite.org/howtocorrupt.html, 2.2).
  private static func makePrivate(_ path: String) throws {
    if mknod(path, S_IFREG | 0o600, 0) == 0 { return }
    // A file that is there and may only be read is SQLite's to refuse, when something is written.
    guard errno == EEXIST || access(path, R_OK) == 0 else { throw PrivateDirectory.failure(errno, "opened", path) }
    chmod(path, 0o600)
  }

  private static func putAside(_ path: String) throws(StoreError) -> String {
    var aside = "\(path).damaged"
    var number = 1
    while access(aside, F_OK) == 0 {
      number += 1
      aside = "\(path).damaged-\(number)"
    }
    for suffix in suffixes where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, aside + suffix) == 0 else {
        throw PrivateDirectory.failure(errno, "put aside (it is damaged)", path + suffix)
      }
    }
    return aside
  }

  /// Copies what can still be read out of a damaged file, row by row; rows carry checksums, so what is wrong is known
  /// when it is read. What cannot be read stays in the file that was put aside.
  private static func salvage(from aside: String, into fresh: DatabaseQueue) {
    var configuration = Configuration()
    configuration.readonly = true
    guard let old = try? DatabaseQueue(path: aside, configuration: configuration),
      let tables = try? fresh.read({ database in
        try String.fetchAll(
          database,
          sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      })
    else { return }
    for table in tables {
      var rows: [Row] = []
      // An error ends the table, not the salvage: what came before it is kept.
      try? old.read { database in
        let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \"\(table)\"")
        while let row = try cursor.next() { rows.append(row.copy()) }
      }
      for row in rows {
        let columns = row.columnNames.map { "\"\($0)\"" }.joined(separator: ", ")
        let marks = Array(repeating: "?", count: row.count).joined(separator: ", ")
        try? fresh.write { database in
          try database.execute(
            sql: "INSERT OR IGNORE INTO \"\(table)\" (\(columns)) VALUES (\(marks))",
            arguments: StatementArguments(Array(row.databaseValues)))
        }
      }
    }
  }
}
