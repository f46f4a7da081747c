import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

@Suite("libcurl: uploads", .timeLimit(.minutes(5)))
struct CurlUploads {
  private func put(_ url: String, _ count: Int, isChunked: Bool = false) -> HTTPRequest {
    HTTPRequest(
      .put, url,
      body: .source(
        DataSource(pattern(count), chunkSize: 50_000), from: 0, length: isChunked ? nil : UInt64(count)),
      kind: .content)
  }

  @Test(arguments: [false, true])
  func `Progress only counts what the other end can have`(isChunked: Bool) async throws {
    let total = 12_000_000
    let stop = 1_500_000
    let goOn = Latch()
    let read = Counter()
    try await withServer(
      receiveBuffer: 16_384,
      { connection in
        // The first request makes the connection, the second uses a kept one.
        guard connection.request() != nil else { return }
        connection.send(RawAnswer(200))
        guard connection.head() != nil else { return }
        connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        while read.value < total {
          let step = min(10_000, total - read.value)
          guard connection.bytes(step).count == step else { return }
          if read.add(step) == stop { goOn.wait() }
        }
        connection.send(RawAnswer(201))
      }
    ) { server in
      let net = transport(server.url)
      _ = try await net.call(put(server.url, 10))
      let told = Notes<UInt64>()
      let isAtStop = Gate()
      let task = Task {
        try await net.exchange(
          put(server.url, total, isChunked: isChunked),
          sent: { count in
            told.add(count)
            // Read by the server, in its kernel's buffer, or in one of its reads: no more can be there.
            let there = read.value + 65_536 + 65_536
            #expect(count <= there)
            if count >= stop { isAtStop.open() }
          }, { (_, _) throws(StoreError) in })
      }
      await isAtStop.wait()
      #expect(told.all.last ?? 0 < stop + 131_072)
      goOn.open()
      let response = try await task.value
      #expect(response.status == 201)
      // Each time more, and never the same again.
      #expect(zip(told.all, told.all.dropFirst()).allSatisfy { $0 < $1 })
      #expect(told.all.last == UInt64(total))
      #expect(told.all.contains { $0 >= stop && $0 < stop + 131_072 }, "\(told.all)")
    }
  }

  @Test func `The last bytes are reported as they arrive, while the answer is waited for`() async throws {
    let goOn = Latch()
    let answer = Latch()
    let finished = Gate()
    try await withServer(
      receiveBuffer: 4096,
      { connection in
        guard connection.head() != nil else { return }
        goOn.wait()
        _ = connection.bytes(900_000)
        answer.wait()
        connection.send(RawAnswer(200))
      }
    ) { server in
      let told = Notes<UInt64>()
      let task = Task {
        try await transport(server.url).exchange(
          put(server.url, 900_000),
          sent: { count in
            told.add(count)
            if count == 900_000 { finished.open() }
          }, { (_, _) throws(StoreError) in })
      }
      goOn.open()
      // Without an answer: all that is left lies in the kernel, and libcurl has nothing more to do.
      await finished.wait()
      answer.open()
      let response = try await task.value
      #expect(response.status == 200)
    }
  }

  @Test func `A server that refuses a large body is not sent it`() async throws {
    let received = Notes<Int>()
    try await withServer({ connection in
      guard let head = connection.head() else { return }
      #expect(head.headers["Expect"] == "100-continue")
      connection.send(RawAnswer(413, body: Array("too large".utf8), closes: true))
      received.add(connection.bytes(1).count)
    }) { server in
      let net = transport(server.url) { $0.askingTime = .seconds(900) }
      let (response, body) = try await net.call(put(server.url, 5_000_000))
      #expect(response.status == 413)
      #expect(String(decoding: body, as: UTF8.self) == "too large")
    }
    #expect(received.all == [0])
  }

  @Test(arguments: [401, 413, 507])
  func `An answer in the middle of an upload is the answer`(status: Int) async throws {
    try await withServer(
      receiveBuffer: 4096,
      { connection in
        guard connection.head() != nil else { return }
        connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        _ = connection.bytes(100_000)
        connection.send(RawAnswer(status, body: Array("no".utf8), closes: true))
        connection.waitUntilClosed()
      }
    ) { server in
      let (response, body) = try await transport(server.url).call(put(server.url, 20_000_000))
      #expect(response.status == status)
      #expect(body == Array("no".utf8))
    }
  }

  @Test func `A server that does not know Expect is waited for once`() async throws {
    let seen = Notes<String?>()
    try await withServer({ connection in
      while let head = connection.head() {
        seen.add(head.headers["Expect"])
        _ = connection.body(of: head)
        connection.send(RawAnswer(200))
      }
    }) { server in
      let net = transport(server.url)
      for _ in 0..<3 { _ = try await net.call(put(server.url, 2_000_000)) }
      #expect(seen.all == ["100-continue", nil, nil])
    }
  }

