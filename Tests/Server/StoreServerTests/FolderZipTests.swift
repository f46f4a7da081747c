import Backends
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// A folder as one archive.
@Suite(.serialized) struct FolderZipTests {
  private func zip(_ server: TestServer, _ path: String, _ headers: [(String, String)] = []) async throws -> Reply {
    try await server.fetch("files/download_zip", ["path": .string(path)], headers)
  }

  private func unzipped(_ reply: Reply) throws -> Unzipped {
    #expect(reply.status == 200)
    return try Unzipped(try #require(reply.joinedChunks, "The answer broke off."))
  }

  /// Content that is nowhere the same.
  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 ^ $0) }
  }

  @Test(
    "All that is in the folder is in the archive, over a store with small files at hand and one without",
    arguments: [true, false])
  func whole(isReady: Bool) async throws {
    try await withServer(over: { root, pool in
      let store = try FolderStore(root: root, pool: pool, hidesTrash: false)
      return isReady ? store : InterruptedStore(store)
    }) { server in
      let files: [String: Int] = [
        "empty": 0, "one": 1, "small": 65_536, "Larger": 65_537, "sub/Größe 🌄.bin": 300_000, "sub/e\u{301}": 10,
        "sub/deep/er/file": 1_500_000, "sub/deep/zero": 0,
      ]
      for (name, count) in files { try makeFile("/Up/Math/" + name, Self.bytes(count), server) }
      try makeFile("/Up/Math.txt", [1], server)
      try makeFile("/Up/Maths/beside", [1], server)
      for folder in ["/Up/Math/Empty Folder", "/Up/Math/sub/none"] {
        try FileManager.default.createDirectory(atPath: server.root + folder, withIntermediateDirectories: true)
      }
      var expected: [String: [UInt8]?] = [:]
      // Names are shown in one Unicode form, and so they are in the archive.
      for (name, count) in files { expected["Math/" + name.precomposedStringWithCanonicalMapping] = Self.bytes(count) }
      for folder in ["", "Empty Folder/", "sub/", "sub/none/", "sub/deep/", "sub/deep/er/"] {
        expected["Math/" + folder] = .some(nil)
      }
      let found = try await server.call("files/get_metadata", ["path": "/up/math"]).json
      let id = try #require(found["id"]?.string)
      for path in ["/Up/Math", "/UP/mATH", id] {
        let reply = try await zip(server, path)
        #expect(reply.headers["content-type"] == "application/zip")
        #expect(reply.headers["content-length"] == nil)
        let told = try JSONReader.read(Array((reply.headers["dropbox-api-result"] ?? "").utf8))
        #expect(told.at("metadata", "id") == .string(id))
        #expect(told.at("metadata", "path_display") == "/Up/Math" && told.at("metadata", ".tag") == .null)
        let archive = try unzipped(reply)
        #expect(Set(archive.names) == Set(expected.keys))
        #expect(archive.entries == expected)
        #expect(archive.names.first == "Math/")
      }
      let below = try unzipped(try await zip(server, id + "/sub/deep"))
      #expect(below.names.sorted() == ["deep/", "deep/er/", "deep/er/file", "deep/zero"])
    }
  }

  private func makeFile(_ path: String, _ bytes: [UInt8], _ server: TestServer) throws {
    try write("", to: server.root + path)
    try Data(bytes).write(to: URL(fileURLWithPath: server.root + path))
  }

  @Test func `Files have the time that their members gave them`() async throws {
    try await withServer { server in
      try await server.upload("/f/small", "text", ["client_modified": "2001-02-03T04:05:07Z"])
      try await server.upload(
        "/f/large", String(repeating: "text", count: 30_000), ["client_modified": "2010-11-12T13:14:15Z"])
      let times = try unzipped(try await zip(server, "/f")).times
      #expect(times["f/small"] == 981_173_107)
      #expect(times["f/large"] == 1_289_567_655)
    }
  }

  @Test func `Many files come in several runs, each once`() async throws {
    try await withServer { server in
      for number in 0..<600 { try write("text \(number)", to: server.root + "/f/\(number % 7)/\(number)") }
      let archive = try unzipped(try await zip(server, "/f"))
      #expect(archive.names.count == 608)
      for number in 0..<600 {
        #expect(archive.entries["f/\(number % 7)/\(number)"] == Array("text \(number)".utf8))
      }
    }
  }

  @Test func `Two whose names are the same but for case are both there`() async throws {
    try await withServer { server in
      try write("one", to: server.root + "/f/A.txt")
      try write("two", to: server.root + "/f/a.txt")
      let archive = try unzipped(try await zip(server, "/f"))
      #expect(archive.names.count == 3)
      #expect(Set(archive.entries.values.compactMap(\.self)) == [Array("one".utf8), Array("two".utf8)])
    }
  }

  @Test(
    "What is no folder of the club is told by kind",
    arguments: [
      ("", 400, ""), ("/", 400, ""), ("SPACE", 400, ""), ("rev:0123456789ab", 400, ""), ("f", 400, ""),
      ("id:root", 409, "not_found"), ("/none", 409, "not_found"), ("/f/a", 409, "not_folder"),
      ("/f/a/b", 409, "not_found"),
      ("/f/..", 409, "malformed_path"), ("ns:1/f", 409, "not_found"),
    ])
  func refused(path: String, status: Int, tag: String) async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      let account = try await server.call("users/get_current_account", .null).json
      let space = "ns:" + (account.at("root_info", "root_namespace_id").string ?? "")
      let reply = try await zip(server, path.replacing("SPACE", with: space))
      #expect(reply.status == status)
      #expect(reply.json.at("error", "path", ".tag") == (tag.isEmpty ? .null : .string(tag)))
      #expect(try unzipped(try await zip(server, space + "/f")).names == ["f/", "f/a"])
    }
  }

  /// Limits, and what a folder of a folder and two files of 4 and 6 bytes is answered with.
  struct Case: Sendable {
    let limits: ArchiveLimits
    let tag: String?
  }

  @Test(
    "A folder is refused that is too much for one archive",
    arguments: [
      Case(limits: ArchiveLimits(entries: 4, fileBytes: 7, totalBytes: 10), tag: nil),
      Case(limits: ArchiveLimits(entries: 3), tag: "too_many_files"),
      Case(limits: ArchiveLimits(fileBytes: 6), tag: "too_large"),
      Case(limits: ArchiveLimits(totalBytes: 9), tag: "too_large"),
      Case(limits: ArchiveLimits(entries: 3, fileBytes: 6, totalBytes: 9), tag: "too_many_files"),
    ])
  func limits(asked: Case) async throws {
    try await withServer(tune: { $0.archives = asked.limits }) { server in
      try await server.upload("/f/a", "four")
      try await server.upload("/f/sub/b", "sixsix")
      try await server.upload("/beside", "this does not count")
      let reply = try await zip(server, "/f")
      #expect(reply.status == (asked.tag == nil ? 200 : 409))
      #expect(reply.json.at("error", ".tag") == (asked.tag.map { .string($0) } ?? .null))
    }
  }

  @Test func `The limits are those of the API`() {
    let limits = ArchiveLimits()
    #expect(limits.entries == 10_000 && limits.fileBytes == 4 << 30 && limits.totalBytes == 20 << 30)
  }

  @Test func `A range is passed over`() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      let reply = try await zip(server, "/f", [("Range", "bytes=0-3"), ("If-None-Match", "*")])
      #expect(reply.headers["content-range"] == nil && reply.headers["accept-ranges"] == nil)
      #expect(try unzipped(reply).names == ["f/", "f/a"])
    }
  }

  @Test func `It may be asked for by GET`() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      let reply = try await server.client.request(
        "GET", "/2/files/download_zip?arg=%7B%22path%22%3A%22%2Ff%22%7D", [("Authorization", "Bearer " + server.token)])
      #expect(try unzipped(reply).entries["f/a"] == Array("text".utf8))
    }
  }

  @Test func `What another program did a moment ago is in the archive`() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      _ = try await zip(server, "/f")
      try write("changed", to: server.root + "/f/a")
      try write("new", to: server.root + "/f/new/b")
      #expect(
        try unzipped(try await zip(server, "/f")).entries == [
          "f/": nil, "f/a": Array("changed".utf8), "f/new/": nil, "f/new/b": Array("new".utf8),
        ])
      try FileManager.default.removeItem(atPath: server.root + "/f")
      #expect(try await zip(server, "/f").json.at("error", "path", ".tag") == "not_found")
    }
  }
}
