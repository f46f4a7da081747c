import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// What a folder keeps of what is replaced or deleted in it.
@Suite struct FolderVersionTests {
  private let pool = BlockingPool(threads: 2)

  private func texts(_ store: FolderStore, _ path: String) async throws -> [String] {
    let history = try #require(store.capabilities.revisions)
    var texts: [String] = []
    for version in try await history.versions(of: StorePath(path), limit: 1000) {
      let bytes = try await history.readAll(try #require(version.revision), of: StorePath(path)).bytes
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    return texts
  }

  private func put(_ text: String, _ path: String, _ store: FolderStore, _ mode: WriteMode = .overwrite) async throws {
    _ = try await store.put(DataSource(text.utf8), at: StorePath(path), mode: mode)
  }

  @Test(
    "What is overwritten or replaced is kept, whether or not the file system can exchange names",
    arguments: [false, true])
  func kept(lacksExchange: Bool) async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.lacksExchange = lacksExchange
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      for text in ["one", "two"] { try await put(text, "a.md", store) }
      let there = try #require(try await store.entry(at: StorePath("a.md")).revision)
      try await put("three", "a.md", store, .replace(there))
      // Another program's text, which is replaced knowingly.
      writeInPlace(root + "/a.md", "theirs")
      let theirs = try #require(try await store.entry(at: StorePath("a.md")).revision)
      try await put("four", "a.md", store, .replace(theirs))
      #expect(try await texts(store, "a.md") == ["four", "theirs", "two", "one"])
      #expect(allNames(root).filter { !$0.hasPrefix(".byteclub") } == ["a.md"])
      #expect(try await store.list(.root, ListOptions(.full, recursive: true), after: nil).entries.count == 1)
    }
  }

  @Test("A version that cannot be kept is reported with the write, which is done", arguments: [false, true])
  func cannotBeKept(lacksExchange: Bool) async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.lacksExchange = lacksExchange
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      let first = try await store.put(DataSource("one".utf8), at: StorePath("a.md"), mode: .create)
      #expect(first.loss == nil && first.lossSentence.isEmpty)
      // Something else is where versions go.
      writeInPlace(root + "/.byteclub", "no folder")
      let second = try await store.put(
        DataSource("two".utf8), at: StorePath("a.md"), mode: .replace(#require(first.revision)))
      #expect(second.lossSentence.hasPrefix(" The version before could not be kept: "), "\(second)")
      #expect(try await store.readAll(StorePath("a.md")).bytes == Array("two".utf8))
      #expect(try await store.entry(at: StorePath("a.md")).loss == nil)
    }
  }

