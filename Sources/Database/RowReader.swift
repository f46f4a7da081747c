import FoundationEssentials
import GRDB

/// Reads the columns of a row that may be damaged: a flipped bit may change a value's type, and SQLite's own check does
/// not notice. A column that is not what it should be reads as empty, and the row as damaged.
///
/// All rows are read through this or through `Row.decode`, never by GRDB's subscripts, which trap.
struct RowReader {
  private let row: Row
  /// Whether a column was not what it should be.
  private(set) var isDamaged = false

  init(_ row: Row) { self.row = row }

  mutating func text(_ column: String) -> String { value(column, or: "") }

  mutating func optionalText(_ column: String) -> String? { value(column, or: nil) }

  mutating func number(_ column: String) -> Int64 { value(column, or: 0) }

  mutating func optionalNumber(_ column: String) -> Int64? { value(column, or: nil) }

  mutating func count(_ column: String) -> Int { value(column, or: 0) }

  /// Only 0 and 1 are flags.
  mutating func flag(_ column: String) -> Bool {
    let number = number(column)
    if number != 0, number != 1 { isDamaged = true }
    return number == 1
  }

  mutating func data(_ column: String) -> Data { value(column, or: Data()) }

  mutating func bytes(_ column: String) -> [UInt8] { Array(data(column)) }

  mutating func optionalBytes(_ column: String) -> [UInt8]? { (value(column, or: nil) as Data?).map { Array($0) } }

  private mutating func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String, or empty: Value
  ) -> Value {
    do {
      return try row.decode(Value.self, forColumn: column)
    } catch {
      isDamaged = true
      return empty
    }
  }
}
