import Backends
import FileStores
import TestKit
import Testing

@Suite("libcurl: requests and answers", .timeLimit(.minutes(5)))
struct CurlExchange {
  @Test func `A request arrives as it was made, and its answer comes back`() async throws {
    let seen = Notes<RawRequest>()
    try await withAnswers({ request in
      seen.add(request)
      return RawAnswer(404, headers: ["X-One": "1", "x-one": "2", "X-Empty": ""], body: Array("no such note".utf8))
    }) { server in
      let net = transport(server.url) { options in
        options.userAgent = "byteclub/9.9"
        options.headers = ["X-Club": "ours", "Authorization": "from the config"]
      }
      let request = HTTPRequest(
        .post, server.url + "/2/a%20b/../c?q=%22#fragment",
        headers: ["Authorization": "Bearer t", "Content-Length": "3", "X-Nothing": ""], body: .bytes(Array("body".utf8))
      )
      let (response, body) = try await net.call(request)
      #expect(response.status == 404)
      #expect(response.headers.values(of: "X-ONE") == ["1", "2"])
      #expect(response.headers["X-Empty"] == "")
      #expect(String(decoding: body, as: UTF8.self) == "no such note")

      let came = try #require(seen.all.first)
      #expect(came.method == "POST")
      #expect(came.target == "/2/a%20b/../c?q=%22")
      #expect(came.headers["Host"] == "127.0.0.1:\(server.port)")
      #expect(came.headers.values(of: "Authorization") == ["Bearer t"])
      #expect(came.headers.values(of: "Content-Length") == ["4"])
      #expect(came.headers["User-Agent"] == "byteclub/9.9")
      #expect(came.headers["X-Club"] == "ours")
      #expect(came.headers["X-Nothing"] == "")
      #expect(came.headers["Expect"] == nil)
      #expect(came.headers["Accept-Encoding"] == nil)
      #expect(came.body == Array("body".utf8))
    }
  }

  @Test(arguments: [
    (HTTPMethod.get, "GET", nil), (.head, "HEAD", nil), (.delete, "DELETE", nil), (.options, "OPTIONS", nil),
    (.post, "POST", "0"), (.put, "PUT", "0"),
  ])
  func `Every method goes out, and an empty body is announced where one belongs`(
    method: HTTPMethod, word: String, length: String?
  ) async throws {
    let seen = Notes<RawRequest>()
    try await withAnswers({ request in
      seen.add(request)
      return RawAnswer(204)
    }) { server in
      let (response, body) = try await transport(server.url).call(HTTPRequest(method, server.url))
      #expect(response.status == 204 && body.isEmpty)
      #expect(seen.all.map(\.method) == [word])
      #expect(seen.all.map { $0.headers["Content-Length"] } == [length])
      #expect(seen.all.map(\.target) == ["/"])
    }
  }

