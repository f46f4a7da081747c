import Basics
import CSQLite
import FileStores
import POSIX
import Synchronization

/// One SQLite file: opens and checks it, upgrades its schema, and converts failures to `StoreError`s that name the
/// file. Calls block and run one at a time. Several processes may use one file: a writer waits up to 5 s for another's.
final class SQLiteFile: Sendable {
  enum Purpose {
    /// Holds data that exists nowhere else: commits are durable on return, and a damaged file is set aside, never
    /// deleted.
    case kept
    /// Can be rebuilt: deleted if damaged, and a power cut may lose the newest commits.
    case rebuilt
  }

  static let memory = ":memory:"
  let path: String
  private let purpose: Purpose
  private let schema: [String]
  /// The longest wait for another program's lock on the file.
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  /// False for a large file whose damage may show later.
  private let isCheckedAtOpening: Bool
  /// True if the file stays as it is, also a damaged one, which is an error.
  let isReadOnly: Bool
  private let opened = Mutex<(connection: SQLConnection, setAside: String?)?>(nil)
  /// Held by the call that uses the connection.
  private let turn = Mutex(())
  /// The error of the last opening, for calls within a second: each of them would otherwise wait as long for a program
  /// that keeps the file locked.
  private let refused = Mutex<(error: StoreError, until: ContinuousClock.Instant)?>(nil)

