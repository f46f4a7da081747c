import FileStores
import TestKit
import Testing

@testable import Database

/// The bytes of a club's and of a member's files, which the index sums up as its rows change.
@Suite struct ServerUsedBytesTests {
  private static let authors = ["a", "ab", "b"].map {
    ServerAuthor(ServerMember(id: $0, name: "Ann Bee \($0)", created: 1))
  }

  private func node(_ number: Int, _ size: UInt64, _ author: ServerAuthor?) throws -> ServerNode {
    ServerNode(
      key: "/f/\(number)", id: "id:\(number)", display: "/f/\(number)", path: try StorePath("f/\(number)"),
      isFolder: false, size: size, storeRevision: Revision("r\(size)"), author: author)
  }

  /// Compares the sums with those of all rows.
  private func check(_ index: ServerIndexDatabase, _ when: String) throws {
    let files = try index.read { try $0.nodes(in: .subtree(""), after: "", limit: 10_000) }
    func sum(_ id: String?) -> UInt64 {
      files.filter { id == nil || $0.author?.id == id }.reduce(0) { $0 + $1.size }
    }
    #expect(try index.read { try $0.usedBytes() } == sum(nil), "\(when)")
    for author in Self.authors + [ServerAuthor(ServerMember(id: "nobody", name: "No", created: 1))] {
      #expect(try index.read { try $0.usedBytes(by: author.id) } == sum(author.id), "\(when): \(author.id)")
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `sums are those of the rows, whatever is written, moved, replaced, deleted and forgotten`(seed: UInt64) throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    var numbers = SeededNumbers(seed)
    for step in 0..<400 {
      let number = numbers.below(12)
      let author = numbers.below(4)
      var file = try node(number, UInt64(numbers.below(1000)), author == 3 ? nil : Self.authors[author])
      try index.write { writing in
        switch numbers.below(6) {
        case 0:
          if let there = try writing.node(key: file.key) { try writing.remove(there) }
        case 1:
          // A row with the path of another one, which it replaces.
          file.path = try StorePath("f/\(numbers.below(12))")
          file.id = "id:new\(step)"
          try writing.save(file)
        case 2: try writing.forgetDeleted(keeping: 2)
        case 3: try writing.keep(file)
        default: try writing.save(file)
        }
      }
      if step % 20 == 0 { try check(index, "step \(step)") }
    }
    try check(index, "at the end")
  }

  @Test func `a change that is taken back changes no sum`() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    _ = try index.write { try $0.save(node(1, 100, Self.authors[0])) }
    #expect(throws: StoreError.self) {
      try index.write { writing in
        try writing.save(node(1, 7, Self.authors[1]))
        throw StoreError(.server, "The disk is full.")
      }
    }
    try check(index, "after the failure")
    #expect(try index.read { try $0.usedBytes() } == 100)
  }

  @Test func `an index of an earlier version gets its sums when it is opened`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("index.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .rebuilt, schema: Array(ServerIndexDatabase.schema.dropLast()))
      try old.write { database in
        let writing = ServerIndexWriting(database: database)
        for number in 0..<30 {
          try writing.save(node(number, UInt64(number), number % 4 == 3 ? nil : Self.authors[number % 4]))
        }
        try writing.remove(node(5, 5, Self.authors[1]))
      }
    }
    let index = try ServerIndexDatabase(path: path)
    try check(index, "after the upgrade")
    #expect(try index.read { try $0.usedBytes() } == 430)
  }

  @Test func `sums are made anew when damaged rows were dropped`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("index.sqlite")
    do {
      let index = try ServerIndexDatabase(path: path)
      try index.write { for number in 0..<3 { try $0.save(node(number, 50, Self.authors[0])) } }
      let file = SQLiteFile(path: path, purpose: .rebuilt, schema: ServerIndexDatabase.schema)
      try file.write { database in
        try database.run("UPDATE nodes SET is_folder = 'x', size = 9 WHERE key = '/f/1'")
        try database.run("UPDATE used SET bytes = 12345")
      }
    }
    let index = try ServerIndexDatabase(path: path)
    #expect(try index.read { try $0.node(key: "/f/1") } == nil)
    try check(index, "after the row was dropped")
    #expect(try index.read { try $0.usedBytes() } == 100)
  }
}
