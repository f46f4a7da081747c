import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct LimitTests {
  @Test("Requests that are no sound HTTP, or too large, are refused, and the server goes on")
  func unsound() async throws {
    try await withServer { server in
      let head = "POST /2/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n"
      let named = head + "Content-Type: application/octet-stream\r\nDropbox-API-Arg: {\"path\":\"/a\"}\r\n"
      let requests: [String: String] = [
        "both lengths": named + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "two lengths": named + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "a negative length": named + "Content-Length: -1\r\n\r\n",
        "a huge chunk": named + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n",
        "a chunk without a size": named + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "a long header": head + "X-Long: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
        "many headers": head + (0..<1000).map { "X-\($0): x\r\n" }.joined() + "\r\n",
        "a space before the colon": head + "X-Bad : x\r\n\r\n",
        "no version": "GET /\r\n\r\n",
        "no HTTP": "hello\r\n\r\n",
      ]
      for (name, request) in requests {
        let reply = try await server.client.exchange(Array(request.utf8), closing: true)
        #expect(reply.status == 0 || (400..<500).contains(reply.status), "\(name): \(reply.status)")
      }
      #expect(try await server.paths() == [])
    }
  }

  @Test(
    "A request of HTTP/1.0 with a Transfer-Encoding is refused, and its connection ends; without one it is answered")
  func oldFraming() async throws {
    try await withServer { server in
      let head = "POST /2/check/user HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n"
      let chunked = "Transfer-Encoding: chunked\r\n\r\nc\r\n{\"query\":\"a\"\r\n1\r\n}\r\n0\r\n\r\n"
      // It does not end by our hand: the server must close.
      let refused = try await server.client.exchange(Array((head + chunked + head + "\r\n").utf8))
      #expect(refused.status == 400 && refused.text.contains("HTTP/1.0"))
      #expect(!refused.text.contains("HTTP/1.1"))
      let token = "Authorization: Bearer \(server.token)\r\nContent-Type: application/json\r\n"
      let plain = try await server.client.exchange(
        Array((head + token + "Content-Length: 13\r\n\r\n{\"query\":\"a\"}").utf8), closing: true)
      #expect(plain.status == 200, "\(plain.text)")
    }
  }

  @Test("Arguments that are too deep or too large are refused")
  func arguments() async throws {
    try await withServer { server in
      let deep = String(repeating: "[", count: 100_000)
      let large = "{\"path\": \"" + String(repeating: "x", count: 5 << 20) + "\"}"
      for (text, status) in [(deep, 400), (large, 413), ("{", 400), ("\"x\"", 400)] {
        let reply = try await server.client.request(
          "POST", "/2/files/list_folder",
          [("Authorization", "Bearer " + server.token), ("Content-Type", "application/json")], Array(text.utf8))
        #expect(reply.status == status)
      }
      let form = try await server.client.request(
        "POST", "/2/files/list_folder",
        [("Authorization", "Bearer " + server.token), ("Content-Type", "multipart/form-data; boundary=x")],
        Array("{}".utf8))
      #expect(form.status == 400 && form.text.contains("Bad HTTP \"Content-Type\" header"))
      let got = try await server.client.request(
        "GET", "/2/files/list_folder", [("Authorization", "Bearer " + server.token)], Array("{\"path\":\"\"}".utf8))
      #expect(got.status == 400 && got.text.contains("The method must be POST"))
      let many = JSON.array([JSON](repeating: ["path": "/a"], count: 1001))
      let batch = try await server.call("files/delete_batch", ["entries": many])
      #expect(batch.status == 400 && batch.text.contains("more than 1000 items"))
      let unknown = try await server.call("files/explode", .null)
      #expect(unknown.status == 400)
      #expect(unknown.headers["content-type"] == "text/plain; charset=utf-8")
    }
  }

  @Test("Forms that are too large are refused")
  func forms() async throws {
    try await withServer { server in
      let form = Array(("x=" + String(repeating: "y", count: 65 << 10)).utf8)
      for path in ["/oauth2/token", "/1/account/info"] {
        let reply = try await server.client.request(
          "POST", path,
          [("Authorization", "Bearer " + server.token), ("Content-Type", "application/x-www-form-urlencoded")], form)
        #expect(reply.status == 413, "\(path)")
      }
    }
  }

  /// Bodies of 128 KiB that say that they go on: by type.
  private static let endlessBodies: [(type: String, bytes: [UInt8])] = [
    ("application/json", Array(("{\"cursor\": \"" + String(repeating: "x", count: 128 << 10)).utf8)),
    ("application/x-www-form-urlencoded", Array(("cursor=" + String(repeating: "x", count: 128 << 10)).utf8)),
    (
      "multipart/form-data; boundary=x",
      Array((0..<2_500).map { "--x\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n1\r\n" }.joined().utf8)
    ),
  ]

  @Test(
    "Strangers are refused by every route before much of a body is read", arguments: RouteTable.all.routes.map(\.path))
  func strangers(_ path: String) async throws {
    let route = try #require(RouteTable.all[path])
    try await withServer { server in
      for (type, bytes) in Self.endlessBodies {
        let head =
          "POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: \(type)\r\n"
          + "Content-Length: \(64 << 20)\r\n\r\n"
        let reply = try await server.client.exchange(Array(head.utf8) + bytes, closing: true)
        // A body that is asked for more ends in 503, or in 400 for one that broke off.
        #expect(
          (400..<500).contains(reply.status) && !reply.text.contains("broke"), "\(type): \(reply.status) \(reply.text)")
        if case .member = route.access { #expect([400, 401, 413].contains(reply.status), "\(type): \(reply.status)") }
      }
    }
  }

  @Test("A long poll, which is open to all, has an argument of 4 KiB at most", arguments: [1, 2])
  func longPollArgument(version: Int) async throws {
    try await withServer { server in
      for (length, status) in [(3_000, 400), (5_000, 413)] {
        let word = String(repeating: "x", count: length)
        let reply =
          version == 1
          ? try await server.v1Bare("POST", "longpoll_delta", [("cursor", word)])
          : try await server.client.request(
            "POST", "/2/files/list_folder/longpoll", [("Content-Type", "application/json")],
            Array("{\"cursor\": \"\(word)\"}".utf8))
        #expect(reply.status == status)
      }
    }
  }

  @Test("Before its file a form has 64 fields and 64 KiB at most, also for members")
  func fieldsBeforeFile() async throws {
    try await withServer { server in
      func send(_ fields: Int, _ bytes: Int) async throws -> Int {
        let value = String(repeating: "y", count: bytes)
        let parts = (0..<fields).map { "--x\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\(value)\r\n" }
        let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--x--\r\n"
        return try await server.v1(
          "POST", "files/auto", body: Array((parts.joined() + file).utf8),
          headers: [("Content-Type", "multipart/form-data; boundary=x")]
        ).status
      }
      let tooMany = try await send(65, 1)
      #expect(tooMany == 413)
      #expect(try await send(3, 30 << 10) == 413)
      #expect(try await server.paths() == [])
      #expect(try await send(64, 100) == 200)
      #expect(try await server.paths() == ["/a"])
    }
  }

  @Test("A request has at most 150 MiB of content, and of more nothing is kept", arguments: [1, 2])
  func largestContent(version: Int) async throws {
    try await withServer { server in
      let bytes = [UInt8](repeating: 1, count: (150 << 20) + 1)
      if version == 1 {
        #expect(try await server.v1("PUT", "files_put/auto/a", body: bytes).status == 413)
      } else {
        let reply = try await server.send("files/upload", ["path": "/a"], bytes)
        #expect(reply.json.at("error", ".tag") == "payload_too_large")
      }
      #expect(try await server.paths() == [])
      #expect(everything(below: server.data + "/incoming") == [])
    }
  }

  @Test("Who waits for \"100 Continue\" is told to go on, or refused before sending anything")
  func expectation() async throws {
    try await withServer { server in
      func head(_ token: String) -> String {
        """
        POST /2/files/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(token)\r
        Content-Type: application/octet-stream\r\nDropbox-API-Arg: {"path":"/a"}\r\nExpect: 100-continue\r
        Content-Length: 5\r\n\r\nhello
        """
      }
      let good = try await server.client.exchange(Array(head(server.token).utf8))
      #expect(good.status == 100)
      #expect(good.text.hasPrefix("HTTP/1.1 200"))
      #expect(contents(server.root + "/a") == "hello")
      #expect(try await server.client.exchange(Array(head("wrong").utf8)).status == 401)
    }
  }

  @Test("Content beyond the limit is refused and nothing of it is kept")
  func content() async throws {
    try await withTemporaryFolder { folder in
      let pool = BlockingPool(threads: 2)
      let room = try ContentRoom(below: PrivateDirectory(making: folder + "/own"), pool: pool)
      for size in [ContentRoom.memoryBytes + 1, 3 << 20] {
        var pieces = [UInt8](repeating: 1, count: size)[...]
        await #expect(throws: StoreError.self) {
          try await room.receive(limit: UInt64(size - 1)) { () throws(StoreError) in
            defer { pieces = pieces.dropFirst(256 * 1024) }
            return pieces.isEmpty ? nil : pieces.prefix(256 * 1024)
          }
        }
      }
      #expect(everything(below: folder + "/own/incoming") == [])
    }
  }
}
