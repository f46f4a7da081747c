import FileStores

extension SQLiteFile {
  private struct Table {
    let name: String
    let columns: [String]
    /// Columns that every row has; later ones were added with a default.
    let required: Int
    let hasIDs: Bool

    func takes(_ row: PageSalvage.Row) -> Bool {
      hasIDs == (row.id != nil) && (required...columns.count).contains(row.values.count)
    }
  }

  /// Copies the readable rows of a damaged file into a fresh one: first as SQLite reads it, then from pages that SQLite
  /// does not reach. Checksums show later which rows are wrong. Unreadable rows stay in the damaged file.
  static func salvage(from aside: String, into fresh: SQLConnection) {
    let tables: [Table]
    do {
      tables = try SQLiteFile.tables(fresh)
    } catch {
      return
    }
    for table in tables {
      copyReadableRows(of: table, from: aside, into: fresh)
    }
    for row in PageSalvage(file: bytes(aside), log: bytes(aside + "-wal")).rows() {
      let candidates = tables.filter { $0.takes(row) }
      guard let table = candidates.count == 1 ? candidates.first : candidates.first(where: { isProved(row, $0.name) })
      else { continue }
      var values = row.values
      if let id = row.id { values[0] = .integer(id) }
      insert(values, Array(table.columns.prefix(values.count)), into: table, of: fresh)
    }
  }

  private static func tables(_ connection: SQLConnection) throws -> [Table] {
    let rows = try connection.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    return try rows.map { row in
      let name = try row.text(0)
      let columns = try connection.rows("SELECT name, dflt_value FROM pragma_table_info(?)", [name])
      return Table(
        name: name, columns: try columns.map { try $0.text(0) },
        required: columns.prefix { $0.values[1].isNull }.count, hasIDs: try !row.text(1).contains("WITHOUT ROWID"))
    }
  }

  private static func copyReadableRows(of table: Table, from aside: String, into fresh: SQLConnection) {
    do {
      try SQLConnection(path: aside, isReadOnly: true, patience: .zero).each("SELECT * FROM \"\(table.name)\"") {
        insert($0.values, $0.columns.names, into: table, of: fresh)
      }
    } catch {
      // The error ends the table, not the salvage: earlier rows are kept.
      return
    }
  }

  private static func insert(_ values: [SQLValue], _ columns: [String], into table: Table, of fresh: SQLConnection) {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
    do {
      try fresh.run("INSERT OR IGNORE INTO \"\(table.name)\" (\(names)) VALUES (\(marks))", values)
    } catch {
      // A row that the table does not take stays in the damaged file.
      return
    }
  }

  private static func isProved(_ row: PageSalvage.Row, _ table: String) -> Bool {
    let sum = RowChecksum(table)
    for value in row.values.dropLast() {
      switch value {
      case .null: sum.add([UInt8]?.none)
      case .integer(let number): sum.add(number)
      case .text(let text): sum.add(text)
      case .blob(let bytes): sum.add(bytes)
      case .real: return false
      }
    }
    return row.values.last == .blob(sum.finish())
  }

  private static func bytes(_ path: String) -> [UInt8] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    do throws(StoreError) {
      let directory = PrivateDirectory(at: parts.count > 1 ? parts.dropLast().joined(separator: "/") : ".")
      return try directory.read(String(parts.last ?? "")) ?? []
    } catch {
      return []
    }
  }
}
