import FileStores
import FoundationEssentials

/// Eight bytes of SHA-256 over a row's fields, kept in the row: SQLite itself does not notice a flipped bit in a value.
struct RowChecksum {
  private let hash = SHA256()

  /// Starts with the table's name, so that a row cannot pass for one of another table.
  init(_ table: String) { add(table) }

  /// Adds a field; its length goes first, so that neighbours cannot trade bytes.
  func add(_ bytes: [UInt8]?) {
    guard let bytes else {
      add(-1)
      return
    }
    add(bytes.count)
    hash.update(bytes[...])
  }

  /// Adds a field.
  func add(_ text: String?) { add(text.map { Array($0.utf8) }) }

  /// Adds a field.
  func add(_ number: some BinaryInteger) {
    withUnsafeBytes(of: Int64(number).littleEndian) { hash.update(Array($0)[...]) }
  }

  /// The sum of all that was added.
  func finish() -> Data { Data(hash.finish().prefix(8)) }
}