  @Test(arguments: [false, true])
  func `A success that comes before the body is none, and the server is not asked again`(isChunked: Bool) async throws {
    let seen = Notes<Int>()
    try await withServer({ connection in
      while let head = connection.head() {
        guard head.headers["Expect"] == nil else {
          connection.send(RawAnswer(201))
          return connection.waitUntilClosed()
        }
        seen.add(connection.body(of: head).count)
        connection.send(RawAnswer(201))
      }
    }) { server in
      let net = transport(server.url) { $0.askingTime = .seconds(900) }
      let error = await #expect(throws: StoreError.self) {
        try await net.call(put(server.url, 2_000_000, isChunked: isChunked))
      }
      #expect(error?.kind == .server && error?.isTemporary == true, "\(String(describing: error))")
      let (response, _) = try await net.call(put(server.url, 2_000_000, isChunked: isChunked))
      #expect(response.status == 201 && seen.all == [2_000_000])
    }
  }

  @Test func `A request says from which size on it asks`() async throws {
    let seen = Notes<String?>()
    try await withServer({ connection in
      while let request = connection.request() {
        seen.add(request.headers["Expect"])
        connection.send(RawAnswer(200))
      }
    }) { server in
      let net = transport(server.url)
      for (size, from) in [(10, 10), (9, 10), (2_000_000, UInt64.max), (0, 0)] as [(Int, UInt64)] {
        var request = put(server.url, size)
        request.asksFrom = from
        _ = try await net.call(request)
      }
      #expect(seen.all == ["100-continue", nil, nil, nil])
    }
  }

  @Test func `A success in the middle of a body whose connection ends is none`() async throws {
    try await withServer(
      receiveBuffer: 4096,
      { connection in
        guard connection.head() != nil else { return }
        connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        _ = connection.bytes(100_000)
        connection.send(RawAnswer(201, closes: true))
      }
    ) { server in
      let error = await #expect(throws: StoreError.self) {
        try await transport(server.url).call(put(server.url, 20_000_000))
      }
      #expect(error?.isTemporary == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: [true, false])
  func `A server that refuses to be asked is sent the body without asking`(closes: Bool) async throws {
    let seen = Notes<Int>()
    try await withServer({ connection in
      while let head = connection.head() {
        if head.headers["Expect"] != nil {
          connection.send(RawAnswer(417, body: Array("what?".utf8), closes: closes))
          if closes { return }
        } else {
          seen.add(connection.body(of: head).count)
          connection.send(RawAnswer(200, body: Array("thanks".utf8)))
        }
      }
    }) { server in
      let net = transport(server.url) { $0.askingTime = .seconds(900) }
      let (response, body) = try await net.call(put(server.url, 2_000_000))
      #expect(response.status == 200)
      #expect(String(decoding: body, as: UTF8.self) == "thanks")
      #expect(seen.all == [2_000_000])
    }
  }

  @Test func `A source is read no further ahead than a bounded number of bytes`() async throws {
    struct Endless: ByteSource, ByteReading {
      let (given, read): (Counter, Counter)
      var size: UInt64? { nil }
      func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { self }
      mutating func next() async throws(StoreError) -> ByteChunk? {
        // Our queue, libcurl's buffer and both kernels'.
        let ahead = given.add(100_000) - read.value
        if ahead >= 10_000_000 { throw StoreError(.quota, "The source was read \(ahead) bytes ahead.") }
        return [UInt8](repeating: 7, count: 100_000)[...]
      }
    }
    let total = 30_000_000
    let (given, read) = (Counter(), Counter())
    let hasRead = Gate()
    try await withServer(
      receiveBuffer: 16_384,
      { connection in
        guard connection.head() != nil else { return }
        connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        while read.value < total {
          guard connection.bytes(10_000).count == 10_000 else { break }
          read.add(10_000)
        }
        hasRead.open()
        connection.waitUntilClosed()
      }
    ) { server in
      let request = HTTPRequest(
        .put, server.url, body: .source(Endless(given: given, read: read), from: 0, length: nil), kind: .content)
      let task = Task { try await transport(server.url).call(request) }
      // A source that nobody holds up is far faster than the server.
      await hasRead.wait()
      #expect(read.value == total)
      task.cancel()
      let error = await #expect(throws: StoreError.self) { try await task.value }
      #expect(error?.kind == .cancelled, "\(String(describing: error))")
    }
  }
}
