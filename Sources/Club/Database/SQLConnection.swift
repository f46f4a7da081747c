import CSQLite
import Synchronization

struct SQLFailure: Error {
  /// The primary result code (https://www.sqlite.org/rescode.html).
  let code: Int32
  let reason: String
  /// The `errno` of a failed system call; 0 for other failures.
  var system: Int32 = 0
}

/// A connection to one SQLite file, closed with its last reference. Statements are prepared once and kept.
///
/// Threads may share it, and their calls run one at a time; a transaction needs a lock around it. Calls block.
final class SQLConnection: Sendable {
  private let state: Mutex<State>

  /// Opens a file, and creates it unless `isReadOnly`. A call waits up to `patience` for another connection's lock.
  init(path: String, isReadOnly: Bool = false, patience: Duration) throws(SQLFailure) {
    state = Mutex(try State(path, isReadOnly: isReadOnly, patience))
  }

  func run(_ sql: String, _ arguments: SQLArguments = []) throws(SQLFailure) {
    _ = try rows(sql, arguments)
  }

  /// Runs several statements without arguments, up to the first that fails.
  func script(_ sql: String) throws(SQLFailure) {
    try state.withLock { (state) throws(SQLFailure) in
      try state.check(sqlite3_exec(state.handle, sql, nil, nil, nil))
    }
  }

  func rows(_ sql: String, _ arguments: SQLArguments = []) throws(SQLFailure) -> [SQLRow] {
    var rows: [SQLRow] = []
    try each(sql, arguments) { rows.append($0) }
    return rows
  }

  func first(_ sql: String, _ arguments: SQLArguments = []) throws(SQLFailure) -> SQLRow? {
    try rows(sql, arguments).first
  }

  /// Calls `body` with each row of a query as it is read. `body` may not use this connection.
  func each(
    _ sql: String, _ arguments: SQLArguments = [], _ body: (SQLRow) -> Void
  ) throws(SQLFailure) {
    try step(sql, arguments) { body(SQLRow(columns: $0.columns, values: $0.values())) }
  }

  /// As `each`, with the bytes of the first two columns, which are valid during the call. It copies nothing.
  func eachPair(
    _ sql: String, _ arguments: SQLArguments = [],
    _ body: (_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Void
  ) throws(SQLFailure) {
    try step(sql, arguments) { body($0.bytes(0), $0.bytes(1)) }
  }

  private func step(
    _ sql: String, _ arguments: SQLArguments, _ body: (Statement) -> Void
  ) throws(SQLFailure) {
    let values = arguments.map { $0?.sql ?? .null }
    try state.withLock { (state) throws(SQLFailure) in
      let statement = try state.prepared(sql)
      defer { statement.reset() }
      try state.check(statement.bind(values))
      while true {
        let code = sqlite3_step(statement.pointer)
        guard code == SQLITE_ROW else { return try state.check(code) }
        state.rowsRead += 1
        body(statement)
      }
    }
  }

  /// Runs `body` as one transaction: all of its changes become durable, or none. `IMMEDIATE` takes the lock for writing
  /// first, so that no later statement meets another writer.
  func transaction<Value>(_ mode: String, _ body: (SQLConnection) throws -> Value) throws -> Value {
    try run("BEGIN \(mode)")
    do {
      let value = try body(self)
      try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// SQLite may have rolled back itself after a failure.
  private func rollBack() {
    state.withLock { state in
      if sqlite3_get_autocommit(state.handle) == 0 { sqlite3_exec(state.handle, "ROLLBACK", nil, nil, nil) }
    }
  }

  /// Runs `body` with SQLite's own handle, which is valid during the call.
  func withHandle<Value: Sendable>(_ body: (OpaquePointer) -> Value) -> Value { state.withLock { body($0.handle) } }

  var changes: Int { state.withLock { Int(sqlite3_changes($0.handle)) } }

  /// The rows read until now, for tests of the work that calls take.
  var rowsRead: Int { state.withLock { $0.rowsRead } }

  /// The rows written until now, for the same tests.
  var rowsWritten: Int { state.withLock { Int(sqlite3_total_changes($0.handle)) } }

  var lastID: Int64 { state.withLock { sqlite3_last_insert_rowid($0.handle) } }
}

private struct State: ~Copyable {
  /// More statements than any file has; a full cache is emptied.
  private static let most = 100

  let handle: OpaquePointer
  var rowsRead = 0
  private var statements: [String: Statement] = [:]

  init(_ path: String, isReadOnly: Bool, _ patience: Duration) throws(SQLFailure) {
    var new: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &new, access | SQLITE_OPEN_NOMUTEX, nil)
    guard let new else { throw SQLFailure(code: code, reason: "no memory for a connection") }
    guard code == SQLITE_OK else {
      let failure = SQLFailure(code: code, of: new)
      sqlite3_close_v2(new)
      throw failure
    }
    handle = new
    sqlite3_busy_timeout(handle, Int32(clamping: Int64(patience / .milliseconds(1))))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement.pointer) }
    sqlite3_close_v2(handle)
  }

  func check(_ code: Int32) throws(SQLFailure) {
    guard code == SQLITE_OK || code == SQLITE_DONE else { throw SQLFailure(code: code, of: handle) }
  }

  mutating func prepared(_ sql: String) throws(SQLFailure) -> Statement {
    if let known = statements[sql] { return known }
    if statements.count >= State.most {
      for statement in statements.values { sqlite3_finalize(statement.pointer) }
      statements = [:]
    }
    var new: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &new, nil))
    guard let new else { throw SQLFailure(code: SQLITE_MISUSE, reason: "a statement is empty") }
    let statement = Statement(new, sql)
    statements[sql] = statement
    return statement
  }
}

private struct Statement {
  let pointer: OpaquePointer
  let columns: SQLRow.Columns

  init(_ pointer: OpaquePointer, _ sql: String) {
    self.pointer = pointer
    columns = SQLRow.Columns(
      (0..<sqlite3_column_count(pointer)).map { sqlite3_column_name(pointer, $0).map { String(cString: $0) } ?? "" },
      of: sql)
  }

  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  func bind(_ values: [SQLValue]) -> Int32 {
    for (index, value) in zip(Int32(1)..., values) {
      let code =
        switch value {
        case .null: sqlite3_bind_null(pointer, index)
        case .integer(let number): sqlite3_bind_int64(pointer, index, number)
        case .real(let number): sqlite3_bind_double(pointer, index, number)
        case .text(var text): text.withUTF8 { cs_bind_text(pointer, index, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
          bytes.withUnsafeBytes { cs_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count)) }
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// The bytes of a text or blob, which are valid until the next row.
  func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(pointer, index)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, index)))
  }

  func values() -> [SQLValue] {
    columns.names.indices.map { value(Int32($0)) }
  }

  private func value(_ index: Int32) -> SQLValue {
    switch sqlite3_column_type(pointer, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(pointer, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(pointer, index))
    case SQLITE_TEXT:
      // The size is that of the text only after the call that returns it.
      let start = sqlite3_column_text(pointer, index)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, index)))
      return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
    case SQLITE_BLOB: return .blob(Array(bytes(index)))
    default: return .null
    }
  }
}

extension SQLFailure {
  fileprivate init(code: Int32, of handle: OpaquePointer) {
    self.init(
      code: code & 0xFF, reason: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "no reason given",
      system: sqlite3_system_errno(handle))
  }
}