  @Test("What is deleted from the trash is in the history of its path, but for what is too large")
  func emptiedTrash() async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.versions.fileBytes = 10
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      let trash = try #require(store.capabilities.trash)
      #expect(store.capabilities.revisions?.largestKept == 10)
      for text in ["one", "two"] { try await put(text, "sub/a.md", store) }
      try await put("larger than ten bytes", "b.md", store)
      try await put("three", "c.md", store)
      for name in ["sub/a.md", "b.md"] { _ = try await trash.discard(StorePath(name), ifRevision: nil) }
      let third = try await trash.discard(StorePath("c.md"), ifRevision: nil)
      try await trash.delete(third.id)
      #expect(try await texts(store, "c.md") == ["three"])
      #expect(try await trash.empty() == 2)
      #expect(try await trash.contents().isEmpty)
      #expect(try await texts(store, "sub/a.md") == ["two", "one"])
      await #expect(throws: StoreError.self) { try await texts(store, "b.md") }
      let last = try #require(
        try await store.capabilities.revisions?.versions(of: StorePath("sub/a.md"), limit: 1).first?.revision)
      let back = try #require(store.capabilities.revisions)
      #expect(try await back.restore(last, of: StorePath("sub/a.md"), over: nil).size == 3)
      #expect(try await texts(store, "sub/a.md") == ["two", "two", "one"])
    }
  }

  @Test("What cannot be kept stays in the trash, and that is said")
  func trashStays() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      let trash = try #require(store.capabilities.trash)
      try await put("one", "a.md", store)
      _ = try await trash.discard(StorePath("a.md"), ifRevision: nil)
      writeInPlace(root + "/.byteclub", "no folder")
      let error = await #expect(throws: StoreError.self) { try await trash.empty() }
      #expect(error?.message.hasPrefix("\"a.md\" stays in the trash") == true)
      #expect(try await trash.contents().count == 1)
    }
  }

  @Test("An upload's bytes are reported as they are written, and a piece that breaks off leaves none")
  func uploadProgress() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      let uploads = try #require(store.capabilities.uploads)
      let session = try await uploads.begin(StorePath("a.jpg"), size: nil)
      let source = SteppedSource(count: 10, chunk: 3)
      #expect(try await uploads.append(source, count: 8, to: session, at: 0) == 8)
      #expect(source.told == [3, 6, 8])
      // More is wanted than there is.
      await #expect(throws: StoreError.self) { try await uploads.append(source, count: 5, to: session, at: 8) }
      #expect(try await uploads.offset(of: session) == 8)
      let wrong = await #expect(throws: StoreError.self) {
        try await uploads.append(source, count: 1, to: session, at: 3)
      }
      #expect(wrong?.kind == .conflict)
      #expect(try await uploads.append(source, count: 2, to: session, at: 8) == 10)
    }
  }

  /// Bytes in small chunks, which writes down the counts that are reported.
  private final class SteppedSource: ByteSource {
    private let bytes: [UInt8]
    private let chunk: Int
    private let counts = Mutex<[UInt64]>([])

    init(count: Int, chunk: Int) { (bytes, self.chunk) = (Array(0..<UInt8(count)), chunk) }

    var size: UInt64? { UInt64(bytes.count) }
    var told: [UInt64] { counts.withLock { $0 } }
    func delivered(_ count: UInt64) { counts.withLock { $0.append(count) } }
    func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
      Reading(rest: bytes[Int(offset)...], chunk: chunk)
    }

    private struct Reading: ByteReading {
      var rest: ArraySlice<UInt8>
      let chunk: Int

      mutating func next() async throws(StoreError) -> ByteChunk? {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(chunk) }
        return rest.prefix(chunk)
      }
    }
  }

  @Test("A file that is moved takes its versions along, to those that are there")
  func moved() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for text in ["b1", "b2"] { try await put(text, "b.md", store) }
      try await store.delete(StorePath("b.md"), ifRevision: nil)
      for text in ["a1", "a2"] { try await put(text, "a.md", store) }
      _ = try await store.move(StorePath("a.md"), to: StorePath("b.md"), ifRevision: nil)
      #expect(try await texts(store, "b.md") == ["a2", "a1", "b2", "b1"])
      await #expect(throws: StoreError.self) { try await texts(store, "a.md") }
    }
  }

  @Test("The files of a folder that is moved take their versions along, those that are gone, too")
  func movedFolder() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for text in ["a1", "a2"] { try await put(text, "old/sub/a.md", store) }
      for text in ["g1", "g2"] { try await put(text, "old/gone.md", store) }
      try await store.delete(StorePath("old/gone.md"), ifRevision: nil)
      for text in ["b1", "b2"] { try await put(text, "older.md", store) }
      _ = try await store.move(StorePath("old"), to: StorePath("new/name"), ifRevision: nil)
      #expect(try await texts(store, "new/name/sub/a.md") == ["a2", "a1"])
      #expect(try await texts(store, "new/name/gone.md") == ["g2", "g1"])
      #expect(try await texts(store, "older.md") == ["b2", "b1"])
      await #expect(throws: StoreError.self) { try await texts(store, "old/sub/a.md") }
    }
  }

  @Test("A folder of versions whose path was not written down, or in part, is mended with the next version")
  func pathMended() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for name in ["a.md", "b.md"] { for text in ["1", "2"] { try await put(text, "old/" + name, store) } }
      let places = ["old/a.md", "old/b.md"].map {
        root + "/.byteclub/versions/" + SHA256.hexadecimal(of: Array($0.utf8)) + "/path"
      }
      #expect(unlink(places[0]) == 0)
      writeInPlace(places[1], "old/")
      for name in ["a.md", "b.md"] { try await put("3", "old/" + name, store) }
      #expect(places.map { contents($0) } == ["old/a.md", "old/b.md"])
      _ = try await store.move(StorePath("old"), to: StorePath("new"), ifRevision: nil)
      for name in ["a.md", "b.md"] { #expect(try await texts(store, "new/" + name) == ["3", "2", "1"]) }
    }
  }

  @Test("A version is kept though its path cannot be written down")
  func pathUnwritable() async throws {
    try await withTemporaryFolder { root in
      let told = Mutex<[String]>([])
      let store = try FolderStore(root: root, pool: pool, warn: { text in told.withLock { $0.append(text) } })
      for text in ["1", "2"] { try await put(text, "a.md", store) }
      let place = root + "/.byteclub/versions/" + SHA256.hexadecimal(of: Array("a.md".utf8)) + "/path"
      #expect(unlink(place) == 0 && mkdir(place, 0o700) == 0)
      try await put("3", "a.md", store)
      try await store.delete(StorePath("a.md"), ifRevision: nil)
      try await put("4", "a.md", store)
      #expect(try await texts(store, "a.md") == ["4", "3", "2", "1"])
      #expect(told.withLock { $0 }.first?.contains("which file the versions are of") == true)
    }
  }

  @Test("What has another name, too, is copied, so that a change of it does not change the version")
  func hardLink() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      writeInPlace(root + "/a.md", "one")
      link(root + "/a.md", root + "/other")
      try await put("two", "a.md", store)
      writeInPlace(root + "/other", "changed")
      #expect(try await texts(store, "a.md") == ["two", "one"])
    }
  }

  @Test("Of a path so many versions stay, the newest; of all so many bytes, and what is too large is not kept")
  func limits() async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.versions.count = 3
      tuning.versions.fileBytes = 10
      tuning.versions.totalBytes = 25
      tuning.versions.sweepSeconds = 0
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      for number in 1...6 { try await put("\(number)", "a.md", store) }
      #expect(try await texts(store, "a.md") == ["6", "5", "4", "3"])
      try await put("larger than ten bytes", "a.md", store)
      try await put("7", "a.md", store)
      #expect(try await texts(store, "a.md") == ["7", "6", "5", "4"])
      for name in ["b", "c"] { for number in 1...3 { try await put("\(number) 345678", name, store) } }
      // Ten bytes less: the oldest go, and what was replaced last on a path goes after all others.
      #expect(try await texts(store, "a.md") == ["7", "6"])
      #expect(try await texts(store, "b") == ["3 345678", "2 345678"])
      #expect(try await texts(store, "c") == ["3 345678", "2 345678", "1 345678"])
    }
  }

  @Test("Versions that were replaced long ago go, but for the youngest of a path")
  func age() async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.versions.seconds = 0
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      for number in 1...4 { try await put("\(number)", "a.md", store) }
      #expect(try await texts(store, "a.md") == ["4", "3"])
    }
  }

  @Test("What a crash has left of versions goes after a day; versions and what is younger stay")
  func rests() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for text in ["1", "2"] { try await put(text, "a.md", store) }
      let all = root + "/.byteclub/versions/"
      let (kept, empty) = (slot("a.md"), slot("gone.md"))
      #expect(mkdir(all + empty, 0o700) == 0)
      writeInPlace(all + empty + "/path", "gone.md")
      for slot in [kept, empty] { writeInPlace(all + slot + "/.byteclub-tmp-x", "half") }
      let (folder, now) = (try store.disk.openRoot(), Int64(time(nil)))
      func names() -> Set<String> {
        let found = ["", kept, empty].flatMap { allNames(all + $0) }
        return Set(found.filter { $0 == empty || $0.hasPrefix(".byteclub-tmp-") })
      }
      // The first write has looked through the versions less than an hour ago.
      try store.disk.sweepVersions(below: folder, now: now + 2 * 3600)
      #expect(names().count == 2)
      try store.disk.sweepVersions(below: folder, now: now + 25 * 3600)
      #expect(names() == [])
      #expect(try await texts(store, "a.md") == ["2", "1"])
    }
  }

  @Test("A folder of versions in which something else lies stays, and still says whose versions it has")
  func occupied() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for text in ["1", "2"] { try await put(text, "a.md", store) }
      let gone = root + "/.byteclub/versions/" + slot("gone.md")
      #expect(mkdir(gone, 0o700) == 0)
      for (name, text) in [("path", "gone.md"), ("other", "x")] { writeInPlace(gone + "/" + name, text) }
      try store.disk.sweepVersions(below: try store.disk.openRoot(), now: Int64(time(nil)) + 25 * 3600)
      #expect(contents(gone + "/path") == "gone.md" && contents(gone + "/other") == "x")
    }
  }

  @Test("Versions are kept anew after their folder was removed, and the folder of the next one is young")
  func removedFolder() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      for text in ["1", "2"] { try await put(text, "a.md", store) }
      let slot = root + "/.byteclub/versions/" + slot("a.md")
      for name in allNames(slot) { #expect(unlink(slot + "/" + name) == 0) }
      #expect(rmdir(slot) == 0)
      try await put("3", "a.md", store)
      #expect(try await texts(store, "a.md") == ["3", "2"])
      #expect(contents(slot + "/path") == "a.md")
    }
  }

  private func slot(_ path: String) -> String { SHA256.hexadecimal(of: Array(path.utf8)) }

  @Test("Where nothing can be kept the change is made, what it replaced stays for a day, and that is reported")
  func unkept() async throws {
    try await withTemporaryFolder { root in
      let told = Mutex<[String]>([])
      let store = try FolderStore(root: root, pool: pool, warn: { text in told.withLock { $0.append(text) } })
      writeInPlace(root + "/.byteclub", "in the way")
      writeInPlace(root + "/a.md", "one")
      let base = try #require(try await store.entry(at: StorePath("a.md")).revision)
      try await put("two", "a.md", store, .replace(base))
      #expect(contents(root + "/a.md") == "two")
      let aside = allNames(root).filter { $0.hasPrefix(".byteclub-tmp-") }
      #expect(aside.map { contents(root + "/" + $0) } == ["one"])
      #expect(told.withLock { $0 }.count == 1)
      #expect(told.withLock { $0 }.first?.contains("\"a.md\"") == true)
      try await store.delete(StorePath("a.md"), ifRevision: nil)
      #expect(contents(root + "/a.md") == nil)
    }
  }

  @Test("A store that keeps no versions has no history and writes nothing of its own")
  func none() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool, keepsVersions: false)
      for text in ["one", "two"] { try await put(text, "a.md", store) }
      try await store.delete(StorePath("a.md"), ifRevision: nil)
      #expect(store.capabilities.revisions == nil)
      #expect(allNames(root) == [])
    }
  }
}
