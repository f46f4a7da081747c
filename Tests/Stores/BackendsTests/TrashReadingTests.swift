import Basics
import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

/// Files of the trash that are read while others delete, cut and forge them.
@Suite struct TrashReadingTests {
  private static let id = "dn1x98lj5slc-1"

  private static let services = ["dropbox", "dropbox-v1", "s3"]

  /// A service with a file of five bytes in the trash, and its answer about the content; nil for none.
  private func trash(
    _ service: String, sends text: String?, _ range: String? = "bytes 0-4/5"
  ) throws -> (any StoreTrash, ScriptedTransport) {
    let path = "/club/.club-trash/\(Self.id)/sub/A.md"
    switch service {
    case "dropbox":
      let scene = try DropboxScene([
        Dropbox.page([Dropbox.file(path)]),
        text.map { Dropbox.content($0, Dropbox.file(path), range: range) } ?? Dropbox.notFound,
      ])
      return (try #require(scene.store.capabilities.trash), scene.transport)
    case "dropbox-v1":
      let scene = try DropboxV1Scene([
        DropboxV1.delta([#"["\#(path.lowercased())",\#(DropboxV1.file(path))]"#]),
        text.map { DropboxV1.content($0, DropboxV1.file(path), range: range) } ?? DropboxV1.notFound,
      ])
      return (try #require(scene.store.capabilities.trash), scene.transport)
    default:
      let key = "p/.byteclub-trash/\(Self.id)/sub/A.md"
      let file = S3Scene.file(key).replacing("<Size>3</Size>", with: "<Size>5</Size>")
      let transport = ScriptedTransport { asked in
        guard asked.target.contains("list-type") else {
          guard let text else { return S3Scene.xml(404, "<Error><Code>NoSuchKey</Code></Error>") }
          return S3Scene.xml(
            range == nil ? 200 : 206, text,
            range.map { ["ETag": "\"abc\"", "Content-Range": $0] } ?? ["ETag": "\"abc\"", "Content-Length": "5"])
        }
        // A folder of that name is not there, either.
        return S3Scene.xml(200, S3Scene.page(asked.target.contains("A.md") ? "" : file, token: nil))
      }
      return (S3Trash(store: try S3Scene.store(transport)), transport)
    }
  }

  @Test(arguments: services)
  func `the beginning of a file in the trash is asked for as a part`(service: String) async throws {
    let (trash, transport) = try trash(service, sends: "hello")
    #expect(try await trash.read(Self.id, limit: 4) == FileBeginning(of: "hello".utf8, limit: 4))
    #expect(transport.recorded.last?.request.headers["Range"] == "bytes=0-4")
  }

  @Test(arguments: services)
  func `a file that leaves the trash after it was listed is gone, in the words of the trash`(service: String)
    async throws
  {
    let (trash, _) = try trash(service, sends: nil)
    let error = await #expect(throws: StoreError.self) { try await trash.read(Self.id, limit: 9) }
    #expect(error?.kind == .notFound && error?.message == "The trash no longer has this file.", "\(error as Any)")
  }

  @Test(arguments: services)
  func `a body that ends too early, or goes on too long, is no text of the file`(service: String) async throws {
    for (text, range) in [("hel", "bytes 0-4/5"), ("hello there", "bytes 0-4/5"), ("ello", "bytes 1-4/5")] {
      let (trash, _) = try trash(service, sends: text, range)
      let error = await #expect(throws: StoreError.self) { try await trash.read(Self.id, limit: 9) }
      #expect(error.map { $0.kind != .notFound && $0.kind != .cancelled } == true, "\(text): \(error as Any)")
    }
  }

  @Test(arguments: services, ["mine.txt", "..", "", "1-1/a", "1-01"])
  func `an id that byteclub did not make is looked for nowhere`(service: String, id: String) async throws {
    let (trash, transport) = try trash(service, sends: "hello")
    let error = await #expect(throws: StoreError.self) { try await trash.read(id, limit: 9) }
    #expect(error?.kind == .notFound && transport.recorded.isEmpty)
  }

  @Test func `a pipe and a link that another program put into the trash of a folder are not opened`() async throws {
    try await withTemporaryFolder { root in
      try FolderStore.create(root: root + "/.club-trash/1-1")
      try FolderStore.create(root: root + "/.club-trash/1-2")
      mkfifo(root + "/.club-trash/1-1/pipe", 0o600)
      symlink("/etc/passwd", root + "/.club-trash/1-2/a.md")
      let trash = try #require(try FolderStore(root: root, pool: BlockingPool(threads: 1)).capabilities.trash)
      for id in ["1-1", "1-2"] {
        let error = await #expect(throws: StoreError.self) { try await trash.read(id, limit: 9) }
        #expect(error?.kind == .badInput)
      }
    }
  }

  @Test func `a folder's trash is read by parts up to the limit, also that of earlier versions`() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: BlockingPool(threads: 1))
      let text = [UInt8](repeating: 0x61, count: 3 << 20) + [0x62]
      _ = try await store.put(DataSource(text), at: StorePath("a"), mode: .create)
      let trash = try #require(store.capabilities.trash)
      let file = try await trash.discard(StorePath("a"), ifRevision: nil)
      for limit in [text.count - 1, text.count] {
        #expect(try await trash.read(file.id, limit: limit) == FileBeginning(of: text, limit: limit))
      }
      try FolderStore.create(root: root + "/.byteclub/trash/abc-1")
      writeInPlace(root + "/.byteclub/trash/abc-1/file", "old text")
      writeInPlace(root + "/.byteclub/trash/abc-1/origin", "byteclub trash 1\n1600000000000000000\na.md")
      #expect(try await trash.read("abc-1", limit: 3) == FileBeginning(of: "old text".utf8, limit: 3))
    }
  }
}
