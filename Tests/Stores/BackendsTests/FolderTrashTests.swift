import Basics
import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

/// The trash of a folder on the disk.
@Suite struct FolderTrashTests {
  private let pool = BlockingPool(threads: 2)

  @Test("What an earlier version of byteclub discarded is listed, put back and deleted")
  func old() async throws {
    try await withTemporaryFolder { root in
      for (id, name) in [("abc-1", "a.md"), ("abd-2", "b.md"), ("abe-3", "c.md")] {
        try FolderStore.create(root: root + "/.byteclub/trash/" + id)
        writeInPlace(root + "/.byteclub/trash/\(id)/file", name)
        writeInPlace(root + "/.byteclub/trash/\(id)/origin", "byteclub trash 1\n1600000000000000000\n" + name)
      }
      let trash = try #require(try FolderStore(root: root, pool: pool).capabilities.trash)
      #expect(try await trash.contents().map(\.origin.description) == ["c.md", "b.md", "a.md"])
      _ = try await trash.restore("abc-1")
      #expect(contents(root + "/a.md") == "a.md")
      _ = try await trash.restore("abd-2", as: StorePath("sub/d.md"))
      #expect(contents(root + "/sub/d.md") == "b.md")
      #expect(try await trash.empty() == 1)
      #expect(try await trash.contents() == [])
    }
  }

  @Test("The trash is no part of the club, and what others put there is left alone")
  func hidden() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      let trash = try #require(store.capabilities.trash)
      _ = try await store.put(DataSource([1]), at: StorePath("sub/a"), mode: .create)
      _ = try await trash.discard(StorePath("sub/a"), ifRevision: nil)
      writeInPlace(root + "/.club-trash/mine.txt", "mine")
      let listed = try await store.list(.root, ListOptions(.names, recursive: true), after: nil).entries
      #expect(listed.map(\.path.description) == ["sub"])
      let inside = try StorePath(".club-trash/mine.txt")
      await #expect(throws: StoreError.self) { try await store.readAll(inside) }
      await #expect(throws: StoreError.self) { try await store.put(DataSource([1]), at: inside, mode: .overwrite) }
      await #expect(throws: StoreError.self) {
        try await store.list(StorePath(".club-trash"), ListOptions(.names), after: nil)
      }
      #expect(try await trash.empty() == 1)
      #expect(contents(root + "/.club-trash/mine.txt") == "mine")
      let shown = try FolderStore(root: root, pool: pool, hidesTrash: false)
      #expect(try await shown.readAll(inside).bytes == Array("mine".utf8))
    }
  }
}
