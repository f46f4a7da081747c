/// A value of a column or an argument. Text that is not UTF-8 is read as a blob: only damage makes it.
enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  var isNull: Bool { self == .null }

  /// The value as text, also if its type became a blob.
  var text: String? {
    switch self {
    case .text(let text): text
    case .blob(let bytes): String(validating: bytes, as: UTF8.self)
    case .null, .integer, .real: nil
    }
  }

  /// The value as bytes, also if its type became text.
  var bytes: [UInt8]? {
    switch self {
    case .blob(let bytes): bytes
    case .text(let text): Array(text.utf8)
    case .null, .integer, .real: nil
    }
  }

  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// nil is SQL's NULL.
typealias SQLArguments = [(any SQLArgument)?]

protocol SQLArgument {
  var sql: SQLValue { get }
}

extension SQLValue: SQLArgument { var sql: SQLValue { self } }
extension String: SQLArgument { var sql: SQLValue { .text(self) } }
extension Int64: SQLArgument { var sql: SQLValue { .integer(self) } }
extension Int: SQLArgument { var sql: SQLValue { .integer(Int64(self)) } }
extension Bool: SQLArgument { var sql: SQLValue { .integer(self ? 1 : 0) } }
extension [UInt8]: SQLArgument { var sql: SQLValue { .blob(self) } }

/// One row of a query. Each value is checked when it is read, because SQLite's own check does not detect a flipped bit
/// that changes the type of a value.
struct SQLRow: Sendable {
  final class Columns: Sendable {
    let names: [String]
    private let sql: String
    private let indices: [String: Int]

    init(_ names: [String], of sql: String) {
      (self.names, self.sql) = (names, sql)
      indices = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func index(_ name: String) -> Int? { indices[name] }

    var table: String {
      let words = sql.split(whereSeparator: \.isWhitespace)
      return words.firstIndex(of: "FROM").flatMap { words.dropFirst($0 + 1).first }.map(String.init) ?? "?"
    }
  }

  let columns: Columns
  let values: [SQLValue]

  /// NULL if the table has no column of that name, as after damage to the schema.
  subscript(column: String) -> SQLValue { columns.index(column).map { values[$0] } ?? .null }

  // Checked values by position: a look at each column's name would cost more than its value.

  func text(_ index: Int) throws(DamagedValue) -> String { try checked(values[index].text, index) }
  func bytes(_ index: Int) throws(DamagedValue) -> [UInt8] { try checked(values[index].bytes, index) }
  func number(_ index: Int) throws(DamagedValue) -> Int64 { try checked(values[index].number, index) }

  func flag(_ index: Int) throws(DamagedValue) -> Bool { try number(index) != 0 }

  func optionalText(_ index: Int) throws(DamagedValue) -> String? { values[index].isNull ? nil : try text(index) }

  func optionalNumber(_ index: Int) throws(DamagedValue) -> Int64? { values[index].isNull ? nil : try number(index) }

  /// - Throws: the place of the damage if there is no value.
  func checked<Value>(_ value: Value?, _ index: Int) throws(DamagedValue) -> Value {
    guard let value else {
      let first = values.first.flatMap { $0.text ?? $0.number.map(String.init) } ?? "?"
      throw DamagedValue(table: columns.table, row: first, column: columns.names[index])
    }
    return value
  }
}

/// A stored value of another type or form than the written one.
struct DamagedValue: Error, Equatable {
  let table: String
  let row: String
  let column: String
}
