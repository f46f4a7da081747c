import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Clients that hold a connection by being slow, and how many connections there are.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowClientTests {
  private func download(_ server: TestServer) -> String {
    """
    POST /2/files/download HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(server.token)\r
    Dropbox-API-Arg: {"path":"/large"}\r\nContent-Length: 0\r\n\r\n
    """
  }

  private static let size = 48 << 20

  private func makeLarge(_ server: TestServer) throws {
    try Data(count: Self.size).write(to: URL(fileURLWithPath: server.root + "/large"))
  }

  @Test("Who does not take a download is cut off, and makes room for others")
  func stalled() async throws {
    try await withServer(tune: { ($0.connections, $0.slowestPieceSeconds) = (1, 1) }) { server in
      try makeLarge(server)
      let idle = try Connection(port: server.client.port, receiving: 4096)
      try await idle.send(download(server))
      #expect(try await idle.receive(12) == Array("HTTP/1.1 200".utf8))
      // The one connection that there may be is taken: this waits until it is free.
      #expect(try await server.call("check/user", .members(["query": "x"])).status == 200)
      let got = try await idle.rest()
      #expect(got.count > 100 && got.count < Self.size)
    }
  }

  @Test("Who sends a body too slowly is refused and cut off")
  func slowBody() async throws {
    try await withServer(tune: {
      ($0.slowestBodyRate, $0.slowBodySeconds, $0.lingerSeconds) = (1000, 0.3, 1)
    }) { server in
      let slow = try Connection(port: server.client.port)
      try await slow.send(
        """
        POST /2/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r
        Content-Type: application/octet-stream\r\nDropbox-API-Arg: {"path":"/a"}\r\nContent-Length: 1000000\r\n\r\n
        """)
      let answer = try await drip(on: slow)
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(answer.contains("too slowly"))
      #expect(try await server.paths() == [])
    }
  }

  @Test("Who goes on sending what was refused is cut off")
  func lingering() async throws {
    try await withServer(tune: { $0.lingerSeconds = 1 }) { server in
      let rude = try Connection(port: server.client.port)
      try await rude.send(
        """
        POST /2/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r
        Content-Type: application/octet-stream\r\nDropbox-API-Arg: {"path":"/a"}\r\nContent-Length: 1000000\r\n\r\n
        """)
      #expect(try await drip(on: rude).hasPrefix("HTTP/1.1 401"))
    }
  }

  @Test("A head that does not come to its end is given up, however steadily it comes")
  func slowHead() async throws {
    try await withServer(tune: { $0.idleSeconds = 1 }) { server in
      let slow = try Connection(port: server.client.port)
      try await slow.send("GET /2/files/download HTTP/1.1\r\nHost: x\r\nX-Long: ")
      #expect(try await drip(on: slow).isEmpty)
    }
  }

  @Test("Who asks for nothing is closed after a while")
  func silent() async throws {
    try await withServer(tune: { $0.idleSeconds = 1 }) { server in
      let silent = try Connection(port: server.client.port)
      #expect(try await silent.receive() == [])
      // Nor may it be held open after an answer. A busy machine may lose the second before it asks: it asks again then.
      var answer: [UInt8] = []
      while answer.isEmpty {
        try Task.checkCancellation()
        let kept = try Connection(port: server.client.port)
        try await kept.send("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = try await kept.rest()
      }
      #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test("No more connections are served at once than there may be; the next one waits")
  func count() async throws {
    try await withServer(tune: { $0.connections = 2 }) { server in
      var held: [Connection] = []
      // Members: the oldest connection of a stranger would make room.
      let request =
        "POST /2/users/get_current_account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n\r\n"
      for _ in 0..<2 {
        let connection = try Connection(port: server.client.port)
        try await connection.send(request)
        #expect(try await connection.receive()?.isEmpty == false)
        held.append(connection)
      }
      let next = try Connection(port: server.client.port)
      try await next.send(request)
      // at any pace: nothing comes, so the limit has to expire.
      #expect(try await next.receive(milliseconds: 300) == nil)
      held.removeFirst()
      #expect(try await next.receive()?.isEmpty == false)
    }
  }

  /// Header fields, so many of such a size.
  struct Fields: Sendable {
    let count: Int
    let bytes: Int
    let isTaken: Bool

    var text: String { (0..<count).map { "X-\($0): " + String(repeating: "x", count: bytes) + "\r\n" }.joined() }
  }

  @Test(
    "A head may be so large and no larger",
    arguments: [
      Fields(count: 1, bytes: 31 * 1024, isTaken: true), Fields(count: 1, bytes: 33 * 1024, isTaken: false),
      Fields(count: 3, bytes: 20 * 1024, isTaken: true), Fields(count: 4, bytes: 20 * 1024, isTaken: false),
      Fields(count: 95, bytes: 1, isTaken: true), Fields(count: 101, bytes: 1, isTaken: false),
    ])
  func heads(fields: Fields) async throws {
    try await withServer { server in
      let reply = try await server.client.exchange(
        Array("GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(fields.text)\r\n".utf8))
      // Refused before anything has looked at it; else the route is unknown, which is said in words.
      #expect(reply.text.contains("Unknown API function") == fields.isTaken)
    }
  }

  @Test("Wrong tokens of one address are counted, and then told to wait; a right one still counts")
  func failures() async throws {
    try await withServer(tune: { $0.failuresPerMinute = 3 }) { server in
      for _ in 0..<3 { #expect(try await server.call("check/user", .null, token: "wrong").status == 401) }
      let refused = try await server.call("check/user", .null, token: "wrong")
      #expect(refused.status == 429)
      #expect((1...60).contains(Int(refused.headers["retry-after"] ?? "") ?? 0))
      #expect(refused.json.at("error", "reason", ".tag") == "too_many_requests")
      let old = try await server.v1Bare("GET", "account/info", headers: [("Authorization", "Bearer wrong")])
      #expect(old.status == 429 && old.headers["retry-after"] != nil)
      #expect(try await server.call("check/user", .members(["query": "x"])).status == 200)
    }
  }

  /// Sends a byte now and then until the far side closes.
  /// - Returns: what the far side said.
  private func drip(on connection: Connection) async throws -> String {
    var answer: [UInt8] = []
    let end = ContinuousClock.now + .seconds(240)
    while try await connection.send("x") {
      try #require(ContinuousClock.now < end, "The connection was not closed.")
      // at any pace: a pause between two bytes.
      guard let chunk = try await connection.receive(milliseconds: 25) else { continue }
      if chunk.isEmpty { return String(decoding: answer, as: UTF8.self) }
      answer += chunk
    }
    // The far side may have spoken before it closed.
    return String(decoding: answer + (try await connection.rest()), as: UTF8.self)
  }
}
