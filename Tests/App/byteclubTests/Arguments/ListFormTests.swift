import ArgumentParser
import FileStores
import Testing

@testable import byteclub

/// The orders of `note ls` and `photo ls`.
@Suite struct ListFormTests {
  private func sorted(_ words: String...) throws -> [String] {
    let rows: [(name: String, size: UInt64?, time: Int64?)] = [
      ("b9.md", 5, 30), ("B10.md", 7, 10), ("a.md", 5, 20), ("new.md", nil, nil),
    ]
    let entries = try rows.map { row in
      FileEntry(
        path: try StorePath(row.name), kind: .file, size: row.size, modified: row.time.map { Timestamp(seconds: $0) })
    }
    let form = try ListForm.parse(words)
    return form.sorted(entries) { $0.path.name }.map(\.path.description)
  }

  @Test func `names are in the order of the app's list`() throws {
    #expect(try sorted() == ["a.md", "b9.md", "B10.md", "new.md"])
    #expect(try sorted("--sort", "name", "--reverse") == ["new.md", "B10.md", "b9.md", "a.md"])
  }

  @Test func `the newest comes first by date, and what has no date last`() throws {
    #expect(try sorted("--sort", "date") == ["b9.md", "a.md", "B10.md", "new.md"])
  }

  @Test func `the largest comes first by size, and equal ones by name`() throws {
    #expect(try sorted("--sort", "size") == ["B10.md", "a.md", "b9.md", "new.md"])
  }

  @Test func `names alone suffice for the order of names`() throws {
    #expect(try ListForm.parse([]).needsNamesOnly)
    #expect(try !ListForm.parse(["--sort", "date"]).needsNamesOnly && !ListForm.parse(["-l"]).needsNamesOnly)
  }
}
