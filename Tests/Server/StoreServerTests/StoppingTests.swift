import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// What becomes of what runs when a server is told to stop.
@Suite(.serialized) struct StoppingTests {
  @Test(
    "A server whose task is cancelled sends a download to its end, takes nobody new, and has nothing to complain of")
  func cancelled() async throws {
    let size = 24 << 20
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try Data(count: size).write(to: URL(fileURLWithPath: server.root + "/large"))
        let line = try Connection(port: server.client.port, receiving: 4096)
        try await line.send(
          """
          POST /2/files/download HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r
          Dropbox-API-Arg: {"path":"/large"}\r\nContent-Length: 0\r\n\r\n
          """)
        #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8))
        server.stop()
        let rest = try await line.rest()
        #expect(rest.count > size && rest.count < size + 4096)
        #expect((try? Connection(port: server.client.port)) == nil)
      }
    }
    #expect(log.all.filter { $0.hasPrefix("error") || $0.hasPrefix("warning") || $0.hasPrefix("critical") } == [])
  }

  @Test("A server waits for a client that takes nothing no longer than it may", .timeLimit(.minutes(5)))
  func stalled() async throws {
    try await withTemporaryFolder { folder in
      // Open until the server has ended.
      var lines: [Connection] = []
      // Nothing else cuts the client within the time limit.
      try await withServer(in: folder, tune: { ($0.stopSeconds, $0.slowestPieceSeconds) = (1, 600) }) { server in
        try Data(count: 24 << 20).write(to: URL(fileURLWithPath: server.root + "/large"))
        let line = try Connection(port: server.client.port, receiving: 4096)
        try await line.send(
          """
          POST /2/files/download HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r
          Dropbox-API-Arg: {"path":"/large"}\r\nContent-Length: 0\r\n\r\n
          """)
        #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8))
        lines.append(line)
      }
      #expect(lines.count == 1)
    }
  }

  @Test("A server that has clients who say nothing stops without waiting for them", .timeLimit(.minutes(5)))
  func silent() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      // A server that waited would do so beyond the time limit.
      try await withServer(
        in: folder, tune: { ($0.stopSeconds, $0.idleSeconds) = (600, 600) }, handler: log.handler
      ) { server in
        let silent = try Connection(port: server.client.port)
        let kept = try Connection(port: server.client.port)
        try await kept.send("POST /2/check/user HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        #expect(try await kept.receive(12) == Array("HTTP/1.1 401".utf8))
        server.stop()
        _ = try await kept.rest()
        #expect(try await silent.rest() == [])
      }
    }
    #expect(log.all.filter { $0.hasPrefix("error") || $0.hasPrefix("warning") || $0.hasPrefix("critical") } == [])
  }
}