  @Test func `HEAD has the header of GET and no body`() async throws {
    try await withAnswers({ _ in RawAnswer(raw: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n") }) { server in
      let (response, body) = try await transport(server.url).call(HTTPRequest(.head, server.url))
      #expect(response.contentLength == 99 && body.isEmpty)
    }
  }

  @Test func `A large body comes whole and in order`() async throws {
    let bytes = pattern(5_000_001)
    try await withAnswers({ _ in RawAnswer(200, body: bytes) }) { server in
      var received: [UInt8] = []
      let request = HTTPRequest(.get, server.url, kind: .content)
      let response = try await transport(server.url).exchange(request, sent: nil) { (head, chunk) throws(StoreError) in
        #expect(head.status == 200)
        #expect(!chunk.isEmpty)
        received += chunk
      }
      #expect(response.contentLength == 5_000_001)
      #expect(received == bytes)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\nhello world", "HTTP/1.0 200 OK\r\n\r\nhello world",
    "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200\r\nContent-Length: 11\r\n\r\nhello world and more",
  ])
  func `A body ends with its chunks, its length, or its connection`(answer: String) async throws {
    try await withAnswers({ _ in RawAnswer(raw: answer) }) { server in
      let (response, body) = try await transport(server.url).call(HTTPRequest(.get, server.url))
      #expect(response.status == 200)
      #expect(String(decoding: body, as: UTF8.self) == "hello world")
      #expect(response.headers["X-Trailer"] == nil)
      #expect(response.headers["Link"] == nil)
    }
  }

  @Test(arguments: [UInt64?.some(3_000_000), nil])
  func `A source is sent from an offset on, with a length or in chunks`(length: UInt64?) async throws {
    let bytes = pattern(3_000_777)
    let seen = Notes<RawRequest>()
    try await withAnswers({ request in
      seen.add(request)
      return RawAnswer(200)
    }) { server in
      let request = HTTPRequest(
        .put, server.url, body: .source(DataSource(bytes, chunkSize: 10_007), from: 700, length: length),
        kind: .content)
      _ = try await transport(server.url).call(request)
      let came = try #require(seen.all.first)
      #expect(came.body == Array(bytes[700..<(length.map { 700 + Int($0) } ?? bytes.count)]))
      #expect(came.headers["Transfer-Encoding"] == (length == nil ? "chunked" : nil))
      #expect(came.headers["Content-Length"] == length.map { "\($0)" })
    }
  }

  @Test func `Sequential requests share a connection`() async throws {
    try await withAnswers({ _ in RawAnswer(200, body: [1]) }) { server in
      let net = transport(server.url)
      for _ in 0..<20 { _ = try await net.call(HTTPRequest(.get, server.url)) }
      _ = try await net.call(HTTPRequest(.put, server.url, body: .bytes([1, 2, 3]), kind: .content))
      #expect(server.connections == 1)
    }
  }

  @Test(arguments: [(HTTPRequest.Kind.call, 3), (.content, 3), (.shortContent, 1)])
  func `Only so many connections are opened at once, and the rest wait`(
    kind: HTTPRequest.Kind, perHost: Int
  ) async throws {
    // Of short files four times as many are under way.
    let most = kind == .shortContent ? 4 : perHost
    let gate = Latch()
    let arrived = Notes<Int>()
    let enough = Gate()
    try await withAnswers({ request in
      arrived.add(request.connection)
      if arrived.all.count == most { enough.open() }
      gate.wait()
      return RawAnswer(200)
    }) { server in
      let net = transport(server.url) { $0.connectionsPerHost = perHost }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<12 {
          group.addTask { try await net.call(HTTPRequest(.get, server.url, kind: kind)).0.status }
        }
        await enough.wait()
        // A long poll is not held up by them.
        let poll = Task { try await net.call(HTTPRequest(.get, server.url, kind: .longPoll)).0.status }
        while arrived.all.count < most + 1 { await Task.yield() }
        #expect(server.connections == most + 1)
        gate.open()
        for try await status in group { #expect(status == 200) }
        #expect(try await poll.value == 200)
      }
      #expect(server.connections <= most + 1)
      #expect(arrived.all.count == 13)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308], [HTTPMethod.get, .head, .post, .put, .delete])
  func `Redirects are answers and are not followed`(status: Int, method: HTTPMethod) async throws {
    let elsewhere = Notes<RawRequest>()
    try await withAnswers({ request in
      elsewhere.add(request)
      return RawAnswer(200)
    }) { other in
      // To another server, to this one under another path, and to another scheme.
      for place in [other.url + "/", "/elsewhere", "https://127.0.0.1:\(other.port)/"] {
        let asked = Notes<RawRequest>()
        try await withAnswers({ request in
          asked.add(request)
          return RawAnswer(status, headers: ["Location": place])
        }) { server in
          let isUpload = method == .put || method == .post
          for kind in [HTTPRequest.Kind.call, .content] {
            let request = HTTPRequest(
              method, server.url + "/first", headers: ["Authorization": "Bearer t"],
              body: isUpload ? .bytes([1, 2, 3]) : .empty, kind: kind)
            let (response, _) = try await transport(server.url, other.url).call(request)
            #expect(response.status == status)
          }
          #expect(asked.all.map(\.target) == ["/first", "/first"])
        }
      }
      #expect(elsewhere.all.isEmpty)
    }
  }

  @Test func `What the receiver throws ends the call and is thrown on`() async throws {
    let closed = Latch()
    try await withServer({ connection in
      _ = connection.request()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
      while connection.send([UInt8](repeating: 7, count: 65_536)) {}
      closed.open()
    }) { server in
      let mine = StoreError(.quota, "The disk is full.")
      var calls = 0
      let error = await #expect(throws: StoreError.self) {
        try await transport(server.url).exchange(HTTPRequest(.get, server.url), sent: nil) {
          (_, _) throws(StoreError) in
          calls += 1
          throw mine
        }
      }
      #expect(error == mine)
      #expect(calls == 1)
      closed.wait()
    }
  }

  @Test func `A slow receiver holds up the server instead of our memory`() async throws {
    let total = 64 << 20
    let sent = Notes<Int>()
    try await withServer({ connection in
      _ = connection.request()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      for index in 0..<64 where connection.send(piece) { sent.add(index) }
    }) { server in
      var received = 0
      var first = true
      let request = HTTPRequest(.get, server.url, kind: .content)
      _ = try await transport(server.url).exchange(request, sent: nil) { (_, chunk) throws(StoreError) in
        received += chunk.count
        guard first else { return }
        first = false
        // A server that nobody holds up goes on until it is done.
        var (looks, count) = (0, 0)
        while looks < 20_000, sent.all.count < 24 {
          await Task.yield()
          looks = sent.all.count == count ? looks + 1 : 0
          count = sent.all.count
        }
        #expect(sent.all.count < 24)
      }
      #expect(received == total)
    }
  }

  @Test func `What a source throws is thrown on, and one that is too short is bad input`() async throws {
    try await withServer({ $0.waitUntilClosed() }) { server in
      let mine = StoreError(.corrupt, "The photo cannot be read.")
      let net = transport(server.url)
      for (source, expected) in [
        (OddSource(pattern(5000), size: 9000, end: .error(mine)), mine),
        (
          OddSource(pattern(5000), size: 9000),
          StoreError(.badInput, "The source ended after 5000 of 9000 bytes.")
        ),
      ] {
        let error = await #expect(throws: StoreError.self) {
          try await net.call(
            HTTPRequest(.put, server.url, body: .source(source, from: 0, length: 9000), kind: .content))
        }
        #expect(error == expected)
      }
    }
  }
}
