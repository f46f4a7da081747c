import Backends
import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// No answer names a file before all of its entry is known: some clients take an entry without a checksum for a file that
/// they have, and a second entry of the same `rev` for nothing new.
@Suite(.serialized) struct WholeEntryTests {
  private static let old = [UInt8](repeating: 1, count: 2 << 20)
  private static let film = [UInt8](repeating: 7, count: 3 << 20)

  /// A server whose store keeps back the first reading of "film" that begins after `hold`, until the gate opens.
  private func withHeldFilm(
    _ body: (_ server: TestServer, _ hold: () -> Void, _ gate: Gate) async throws -> Void
  ) async throws {
    let gate = Gate()
    let held = Mutex<InterruptedStore?>(nil)
    try await withServer(
      over: { root, pool in
        let store = InterruptedStore(try FolderStore(root: root, pool: pool, keepsVersions: false, hidesTrash: false))
        held.withLock { $0 = store }
        return store
      }, tune: { $0.sharesLinks = true }
    ) { server in
      // A failed expectation must not leave the server waiting.
      defer { gate.open() }
      let store = try #require(held.withLock { $0 })
      try await body(server, { store.interrupt("film") { await gate.wait() } }, gate)
    }
  }

  /// Written as one rename, so that it is whole from the first look on.
  private func write(_ bytes: [UInt8], _ name: String, _ server: TestServer) throws {
    try replaceFile(server.root + "/" + name, with: bytes)
  }

  /// Every entry of a file in an answer, however deep.
  private static func files(in json: JSON) -> [JSON] {
    switch json {
    case .array(let elements): elements.flatMap(files)
    case .object(let members):
      (json["rev"] != nil && json["is_dir"] != .bool(true) ? [json] : []) + members.flatMap { files(in: $0.value) }
    default: []
    }
  }

  private static func name(_ file: JSON) -> String {
    String((file["path_display"] ?? file["path"])?.string?.split(separator: "/").last ?? "")
  }

  /// The answers of all routes that find files by themselves, by route.
  private func answers(_ server: TestServer, _ cursor: JSON, _ oldCursor: JSON) async throws -> [String: JSON] {
    var answers: [String: JSON] = [:]
    let calls: [(String, JSON)] = [
      ("files/list_folder", ["path": ""]),
      ("files/list_folder", ["path": "", "recursive": true, "limit": .integer(1)]),
      ("files/list_folder/continue", .members(["cursor": cursor])),
      ("files/search_v2", ["query": "film"]), ("files/search", ["path": "", "query": "film"]),
    ]
    for (number, (route, argument)) in calls.enumerated() {
      let reply = try await server.call(route, argument)
      #expect(reply.status == 200, "\(route): \(reply.text)")
      answers["\(number) \(route)"] = reply.json
    }
    for (route, parameters) in [
      ("metadata/auto", []), ("search/auto", [("query", "film")]), ("delta", []),
      ("delta", [("cursor", oldCursor.string ?? "")]),
    ] as [(String, [(String, String)])] {
      let reply = try await server.v1(route == "delta" ? "POST" : "GET", route, parameters)
      #expect(reply.status == 200, "\(route): \(reply.text)")
      answers["1 \(route) \(parameters.count)"] = reply.json
    }
    return answers
  }

