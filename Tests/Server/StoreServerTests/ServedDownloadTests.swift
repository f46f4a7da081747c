import Backends
import Basics
import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct ServedDownloadTests {
  @Test(
    "Ranges",
    arguments: [
      ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
      ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=20-", 416, "", "bytes */10"),
      ("bytes=0-0,2-3", 200, "0123456789", nil),
    ] as [(String, Int, String, String?)])
  func ranges(header: String, status: Int, body: String, range: String?) async throws {
    try await withServer { server in
      try await server.upload("/ten", "0123456789")
      let reply = try await server.fetch("files/download", .members(["path": "/ten"]), [("Range", header)])
      #expect(reply.status == status)
      #expect(reply.text == body)
      #expect(reply.headers["content-range"] == range)
      #expect(reply.headers["content-length"] == String(body.utf8.count))
    }
  }

  @Test("What the client has already is not sent again, and If-Range wants the same version")
  func conditions() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      let first = try await server.fetch("files/download", .members(["path": "/a"]))
      let tag = try #require(first.headers["etag"])
      let again = try await server.fetch("files/download", .members(["path": "/a"]), [("If-None-Match", tag)])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      let other = try await server.fetch(
        "files/download", .members(["path": "/a"]), [("Range", "bytes=1-"), ("If-Range", "\"old\"")])
      #expect(other.status == 200)
    }
  }

  @Test("A file that a member replaces while it is being sent is sent to its end as it was")
  func replacedMeanwhile() async throws {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/root")
      let store = InterruptedStore(
        try FolderStore(root: folder + "/root", pool: BlockingPool(threads: 4), hidesTrash: false))
      try await withServer(in: folder, over: { _, _ in store }) { server in
        let text = String(repeating: "the old text. ", count: 200_000)
        try await server.upload("/a", text)
        store.interrupt {
          await #expect(throws: Never.self) { try await server.upload("/a", "new", ["mode": "overwrite"]) }
        }
        #expect(try await server.fetch("files/download", .members(["path": "/a"])).text == text)
        #expect(try await server.fetch("files/download", .members(["path": "/a"])).text == "new")
      }
    }
  }

  @Test("A file that another program replaces while its checksum is found is sent as it is then")
  func replacedWhileHashed() async throws {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/root")
      let store = InterruptedStore(
        try FolderStore(root: folder + "/root", pool: BlockingPool(threads: 4), hidesTrash: false))
      try await withServer(in: folder, over: { _, _ in store }) { server in
        let path = folder + "/root/film"
        let (old, new) = ([UInt8](repeating: 1, count: 3 << 20), [UInt8](repeating: 2, count: 3 << 20))
        try replaceFile(path, with: old)
        store.interrupt("film") {
          #expect(throws: Never.self) { try replaceFile(path, with: new) }
        }
        let reply = try await server.fetch("files/download", ["path": "/film"])
        #expect(reply.status == 200 && reply.body == new)
        // One that changes all the time is asked for again by the client.
        try replaceFile(folder + "/root/other", with: old)
        store.readFailure.withLock { $0 = StoreError(.conflict, "It changed.") }
        #expect(try await server.fetch("files/download", ["path": "/other"]).status == 503)
        store.readFailure.withLock { $0 = nil }
      }
    }
  }

  @Test("Folders and what is not there are reported by kind; GET works, too")
  func errors() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      let folder = try await server.fetch("files/download", .members(["path": "/f"]))
      #expect(folder.json.at("error", "path", ".tag") == "not_file")
      let none = try await server.fetch("files/download", .members(["path": "/none"]))
      #expect(none.json.at("error", "path", ".tag") == "not_found")
      #expect(none.headers["content-type"] == "application/json")
      let get = try await server.client.request(
        "GET", "/2/files/download?arg=%7B%22path%22%3A%22%2Ff%2Fa%22%7D", [("Authorization", "Bearer " + server.token)])
      #expect(get.text == "text")
    }
  }

  @Test("A link works without a token, in ranges, and ends with its file's version and its member")
  func links() async throws {
    try await withServer { server in
      try await server.upload("/a.html", "<b>text</b>")
      let reply = try await server.call("files/get_temporary_link", .members(["path": "/a.html"])).json
      let link = try #require(reply["link"]?.string)
      #expect(link.hasPrefix("http://127.0.0.1:\(server.client.port)/links/"))
      let path = String(link.dropFirst("http://127.0.0.1:\(server.client.port)".count))
      let got = try await server.client.request("GET", path, [("Range", "bytes=3-6")])
      #expect(got.text == "text")
      #expect(got.headers["content-disposition"] == "attachment; filename=\"a.html\"; filename*=UTF-8''a.html")
      #expect(got.headers["x-content-type-options"] == "nosniff")
      #expect(got.headers["dropbox-api-result"] == nil)
      #expect(try await server.client.request("GET", path.dropLast() + "!").status == 404)
      try await server.upload("/a.html", "other", ["mode": "overwrite"])
      #expect(try await server.client.request("GET", path).status == 410)
    }
  }

  @Test("Old versions are read, listed, and restored")
  func versions() async throws {
    try await withServer { server in
      var revs: [JSON?] = []
      for text in ["one", "two", "three"] {
        revs.append(try await server.upload("/a.md", text, ["mode": "overwrite"])["rev"])
      }
      let listed = try await server.call("files/list_revisions", .members(["path": "/A.md"])).json
      #expect(listed["is_deleted"] == false)
      #expect(listed["entries"].elements.map { $0["rev"] } == revs.reversed())
      let rev = try #require(revs[0]?.string)
      let old = try await server.fetch(
        "files/download", .members(["path": .string("rev:" + rev)]), [("Range", "bytes=1-")])
      #expect(old.text == "ne")
      let few = try await server.call(
        "files/list_revisions", .members(["path": "/a.md", "limit": .integer(1), "before_rev": revs[2]])
      ).json
      #expect(few["entries"].elements.map { $0["rev"] } == [revs[1]])
      #expect(few["has_more"] == true)
      _ = try await server.call("files/delete_v2", .members(["path": "/a.md"]))
      let gone = try await server.call("files/list_revisions", .members(["path": "/a.md"])).json
      #expect(gone["is_deleted"] == true)
      #expect(gone["entries"].elements.count == 3)
      let back = try await server.call("files/restore", .members(["path": "/a.md", "rev": revs[1]]))
      #expect(back.status == 200)
      #expect(contents(server.root + "/a.md") == "two")
      let none = try await server.call("files/restore", .members(["path": "/a.md", "rev": "abcdef0123456"]))
      #expect(none.json.at("error", ".tag") == "invalid_revision")
    }
  }
}