  /// The file is opened, and created if missing, at the first use or by `open`. `schema` lists the steps from an empty
  /// file to the newest form; `PRAGMA user_version` counts the steps that a file has seen.
  init(
    path: String, purpose: Purpose, schema: [String], patience: Duration = .seconds(5), isCheckedAtOpening: Bool = true,
    isReadOnly: Bool = false, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.path, self.purpose, self.schema, self.patience) = (path, purpose, schema, patience)
    (self.isCheckedAtOpening, self.isReadOnly, self.now) = (isCheckedAtOpening, isReadOnly, now)
  }

  /// Deletes a damaged file that can be rebuilt; the next call makes it anew. A process that has it open keeps its own
  /// until it ends.
  func startAnew() {
    guard purpose == .rebuilt, path != SQLiteFile.memory else { return }
    opened.withLock { state in
      state = nil
      for suffix in SQLiteFile.suffixes { unlink(path + suffix) }
    }
  }

  func open() throws(StoreError) { _ = try connection() }

  var exists: Bool { path == SQLiteFile.memory || access(path, F_OK) == 0 }

  /// The path to which a damaged predecessor was moved when this file was opened; nil without one, or before opening.
  var setAside: String? { opened.withLock { $0?.setAside } }

  /// The newest damaged predecessor beside the file, including those of earlier starts.
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

  private func connection() throws(StoreError) -> SQLConnection {
    try opened.withLock { (state) throws(StoreError) in
      if let state { return state.connection }
      if let refused = refused.withLock({ $0 }), now() < refused.until { throw refused.error }
      let began = now()
      do throws(StoreError) {
        let new = try make()
        state = new
        return new.connection
      } catch {
        let end = now()
        if end - began >= patience { refused.withLock { $0 = (error, end + .seconds(1)) } }
        throw error
      }
    }
  }

  private func make() throws(StoreError) -> (connection: SQLConnection, setAside: String?) {
    guard path != SQLiteFile.memory, !isReadOnly else { return (try openDatabase(), nil) }
    if let cut = path.lastIndex(of: "/"), cut != path.startIndex {
      _ = try PrivateDirectory(making: String(path[..<cut]))
    }
    let lock = OpeningLock(besides: path, waiting: max(patience, .seconds(5)))
    defer { lock.release() }
    do throws(StoreError) {
      return (try openDatabase(), nil)
    } catch {
      guard error.kind == .corrupt else { throw error }
    }
    switch purpose {
    case .rebuilt:
      for suffix in SQLiteFile.suffixes { unlink(path + suffix) }
      return (try openDatabase(), nil)
    case .kept:
      let aside = try SQLiteFile.putAside(path)
      let fresh = try openDatabase()
      SQLiteFile.salvage(from: aside, into: fresh)
      return (fresh, aside)
    }
  }

  /// Reads one consistent state of the file.
  func read<Value: Sendable>(_ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
    try transaction("DEFERRED", body)
  }

  /// Changes the file: all changes of `body`, or none. Durable on return if the purpose is `.kept`.
  func write<Value: Sendable>(_ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
    try transaction("IMMEDIATE", body)
  }

  /// The rows of one query.
  func rows(_ sql: String, _ arguments: SQLArguments = []) throws(StoreError) -> [SQLRow] {
    try read { try $0.rows(sql, arguments) }
  }

  /// The first row of one query.
  func first(_ sql: String, _ arguments: SQLArguments = []) throws(StoreError) -> SQLRow? {
    try rows(sql, arguments).first
  }

  /// Changes the file by one statement. Returns the number of rows that it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: SQLArguments = []) throws(StoreError) -> Int {
    try write { database in
      try database.run(sql, arguments)
      return database.changes
    }
  }

  private func transaction<Value: Sendable>(
    _ mode: String, _ body: (SQLConnection) throws -> Value
  ) throws(StoreError) -> Value {
    let connection = try connection()
    do {
      return try turn.withLock { _ in try connection.transaction(mode, body) }
    } catch {
      throw storeError(error)
    }
  }

  private func storeError(_ error: any Error) -> StoreError {
    let error = SQLiteFile.storeError(error, path)
    guard isReadOnly, error.kind == .corrupt else { return error }
    let remedy =
      purpose == .kept
      ? "Start the server again: it sets the file aside, and goes on with the readable part."
      : "Start the server again: it makes the file anew."
    return StoreError(.corrupt, error.message, remedy: remedy)
  }

  private static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// Opens a file. While another process creates it or switches it to its write-ahead log, SQLite returns "busy" at
  /// once, ignoring its busy timeout (waiting could deadlock there), so the retry is here.
  private func openDatabase() throws(StoreError) -> SQLConnection {
    let end = now() + patience
    while true {
      do {
        return try openOnce()
      } catch {
        guard now() < end, (error as? SQLFailure)?.code == SQLITE_BUSY else { throw storeError(error) }
        usleep(20_000)
      }
    }
  }

  private func openOnce() throws -> SQLConnection {
    if path != SQLiteFile.memory, !isReadOnly { try SQLiteFile.makePrivate(path) }
    var connection = try SQLConnection(path: path, isReadOnly: isReadOnly, patience: patience)
    // A write-ahead log needs one flush a commit instead of three. If the file system does not support it (some network
    // file systems), SQLite keeps its rollback journal with the same guarantees. The log is cut back to the limit after
    // a very large note. Without recursive triggers a row that another one replaces would fire no trigger.
    if !isReadOnly {
      // In a file that has it already, this writes all the same: five flushes, and a wait for other writers.
      if try connection.first("PRAGMA auto_vacuum")?.number(0) != 1 {
        try connection.script("PRAGMA auto_vacuum = FULL;")
      }
      try connection.script(
        """
        PRAGMA recursive_triggers = ON;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = \(purpose == .kept ? "FULL" : "NORMAL");
        PRAGMA journal_size_limit = 4194304;
        """)
    }
    if isCheckedAtOpening {
      guard try connection.first("PRAGMA quick_check(1)")?.values == [.text("ok")] else {
        throw SQLiteFile.damaged(path)
      }
    }
    if try SQLiteFile.version(connection) < schema.count {
      if isReadOnly { connection = try inMemory(connection) }
      try connection.transaction("IMMEDIATE") { try SQLiteFile.upgrade($0, schema) }
    }
    if try SQLiteFile.version(connection) > schema.count {
      throw StoreError(
        .unsupported, "\"\(path)\" was written by a newer byteclub.", remedy: "Start the newest byteclub that you have."
      )
    }
    return connection
  }

  private func inMemory(_ file: SQLConnection) throws -> SQLConnection {
    let copy = try SQLConnection(path: SQLiteFile.memory, patience: patience)
    guard try file.copy(into: copy) else { throw SQLFailure(code: SQLITE_BUSY, reason: "the database is locked") }
    return copy
  }

  private static func version(_ connection: SQLConnection) throws -> Int {
    let version = try connection.first("PRAGMA user_version")?.number(0) ?? 0
    guard version >= 0 else { throw SQLFailure(code: SQLITE_CORRUPT, reason: "its version is below 0") }
    return Int(version)
  }

  /// Runs the missing steps. Reads the version again, now that no other process can run them at the same time.
  private static func upgrade(_ connection: SQLConnection, _ schema: [String]) throws {
    for step in try schema.dropFirst(version(connection)) { try connection.script(step) }
    if try version(connection) < schema.count { try connection.run("PRAGMA user_version = \(schema.count)") }
  }

  /// Creates the file with mode 0600 before SQLite would create it with the umask's; its companions (-wal, -shm)
  /// inherit the mode. It does not open the file: closing a second descriptor would drop the locks of a connection of
  /// this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
  private static func makePrivate(_ path: String) throws {
    if mknod(path, S_IFREG | 0o600, 0) == 0 { return }
    let code = errno
    // SQLite itself refuses writes to an existing read-only file.
    guard code == EEXIST || access(path, R_OK) == 0 else { throw StoreError.system(code, "made", path) }
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
        throw .system(errno, "put aside (it is damaged)", path + suffix)
      }
    }
    return aside
  }
}

/// A lock on the folder while a process opens a database. Of several processes that start at once, only one creates the
/// file, or sets a damaged one aside with its companions.
struct OpeningLock {
  private let folder: OpenFile?

  /// Waits no longer than `time`, because a stopped process must not stop the others. Continues without a lock if the
  /// folder cannot be locked.
  init(besides path: String, waiting time: Duration) {
    folder = try? OpenFile(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    if let folder { _ = try? FileLock.take(folder.descriptor, waiting: time) }
  }

  func release() { if let folder { FileLock.release(folder.descriptor) } }
}
