import Basics
import FileStores
import Foundation
import POSIX
import TestKit
import Testing

@testable import Backends

/// What a folder's store can do without waiting, and without copying.
@Suite(.timeLimit(.minutes(5))) struct FolderAtHand {
  private func withStore(
    _ body: (FolderStore, _ folder: String, _ beside: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      for name in ["club", "own"] { try #require(mkdir(folder + "/" + name, 0o755) == 0) }
      let store = try FolderStore(root: folder + "/club", pool: BlockingPool(threads: 2))
      try await body(store, folder + "/club", folder + "/own")
    }
  }

  @Test func `a small file in memory is read at once, and only the revision that was asked for`() async throws {
    // The kernel says by openat2 alone that it would have to wait for a file; without it none is read at once.
    let canBeThere = !MissingCalls.ofThisProcess.contains(.openat2)
    try await withStore { store, folder, _ in
      let path = try StorePath("Sub/a.md")
      let old = try await store.put(DataSource(Array("one".utf8)), at: path, mode: .create)
      let revision = try #require(old.revision)
      // Where a file's clock is coarse, a file that was just written is not answered for.
      if let bytes = store.readAtHand(path, ifRevision: revision, limit: 10) { #expect(bytes == Array("one".utf8)) }
      guard canBeThere else {
        #expect(store.readAtHand(path, ifRevision: revision, limit: 3) == nil)
        return
      }
      try await eventually { store.readAtHand(path, ifRevision: revision, limit: 3) == Array("one".utf8) }
      #expect(store.readAtHand(path, ifRevision: revision, limit: 2) == nil)
      let new = try await store.put(DataSource(Array("two".utf8)), at: path, mode: .overwrite)
      #expect(store.readAtHand(path, ifRevision: revision, limit: 10) == nil)
      try await eventually {
        store.readAtHand(path, ifRevision: new.revision ?? revision, limit: 10) == Array("two".utf8)
      }
    }
  }

  /// Asks until it is so: the kernel need not have a file in memory at any one moment.
  private func eventually(_ isSo: () -> Bool) async throws {
    while !isSo() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func `listed files are read one after the other, until enough are`() async throws {
    let canBeThere = !MissingCalls.ofThisProcess.contains(.openat2)
    try await withStore { store, folder, beside in
      var listed: [FileEntry] = []
      for (name, text) in [("a", "one"), ("b", "much too long"), ("Sub/c", "three"), ("d", "four")] {
        listed.append(try await store.put(DataSource(Array(text.utf8)), at: StorePath(name), mode: .create))
      }
      listed.append(FileEntry(path: try StorePath("missing"), kind: .file, size: 1, revision: listed[0].revision))
      func read(upTo most: Int = 5) -> [String?] {
        var texts: [String?] = []
        store.readAtHand(listed[...], limit: 9) { entry, bytes in
          #expect(entry == listed[texts.count])
          texts.append(bytes.map { String(decoding: $0, as: UTF8.self) })
          return texts.count < most
        }
        return texts
      }
      guard canBeThere else { return #expect(read().allSatisfy { $0 == nil }) }
      try await eventually { read() == ["one", nil, "three", "four", nil] }
      try await eventually { read(upTo: 2) == ["one", nil] }
      // A pipe and a link replace two of the files. The store reads the others.
      #expect(rename(folder + "/a", beside + "/a") == 0 && mkfifo(folder + "/a", 0o600) == 0)
      #expect(rename(folder + "/Sub", beside + "/Sub") == 0 && symlink(beside + "/Sub", folder + "/Sub") == 0)
      try await eventually { read() == [nil, nil, nil, "four", nil] }
      #expect(rename(folder, beside + "/gone") == 0)
      #expect(read() == [])
    }
  }

  @Test func `what is not a regular file in the folder is not read at once`() async throws {
    try await withStore { store, folder, beside in
      let entry = try await store.put(DataSource(Array("one".utf8)), at: StorePath("a"), mode: .create)
      let revision = try #require(entry.revision)
      #expect(rename(folder + "/a", beside + "/a") == 0)
      #expect(symlink(beside + "/a", folder + "/a") == 0)
      #expect(try store.readAtHand(StorePath("a"), ifRevision: revision, limit: 10) == nil)
      #expect(symlink(beside, folder + "/linked") == 0)
      #expect(try store.readAtHand(StorePath("linked/a"), ifRevision: revision, limit: 10) == nil)
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(try store.readAtHand(StorePath("pipe"), ifRevision: revision, limit: 10) == nil)
      #expect(store.readAtHand(.root, ifRevision: revision, limit: 10) == nil)
      #expect(try store.readAtHand(StorePath("missing"), ifRevision: revision, limit: 10) == nil)
    }
  }

  @Test func `a file that is taken over is a file like one that was written, and leaves its old place`() async throws {
    try await withStore { store, folder, beside in
      let bytes = Array("taken over".utf8)
      let written = try await store.put(DataSource(bytes), at: StorePath("Sub/written"), mode: .create)
      let file = beside + "/incoming"
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      chmod(file, 0o600)
      let taken = try #require(
        try await store.put(
          adopting: file, hash: ContentHash(of: bytes), at: StorePath("New/taken"), mode: .create))
      #expect(taken.size == 10 && taken.contentHash == written.contentHash)
      let there = try await store.entry(at: StorePath("New/taken"))
      #expect(there.revision == taken.revision)
      #expect(try await store.readAll(StorePath("New/taken")).bytes == bytes)
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(mode(folder + "/New/taken") == mode(folder + "/Sub/written"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/New") == ["taken"])
    }
  }

  @Test func `taking over keeps the condition, and what was there`() async throws {
    try await withStore { store, folder, beside in
      let path = try StorePath("a")
      let old = try await store.put(DataSource(Array("old".utf8)), at: path, mode: .create)
      let revision = try #require(old.revision)
      chmod(folder + "/a", 0o640)
      func adopt(_ mode: WriteMode) async throws -> FileEntry? {
        let file = beside + "/incoming"
        try Data("new".utf8).write(to: URL(fileURLWithPath: file))
        return try await store.put(adopting: file, hash: ContentHash(of: "new".utf8), at: path, mode: mode)
      }
      await #expect { try await adopt(.create) } throws: { ($0 as? StoreError)?.kind == .exists }
      // The mode's change made another revision.
      await #expect { try await adopt(.replace(revision)) } throws: { ($0 as? StoreError)?.kind == .conflict }
      #expect(try await store.readAll(path).bytes == Array("old".utf8))
      let now = try #require(try await store.entry(at: path).revision)
      #expect(try await adopt(.replace(now)) != nil)
      #expect(try await store.readAll(path).bytes == Array("new".utf8))
      #expect(mode(folder + "/a") == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [".byteclub", "a"])
    }
  }

  @Test func `what cannot be taken over stays where it is`() async throws {
    try await withStore { store, folder, beside in
      let file = beside + "/twice"
      try Data("x".utf8).write(to: URL(fileURLWithPath: file))
      #expect(link(file, beside + "/other name") == 0)
      let taken = try await store.put(
        adopting: file, hash: ContentHash(of: "x".utf8), at: StorePath("a"), mode: .create)
      #expect(taken == nil)
      #expect(FileManager.default.fileExists(atPath: file))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  private func mode(_ path: String) -> mode_t {
    var info = stat()
    return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : 0
  }
}
