import Backends
import FileStores
import TestKit
import Testing

/// Servers that keep an answer alive without bringing it on, and answers in a form that nobody asked for.
@Suite("libcurl: answers that drip", .timeLimit(.minutes(5)))
struct CurlDrips {
  private func failure(
    _ kind: HTTPRequest.Kind = .call, by time: TransferTime = TransferTime(),
    _ handle: @escaping @Sendable (RawConnection) -> Void
  ) async throws -> StoreError? {
    try await withServer(handle) { server in
      await #expect(throws: StoreError.self) {
        _ = try await time.transport(server.url).call(HTTPRequest(.get, server.url, kind: kind))
      }
    }
  }

  @Test(arguments: [HTTPRequest.Kind.call, .content])
  func `A body that drips ends with what it lacks`(_ kind: HTTPRequest.Kind) async throws {
    let time = TransferTime()
    let error = try await failure(kind, by: time) { connection in
      _ = connection.head()
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while connection.send("x") {
        connection.waitUntilRead()
        time.pass(.seconds(10))
      }
    }
    #expect(error?.kind == .offline)
    #expect(error?.message.hasPrefix("Fewer than 128 bytes a second moved") == true, "\(String(describing: error))")
  }

  @Test func `A body that comes slowly is whole in the end`() async throws {
    let time = TransferTime()
    try await withServer({ connection in
      _ = connection.head()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n")
      for _ in 0..<20 {
        guard connection.send([UInt8](repeating: 7, count: 2000)) else { return }
        connection.waitUntilRead()
        time.pass(.seconds(10))
      }
    }) { server in
      let (_, body) = try await time.transport(server.url).call(HTTPRequest(.get, server.url))
      #expect(body.count == 40_000)
    }
    #expect(time.passed == .seconds(200))
  }

  @Test(arguments: ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"])
  func `Interim answers without an end are no answer`(_ interim: String) async throws {
    let time = TransferTime()
    let error = try await failure(by: time) { connection in
      _ = connection.head()
      while connection.send(interim) {
        connection.waitUntilRead()
        time.pass(.seconds(5))
      }
    }
    #expect(error?.kind == .offline)
    #expect(error?.message.contains("sent only headers for 30 seconds") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("Transfer-Encoding: gzip, chunked", HTTPRequest.Kind.call), ("Transfer-Encoding: gzip, chunked", .content),
    ("Content-Encoding: gzip\r\nContent-Length: 4", .call), ("Content-Encoding: br\r\nContent-Length: 4", .call),
  ])
  func `A compressed answer is refused before anything is unpacked`(
    _ field: String, _ kind: HTTPRequest.Kind
  ) async throws {
    let error = try await failure(kind) { connection in
      _ = connection.head()
      connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n4\r\nabcd\r\n0\r\n\r\n")
      connection.waitUntilClosed()
    }
    #expect(error?.kind == .server && error?.isWrongAnswer == true)
    #expect(error?.message.contains("which byteclub did not ask for") == true, "\(String(describing: error))")
  }

  @Test func `A file's bytes come as they are, whatever they are said to be`() async throws {
    try await withAnswers({ _ in RawAnswer(200, headers: ["Content-Encoding": "gzip"], body: [1, 2, 3]) }) { server in
      let (_, body) = try await transport(server.url).call(HTTPRequest(.get, server.url, kind: .content))
      #expect(body == [1, 2, 3])
    }
  }
}
