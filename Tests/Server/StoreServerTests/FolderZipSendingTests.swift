import Backends
import Basics
import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// What happens to a folder, and to the client, while the archive is on its way.
@Suite(.serialized) struct FolderZipSendingTests {
  private static let old = String(repeating: "the old text. ", count: 100_000)

  /// A server over a store in which something can happen in the middle of a read.
  /// - Returns: the store, when the server has ended and no answer is under way.
  @discardableResult
  private func withInterruption(
    log: KeptLog = KeptLog(), tune: (inout ServerOptions) -> Void = { _ in },
    _ body: (TestServer, InterruptedStore) async throws -> Void
  ) async throws -> InterruptedStore {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/root")
      let store = InterruptedStore(
        try FolderStore(root: folder + "/root", pool: BlockingPool(threads: 4), hidesTrash: false))
      try await withServer(in: folder, over: { _, _ in store }, tune: tune, handler: log.handler) { server in
        try await body(server, store)
      }
      return store
    }
  }

  /// With known checksums and no versions to keep, the server's first read of a file is the archive's.
  private static func readsNothingByItself(_ options: inout ServerOptions) { options.versions.atOnceBytes = 0 }

  /// Makes the server compute the checksums that it would otherwise compute at some later time.
  private func hash(_ names: [String], on server: TestServer) async throws {
    for name in names {
      let reply = try await server.call("files/get_metadata", ["path": .string("/f/" + name)])
      #expect(reply.json["content_hash"]?.string != nil)
    }
  }

  private func zip(_ server: TestServer) async throws -> Reply {
    try await server.fetch("files/download_zip", ["path": "/f"])
  }

  @Test func `What members change while it is sent is sent as it was`() async throws {
    try await withInterruption { server, store in
      // The first one is read first, and all happens in the middle of that.
      for name in ["a", "b-replaced", "c-deleted", "d-moved"] { try await server.upload("/f/\(name)", Self.old) }
      for name in ["e-replaced", "f-deleted", "g-moved"] { try await server.upload("/f/\(name)", "small and old") }
      let before = try await server.paths("/f")
      store.interrupt {
        await #expect(throws: Never.self) {
          for name in ["a", "b-replaced", "e-replaced"] {
            try await server.upload("/f/\(name)", "new", ["mode": "overwrite"])
          }
          for name in ["c-deleted", "f-deleted"] {
            let reply = try await server.call("files/delete_v2", ["path": .string("/f/" + name)])
            #expect(reply.status == 200)
          }
          try await server.upload("/f/f-deleted/x", "in a folder")
          for name in ["d-moved", "g-moved"] {
            let reply = try await server.call(
              "files/move_v2", ["from_path": .string("/f/" + name), "to_path": .string("/elsewhere/" + name)])
            #expect(reply.status == 200)
          }
        }
      }
      let archive = try Unzipped(try #require(try await zip(server).joinedChunks))
      #expect(archive.names.map { "/" + $0 }.sorted() == (before.dropFirst() + ["/f/"]).sorted())
      for (name, content) in archive.entries where name != "f/" {
        let isSmall = ["e", "f", "g"].contains(name.dropFirst(2).prefix(1))
        #expect(content == Array((isSmall ? "small and old" : Self.old).utf8), "\(name)")
      }
      let later = try Unzipped(try #require(try await zip(server).joinedChunks))
      #expect(later.names.sorted() == ["f/", "f/a", "f/b-replaced", "f/e-replaced", "f/f-deleted/", "f/f-deleted/x"])
      #expect(later.entries["f/a"] == Array("new".utf8))
    }
  }

  @Test func `What another program changes meanwhile comes as it then is, or is left out when it is gone`() async throws
  {
    try await withInterruption(tune: Self.readsNothingByItself) { server, store in
      for name in ["a", "b-replaced", "c-gone", "d-folder"] { try write(Self.old, to: server.root + "/f/\(name)") }
      for name in ["e-replaced", "f-gone", "g-grown"] { try write("small", to: server.root + "/f/\(name)") }
      try await hash(["a", "b-replaced", "c-gone", "d-folder", "e-replaced", "f-gone", "g-grown"], on: server)
      store.interrupt {
        #expect(throws: Never.self) {
          try write("new", to: server.root + "/f/b-replaced")
          try write("new", to: server.root + "/f/e-replaced")
          try write(Self.old, to: server.root + "/f/g-grown")
          for name in ["c-gone", "d-folder", "f-gone"] {
            try FileManager.default.removeItem(atPath: server.root + "/f/\(name)")
          }
          try write("in a folder", to: server.root + "/f/d-folder/x")
        }
      }
      #expect(
        try Unzipped(try #require(try await zip(server).joinedChunks)).entries == [
          "f/": nil, "f/a": Array(Self.old.utf8), "f/b-replaced": Array("new".utf8),
          "f/e-replaced": Array("new".utf8), "f/g-grown": Array(Self.old.utf8),
        ])
    }
  }

  @Test func `The connection is cut when a file that is half sent is replaced by another program`() async throws {
    try await withInterruption(tune: Self.readsNothingByItself) { server, store in
      try write(Self.old, to: server.root + "/f/a")
      try await hash(["a"], on: server)
      store.interrupt {
        #expect(throws: Never.self) { try write(Self.old.uppercased(), to: server.root + "/f/a") }
      }
      let reply = try await zip(server)
      #expect(reply.status == 200 && reply.joinedChunks == nil)
      #expect(try Unzipped(try #require(try await zip(server).joinedChunks)).names == ["f/", "f/a"])
    }
  }

  @Test("The connection is cut when a file cannot be read, and the log says why", arguments: [5, 100_000])
  func unreadable(size: Int) async throws {
    let log = KeptLog()
    try await withInterruption(log: log) { server, store in
      try await server.upload("/f/a", String(repeating: "x", count: size))
      let failure = StoreError(.server, "The disk is worn out.")
      store.readFailure.withLock { $0 = failure }
      let reply = try await zip(server)
      #expect(reply.status == 200 && reply.joinedChunks == nil)
      store.readFailure.withLock { $0 = nil }
      #expect(try await zip(server).joinedChunks != nil)
    }
    let told = log.all.filter { $0.hasPrefix("warning") }
    #expect(told.count == 1 && told[0].contains("The archive of /f ended early") && told[0].contains("worn out"))
  }

  @Test func `A client that goes away ends the reading`() async throws {
    let store = try await withInterruption { server, _ in
      // By the server, which then knows its checksum and reads it for the archive alone.
      try await server.upload("/f/large", String(repeating: "x", count: 80 << 20))
      do {
        let line = try Connection(port: server.client.port, receiving: 4096)
        try await line.send(
          """
          POST /2/files/download_zip HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r
          Dropbox-API-Arg: {"path":"/f"}\r\nContent-Length: 0\r\n\r\n
          """)
        #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8))
      }
    }
    #expect(store.bytesRead > 0 && store.bytesRead < 64 << 20)
  }

  @Test func `A cut on purpose comes where it is asked for`() async throws {
    let chaos = try Chaos("cut@/2/files/download_zip=1:100KiB", seed: 1)
    try await withServer(tune: { $0.chaos = chaos }) { server in
      try await server.upload("/f/a", Self.old)
      let reply = try await zip(server)
      #expect(reply.status == 200 && reply.joinedChunks == nil)
      #expect((100 << 10..<101 << 10).contains(reply.body.count))
    }
  }
}
