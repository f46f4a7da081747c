import Basics

/// Reads the columns of a row that carries a checksum and may be damaged. An invalid column marks the row as damaged,
/// and reads as SQLite's conversion or as empty.
struct RowReader {
  private let row: SQLRow
  private(set) var isDamaged = false

  init(_ row: SQLRow) { self.row = row }

  mutating func text(_ column: String) -> String {
    let value = row[column]
    if let text = value.text { return text }
    isDamaged = true
    return switch value {
    case .integer(let number): String(number)
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    default: ""
    }
  }

  mutating func optionalText(_ column: String) -> String? { row[column].isNull ? nil : text(column) }

  mutating func number(_ column: String) -> Int64 { checked(row[column].number, or: 0) }

  mutating func optionalNumber(_ column: String) -> Int64? { row[column].isNull ? nil : number(column) }

  mutating func count(_ column: String) -> Int { Int(number(column)) }

  /// Only 0 and 1 are flags.
  mutating func flag(_ column: String) -> Bool {
    let number = number(column)
    if number != 0, number != 1 { isDamaged = true }
    return number == 1
  }

  mutating func bytes(_ column: String) -> [UInt8] { checked(row[column].bytes, or: []) }

  mutating func optionalBytes(_ column: String) -> [UInt8]? { row[column].isNull ? nil : bytes(column) }

  private mutating func checked<Value>(_ value: Value?, or empty: Value) -> Value {
    if value == nil { isDamaged = true }
    return value ?? empty
  }
}

/// Eight bytes of SHA-256 over a row's fields, stored in the row: SQLite does not detect a flipped bit in a value.
struct RowChecksum {
  private let hash = SHA256()

  /// Starts with the table's name, which distinguishes rows of different tables.
  init(_ table: String) { add(table) }

  /// Adds a field, preceded by its length: bytes cannot move between neighbouring fields unnoticed.
  func add(_ bytes: [UInt8]?) {
    guard let bytes else {
      add(-1)
      return
    }
    add(bytes.count)
    hash.update(bytes[...])
  }

  func add(_ text: String?) { add(text.map { Array($0.utf8) }) }

  func add(_ number: some BinaryInteger) {
    withUnsafeBytes(of: Int64(number).littleEndian) { hash.update(Array($0)[...]) }
  }

  func finish() -> [UInt8] { Array(hash.finish().prefix(8)) }
}
