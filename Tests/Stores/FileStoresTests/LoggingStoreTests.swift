import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@Suite struct LoggingStoreTests {
  @Test("Each call is one line with what came of it, without content, and names cannot forge lines")
  func lines() async throws {
    let lines = Lines()
    let store = LoggingStore(MemoryStore()) { lines.add($0) }
    let path = try StorePath("a\n\u{1B}[31m")
    _ = try await store.put(DataSource("SECRET".utf8), at: path, mode: .create)
    _ = try await store.readAll(path)
    _ = try await store.list(.root, ListOptions(.names), after: nil)
    _ = try? await store.entry(at: StorePath("nothing"))
    _ = try await store.move(path, to: StorePath("b"), ifRevision: nil)
    try await store.delete(StorePath("b"), ifRevision: nil)
    try await store.createFolder(StorePath("c"))
    let name = #""a\u{a}\u{1b}[31m""#
    #expect(
      lines.all == [
        "put \(name) create: 6 bytes", "read \(name) from 0: 6 bytes", "list \"\" names: 1 entries",
        "entry \"nothing\": notFound: \"nothing\" does not exist.", "move \(name) to \"b\": 6 bytes",
        "delete \"b\": done",
        "create folder \"c\": done",
      ])
  }

  @Test("The calls of each capability are lines, too; words that are looked for are not logged")
  func capabilities() async throws {
    let lines = Lines()
    let store = LoggingStore(MemoryStore()) { lines.add($0) }
    let path = try StorePath("a.md")
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path, size: nil)
    _ = try await uploads.append(Array("SECRET".utf8)[...], to: session, at: 0)
    let entry = try await uploads.finish(session, size: 6, at: path, mode: .create)
    let changes = try #require(store.capabilities.changes)
    let cursor = try await changes.start()
    _ = try await store.put(DataSource("SECRETS".utf8), at: path, mode: .overwrite)
    _ = try await changes.wait(since: cursor)
    let history = try #require(store.capabilities.revisions)
    _ = try await history.versions(of: path, limit: 9)
    _ = try await history.readAll(try #require(entry.revision), of: path)
    _ = try await store.capabilities.search?.files(matching: "SECRET", below: .root, limit: 9)
    let trash = try #require(store.capabilities.trash)
    let gone = try await trash.discard(path, ifRevision: nil)
    _ = try await trash.restore(gone.id)
    _ = try await trash.empty()
    #expect(!lines.all.contains { $0.contains("SECRET") })
    #expect(
      lines.all == [
        #"begin upload of "a.md": done"#, "append 6 bytes at 0: now 6", #"finish upload of "a.md" create: 6 bytes"#,
        "begin to wait for changes: done", #"put "a.md" overwrite: 7 bytes"#, "wait for changes: 1",
        #"versions of "a.md": 2"#, #"read a version of "a.md": 6 bytes"#, #"search below "": 0 files"#,
        #"discard "a.md": 7 bytes"#, #"restore from the trash: "a.md""#,
        "empty the trash: 0 files",
      ])
  }

  @Test("Of many files at once, those that failed have lines of their own")
  func batches() async throws {
    struct Batches: BatchUploads {
      let mostFiles = 9
      let mostBytes: UInt64 = 9
      func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
        files.map { file in
          file.path.isRoot
            ? .failure(StoreError(.exists, "It is\nthere.")) : .success(FileEntry(path: file.path, kind: .file))
        }
      }
    }
    let lines = Lines()
    let base = Able(Capabilities(batches: Batches()))
    let batches = try #require(LoggingStore(base) { lines.add($0) }.capabilities.batches)
    let files = [try StorePath("a"), .root].map { BatchFile(DataSource("".utf8), at: $0, mode: .create) }
    #expect(try await batches.put(files).count == 2)
    #expect(lines.all == ["put 2 files: done", #"put "" create among them: exists: It is\u{a}there."#])
  }

  @Test("Small pictures and folders are asked for as they were, and of many pictures those that failed have lines")
  func manyAtOnce() async throws {
    struct Base: StoreThumbnails, FolderReading {
      let batchFiles = 2
      let largestSide = 3
      let mostEntries = 4
      let mostBytes: UInt64 = 5
      func thumbnails(of paths: [StorePath], side: Int) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>]
      {
        paths.map { path in
          path.isRoot
            ? .failure(StoreError(.notFound, "No picture."))
            : .success(StoreThumbnail(of: FileEntry(path: path, kind: .file), bytes: [UInt8(side)]))
        }
      }
      func read(
        _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
      ) async throws(StoreError) {
        try await receive(files.map { .whole($0) })
      }
    }
    let lines = Lines()
    let store = LoggingStore(Able(Capabilities(thumbnails: Base(), folders: Base()))) { lines.add($0) }
    let pictures = try #require(store.capabilities.thumbnails)
    let folders = try #require(store.capabilities.folders)
    let path = try StorePath("a/b.jpg")
    #expect(try await pictures.thumbnails(of: [path, .root], side: 7).first?.get().bytes == [7])
    var parts = 0
    try await folders.read([FileEntry(path: path, kind: .file)], below: path.parent) { parts += $0.count }
    #expect(parts == 1)
    #expect([pictures.batchFiles, pictures.largestSide, folders.mostEntries, Int(folders.mostBytes)] == [2, 3, 4, 5])
    #expect(
      lines.all == [
        "thumbnails of 2 files: done", #"thumbnail of "" among them: notFound: No picture."#,
        #"read 1 files below "a": done"#,
      ])
  }

  @Test("A logging store keeps every promise of the store it wraps", arguments: StoreChecks.all)
  func checks(check: StoreCheck) async throws {
    try await check.run(StoreUnderTest(LoggingStore(MemoryStore(pageEntries: 5)) { _ in }))
  }

  private struct Able: StoreAround {
    let base: any FileStore = MemoryStore()
    let capabilities: Capabilities
    init(_ capabilities: Capabilities) { self.capabilities = capabilities }
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }
}