  private func cursors(_ server: TestServer) async throws -> (JSON, JSON) {
    let cursor = try await server.call("files/list_folder", ["path": ""]).json["cursor"]
    let old = try await server.v1("POST", "delta").json["cursor"]
    return (try #require(cursor), try #require(old))
  }

  @Test func `a new large file is in no answer until its checksum is known, and then in all of them`() async throws {
    try await withHeldFilm { server, hold, gate in
      try write(Array("small".utf8), "note.md", server)
      let (cursor, oldCursor) = try await cursors(server)
      hold()
      try write(Self.film, "film", server)
      // Listings do not wait, and a small file is there at once.
      for (route, answer) in try await answers(server, cursor, oldCursor) {
        #expect(!Self.files(in: answer).contains { Self.name($0) == "film" }, "\(route)")
      }
      #expect(try await server.paths() == ["/note.md"])
      // Whoever asks for the file itself waits.
      async let asked = server.call("files/get_metadata", ["path": "/film"])
      gate.open()
      #expect(try await asked.json["content_hash"]?.string == ContentHash(of: Self.film).hex)
      // The cursors that left it out bring it.
      for (route, answer) in try await answers(server, cursor, oldCursor) where route != "1 files/list_folder" {
        #expect(Self.files(in: answer).contains { Self.name($0) == "film" }, "\(route)")
      }
    }
  }

  @Test func `a long poll ends when the file is complete, and the cursor that left it out brings it`() async throws {
    try await withHeldFilm { server, hold, gate in
      let (cursor, oldCursor) = try await cursors(server)
      hold()
      try write(Self.film, "film", server)
      #expect(try await server.paths() == [])
      async let polled = server.call(
        "files/list_folder/longpoll", .members(["cursor": cursor, "timeout": .integer(480)]))
      async let oldPolled = server.v1Bare(
        "GET", "longpoll_delta", [("cursor", oldCursor.string ?? ""), ("timeout", "480")])
      gate.open()
      #expect(try await polled.json["changes"] == .bool(true))
      #expect(try await oldPolled.json["changes"] == .bool(true))
      let news = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      #expect(news["entries"].elements.map { $0["content_hash"]?.string } == [ContentHash(of: Self.film).hex])
    }
  }

  @Test func `of a file that another program replaced, listings have the version before until the new one is known`()
    async throws
  {
    try await withHeldFilm { server, hold, gate in
      try await server.upload("/film", bytes: Self.old)
      let (cursor, oldCursor) = try await cursors(server)
      hold()
      try write(Self.film, "film", server)
      let before = try await server.call("files/list_folder", ["path": ""]).json["entries"].elements
      #expect(before.map { $0["content_hash"]?.string } == [ContentHash(of: Self.old).hex])
      let none = try await server.call("files/list_folder/continue", .members(["cursor": cursor])).json
      #expect(none["entries"].elements.isEmpty)
      async let asked = server.call("files/get_metadata", ["path": "/film"])
      gate.open()
      #expect(try await asked.json["content_hash"]?.string == ContentHash(of: Self.film).hex)
      // Over all answers, one rev has one entry.
      var known: [String: JSON] = [:]
      let after = try await answers(server, cursor, oldCursor)
      for (route, answer) in after.merging(["before": .array(before)], uniquingKeysWith: { $1 }) {
        for file in Self.files(in: answer) where Self.name(file) == "film" {
          let version = (file["bytes"] != nil ? "v1 " : "") + (file["rev"]?.string ?? "")
          let plain = JSON.object(file.list.filter { $0.key != ".tag" })
          #expect(known[version] == nil || known[version] == plain, "\(route)")
          known[version] = plain
        }
      }
      #expect(known.keys.count { !$0.hasPrefix("v1 ") } == 2)
    }
  }

  /// The answers of routes that tell of "film" by its path or its link; they may wait for it.
  private static func told(_ server: TestServer, _ url: JSON) async throws -> [(String, JSON)] {
    var told: [(String, JSON)] = []
    let calls: [(String, JSON)] = [
      ("files/get_metadata", ["path": "/film"]), ("files/list_revisions", ["path": "/film"]),
      ("files/list_folder", ["path": "", "recursive": true]),
      ("sharing/get_shared_link_metadata", .members(["url": url])), ("sharing/list_shared_links", .members([:])),
    ]
    for (route, argument) in calls {
      let reply = try await server.call(route, argument)
      #expect(reply.status == 200, "\(route): \(reply.text)")
      told.append((route, reply.json))
    }
    for route in ["metadata/auto/film", "revisions/auto/film"] {
      let reply = try await server.v1("GET", route)
      #expect(reply.status == 200, "\(route): \(reply.text)")
      told.append(("1 " + route, reply.json))
    }
    return told
  }

  @Test func `no field of a file comes later under the same rev, whichever route tells of it`() async throws {
    try await withHeldFilm { server, hold, gate in
      try await server.upload("/film", String(repeating: "o", count: 2 << 20))
      let link = try await server.call("sharing/create_shared_link_with_settings", ["path": "/film"])
      let url = try #require(link.json["url"])
      hold()
      try write(Self.film, "film", server)
      var all = [("files/list_folder", try await server.call("files/list_folder", ["path": ""]).json)]
      async let early = Self.told(server, url)
      gate.open()
      all += try await early
      all += try await Self.told(server, url)
      let film = try await server.call("files/get_metadata", ["path": "/film"]).json
      for (route, argument) in [
        ("files/copy_v2", ["from_path": "/film", "to_path": "/copy"]),
        ("files/move_v2", ["from_path": "/copy", "to_path": "/moved"]),
        ("files/restore", .members(["path": "/film", "rev": film["rev"]])),
      ] as [(String, JSON)] {
        let reply = try await server.call(route, argument)
        #expect(reply.status == 200, "\(route): \(reply.text)")
        #expect(!Self.files(in: reply.json).isEmpty, "\(route)")
        all.append((route, reply.json))
      }
      let copied = try await server.v1("POST", "fileops/copy", [("from_path", "/moved"), ("to_path", "/copied")])
      all.append(("1 fileops/copy", copied.json))
      all += try await Self.told(server, url)
      var known: [String: Set<String>] = [:]
      for (route, answer) in all {
        for file in Self.files(in: answer) {
          let names = Set(file.list.map(\.key))
          let version = "\(route) \(file["rev"]?.string ?? "")"
          #expect(known[version] == nil || known[version] == names, "\(version)")
          known[version] = names
          // Version 1 and links have no checksum.
          if route.hasPrefix("files/") { #expect(names.contains("content_hash"), "\(version)") }
        }
      }
      #expect(known.count > 13)
    }
  }

  @Test func `a file that waits for its checksum is found where its folder was moved to`() async throws {
    try await withHeldFilm { server, hold, gate in
      _ = try await server.call("files/create_folder_v2", ["path": "/here"])
      let (cursor, _) = try await cursors(server)
      hold()
      try write(Self.film, "here/film", server)
      #expect(try await server.paths() == ["/here"])
      let moved = try await server.call("files/move_v2", ["from_path": "/here", "to_path": "/there"])
      #expect(moved.status == 200)
      gate.open()
      var paths: [String] = []
      while !paths.contains("/there/film") {
        let seen = try await server.call("files/list_folder/get_latest_cursor", ["path": "", "recursive": true]).json
        paths = try await server.paths()
        if paths.contains("/there/film") { break }
        _ = try await server.call(
          "files/list_folder/longpoll", .members(["cursor": seen["cursor"] ?? cursor, "timeout": .integer(30)]))
      }
      #expect(paths == ["/there", "/there/film"])
    }
  }

  @Test func `an archive of a folder waits for all of its files`() async throws {
    try await withHeldFilm { server, hold, gate in
      _ = try await server.call("files/create_folder_v2", ["path": "/here"])
      hold()
      try write(Self.film, "here/film", server)
      #expect(try await server.paths() == ["/here"])
      async let archive = server.fetch("files/download_zip", ["path": "/here"])
      gate.open()
      let reply = try await archive
      #expect(reply.status == 200)
      #expect(reply.body.firstRange(of: Array("here/film".utf8)) != nil)
    }
  }
}

/// The queue of files whose checksums are read later.
struct LaterHashesTests {
  private func entry(_ path: String, _ revision: String = "1", size: UInt64 = 1) throws -> FileEntry {
    FileEntry(path: try StorePath(path), kind: .file, size: size, revision: Revision(revision))
  }

  @Test func `small files come together, a large one alone, in order and once`() async throws {
    let later = LaterHashes()
    let large: UInt64 = 64 << 20
    for entry in try [entry("a"), entry("b"), entry("a"), entry("c", size: large), entry("d")] { later.note(entry) }
    #expect(await later.next()?.map(\.path) == [try StorePath("a"), try StorePath("b")])
    // Being read: the same version is not queued again, a newer one is.
    later.note(try entry("a"))
    later.note(try entry("b", "2"))
    #expect(await later.next()?.map(\.path) == [try StorePath("c")])
    #expect(await later.next()?.map(\.path) == [try StorePath("d"), try StorePath("b")])
  }

  @Test func `files that found no room in the queue are looked for once it is empty`() async throws {
    let later = LaterHashes(most: 2)
    for name in ["a", "b", "c"] { later.note(try entry(name)) }
    let batch = try #require(await later.next())
    #expect(batch.count == 2)
    later.note(try entry("d"))
    #expect(!later.finish(batch))
    let last = try #require(await later.next())
    #expect(later.finish(last))
    #expect(!later.finish([]))
  }

  @Test func `after a fault, and after a move of their folder, files are looked for again`() async throws {
    let later = LaterHashes()
    later.note(try entry("folder/a"))
    later.noteMoved(try StorePath("other"))
    let batch = try #require(await later.next())
    #expect(!later.finish(batch))
    later.note(try entry("folder/a"))
    let second = try #require(await later.next())
    later.noteMoved(try StorePath("folder"))
    #expect(later.finish(second))
    later.note(try entry("folder/a"))
    let third = try #require(await later.next())
    later.putBack(third)
    #expect(await later.next() == third)
    #expect(later.finish(third))
  }

  @Test func `a file that cannot be read is reported once, and looked for again later`() throws {
    let told = Mutex<[StorePath]>([])
    let later = LaterHashes { path, _ in told.withLock { $0.append(path) } }
    #expect(!later.takeMissed())
    for _ in 0..<3 { later.tell(try StorePath("a"), StoreError(.notPermitted, "No.")) }
    #expect(told.withLock { $0 } == [try StorePath("a")])
    #expect(later.takeMissed())
    #expect(!later.takeMissed())
  }
}
