import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct SQLConnectionTests {
  private static let schema = ["CREATE TABLE things (name TEXT NOT NULL PRIMARY KEY, size INTEGER, content BLOB)"]

  private func file(_ path: String = SQLiteFile.memory) -> SQLiteFile {
    SQLiteFile(path: path, purpose: .kept, schema: Self.schema)
  }

  private struct Stop: Error {}

  @Test func `values come back as they were written`() throws {
    let texts = ["", "a", "a\0b", "ü 🌊", String(repeating: "long ", count: 5_000)]
    let contents: [[UInt8]?] = [[], nil, [0], [0xFF, 0], Array(repeating: 7, count: 100_000)]
    let file = file()
    for (text, content) in zip(texts, contents) {
      try file.write { try $0.run("INSERT INTO things VALUES (?, ?, ?)", [text, content.map(\.count), content]) }
      let row = try file.read { try $0.first("SELECT * FROM things WHERE name = ?", [text]) }
      let size = content.map { SQLValue.integer(Int64($0.count)) } ?? .null
      #expect(row?.values == [.text(text), size, content.map { .blob($0) } ?? .null])
      #expect(row?["content"].bytes == content && row?["other"] == .null)
    }
    let numbers = try file.read { try $0.rows("SELECT ?1, ?2, ?3", [Int64.min, Int64.max, true]) }
    #expect(numbers.map(\.values) == [[.integer(.min), .integer(.max), .integer(1)]])
  }

  @Test func `a value of another type is damage at a named place`() throws {
    let file = file("/nowhere/but/in/memory")
    let row = SQLRow(
      columns: SQLRow.Columns(["name", "size"], of: "SELECT name, size FROM things WHERE x"),
      values: [.text("a"), .text("12")])
    #expect(try row.text(0) == "a")
    let damage = #expect(throws: DamagedValue.self) { try row.number(1) }
    let error = SQLiteFile.storeError(try #require(damage), file.path)
    #expect(error.kind == .corrupt)
    #expect(error.message == "\"\(file.path)\" is damaged: column \"size\" of \"a\" in \"things\".")
    for value in [SQLValue.null, .integer(1), .real(0.5), .blob([0xFF])] { #expect(value.text == nil) }
    for value in [SQLValue.null, .real(1), .text("1"), .blob([1])] { #expect(value.number == nil) }
    for value in [SQLValue.null, .integer(1), .real(0.5)] { #expect(value.bytes == nil) }
  }

  @Test func `text that is not UTF-8 is read as its bytes`() throws {
    let value = try file().read { try $0.first("SELECT CAST(x'61ff' AS TEXT)")?.values.first }
    #expect(value == .blob([0x61, 0xFF]))
  }

  @Test func `a transaction that throws leaves nothing behind, and the next one works`() throws {
    let file = file()
    try file.write { try $0.run("INSERT INTO things (name) VALUES ('kept')") }
    #expect(throws: StoreError.self) {
      try file.write { database in
        try database.run("DELETE FROM things")
        throw Stop()
      }
    }
    // A statement that fails (the key is there already) undoes those before it as well.
    #expect(throws: StoreError.self) {
      try file.write { database in
        try database.run("INSERT INTO things (name) VALUES ('new')")
        try database.run("INSERT INTO things (name) VALUES ('kept')")
      }
    }
    #expect(try file.read { try $0.rows("SELECT name FROM things").map(\.values) } == [[.text("kept")]])
    #expect(
      try file.write {
        try $0.run("UPDATE things SET size = 1")
        return $0.changes
      } == 1)
  }

  @Test func `a commit that does not fit on the disk is undone and reported, and a smaller one fits`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder.file("things.sqlite"))
    try file.write { try $0.run("INSERT INTO things (name) VALUES ('kept')") }
    // SQLite reports a full disk at this size.
    try file.write { try $0.run("PRAGMA max_page_count = 40") }
    let error = #expect(throws: StoreError.self) {
      try file.write { database in
        try database.run("INSERT INTO things (name) VALUES ('small')")
        try database.run(
          "INSERT INTO things (name, content) VALUES ('large', ?)", [[UInt8](repeating: 1, count: 400_000)])
      }
    }
    #expect(error?.kind == .quota)
    try file.write { try $0.run("INSERT INTO things (name) VALUES ('later')") }
    #expect(
      try file.read { try $0.rows("SELECT name FROM things ORDER BY name").compactMap(\.values[0].text) }
        == ["kept", "later"])
  }

  @Test func `a file that may not be written is read, and a change is refused`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("things.sqlite")
    try file(path).write { try $0.run("INSERT INTO things (name) VALUES ('kept')") }
    let reading = try SQLConnection(path: path, isReadOnly: true, patience: .zero)
    #expect(try reading.rows("SELECT name FROM things").count == 1)
    let failure = #expect(throws: SQLFailure.self) { try reading.run("DELETE FROM things") }
    #expect(SQLiteFile.failure(try #require(failure), path).kind == .notPermitted)
  }

  @Test func `more statements than are kept still run`() throws {
    let file = file()
    for number in 0..<300 {
      #expect(try file.read { try $0.first("SELECT \(number)")?.values } == [.integer(Int64(number))])
    }
  }

  @Test func `without a descriptor the error names the reason, not the permissions`() {
    let failure = SQLFailure(code: 14, reason: "unable to open database file", system: 24)
    #expect(SQLiteFile.failure(failure, "/data/outbox.sqlite").message.contains("Too many open files"))
  }
}
