import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

@Suite("libcurl: time", .timeLimit(.minutes(5)))
struct CurlWaiting {
  /// A port whose connections are never accepted and whose queue is full: who connects, waits.
  private final class FullPort {
    let url: String
    private let descriptors: [Int32]

    init() {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var open = [listener]
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size)
          listen(listener, 0)
          getsockname(listener, address, &size)
          for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            open.append(client)
            connect(client, address, size)
          }
        }
      }
      descriptors = open
      url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
  }

  /// Expects an end by a timeout, no earlier than `limit`. The words name the timeout that it was.
  private func expectFailure(
    _ limit: Duration, _ words: String, by time: TransferTime? = nil, _ body: () async throws -> Void
  ) async throws {
    let start = ContinuousClock.now
    let error = await #expect(throws: StoreError.self) { try await body() }
    #expect(error?.kind == .offline && error?.silence != nil)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.isEmpty == false)
    #expect(time?.passed ?? .now - start >= limit)
  }

  @Test func `A connection that does not come about ends with the connect timeout`() async throws {
    let port = FullPort()
    // at any pace: nobody accepts, so the limit has to expire.
    let timeouts = HTTPTimeouts(connect: .milliseconds(400), idle: .seconds(30))
    try await expectFailure(.milliseconds(390), "\(port.url.dropFirst(7)) did not answer within 0.4 seconds.") {
      _ = try await transport(port.url).call(HTTPRequest(.get, port.url, timeouts: timeouts))
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes."])
  func `A server that says nothing more ends with the idle timeout`(start: String) async throws {
    let time = TransferTime()
    try await withServer({ connection in
      _ = connection.head()
      connection.send(start)
      connection.waitUntilRead()
      time.waitForTurn()
      time.pass(.seconds(30))
      connection.waitUntilClosed()
    }) { server in
      try await expectFailure(
        .seconds(30), "No data moved between this machine and \(server.url) for 30 seconds.", by: time
      ) {
        _ = try await time.transport(server.url).call(HTTPRequest(.get, server.url))
      }
    }
  }

  @Test func `A server that stops reading an upload ends with the idle timeout`() async throws {
    let over = Latch()
    try await withServer(
      receiveBuffer: 4096,
      { connection in
        _ = connection.head()
        connection.send("HTTP/1.1 100 Continue\r\n\r\n")
        _ = connection.bytes(100_000)
        over.wait()
      }
    ) { server in
      defer { over.open() }
      let request = HTTPRequest(
        .put, server.url, body: .bytes(pattern(20_000_000)), kind: .content,
        // at any pace: nobody reads, so the limit has to expire.
        timeouts: HTTPTimeouts(idle: .milliseconds(300)))
      try await expectFailure(.milliseconds(300), "No data moved") { _ = try await transport(server.url).call(request) }
    }
  }

  @Test func `A server that dawdles for ever ends with the timeout of the whole`() async throws {
    let time = TransferTime()
    try await withServer({ connection in
      _ = connection.head()
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while connection.send("x") {
        connection.waitUntilRead()
        time.pass(.seconds(5))
      }
    }) { server in
      let timeouts = HTTPTimeouts(idle: .seconds(30), whole: .seconds(40))
      try await expectFailure(.seconds(40), "\(server.url) did not finish within 40 seconds.", by: time) {
        _ = try await time.transport(server.url).call(HTTPRequest(.get, server.url, timeouts: timeouts))
      }
    }
  }

  @Test func `The whole counts for a request that waits for a free connection, too`() async throws {
    try await withServer({ $0.waitUntilClosed() }) { server in
      let net = transport(server.url) { $0.connectionsPerHost = 1 }
      let first = Task { try await net.call(HTTPRequest(.get, server.url)) }
      while server.connections == 0 { await Task.yield() }
      // at any pace: no connection becomes free, so the limit has to expire.
      let timeouts = HTTPTimeouts(whole: .milliseconds(300))
      try await expectFailure(.milliseconds(300), "did not finish within 0.3 seconds") {
        _ = try await net.call(HTTPRequest(.get, server.url, timeouts: timeouts))
      }
      first.cancel()
      _ = await first.result
    }
  }

  @Test(.timing("a receiver and a source keep the network waiting for longer than its timeout"))
  func `A slow receiver and a slow source are not idleness`() async throws {
    struct Slow: ByteSource, ByteReading {
      var left = 3
      var size: UInt64? { 3 }
      func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { self }
      mutating func next() async throws(StoreError) -> ByteChunk? {
        guard left > 0 else { return nil }
        left -= 1
        try? await Task.sleep(for: .milliseconds(1500))
        return [7]
      }
    }
    let timeouts = HTTPTimeouts(idle: .seconds(1))
    // Far more than the kernel and the queue hold, so that libcurl is stopped while the receiver works.
    let bytes = pattern(16 << 20)
    try await withAnswers({ _ in RawAnswer(200, body: bytes) }) { server in
      let net = transport(server.url)
      var received = 0
      _ = try await net.exchange(HTTPRequest(.get, server.url, kind: .content, timeouts: timeouts), sent: nil) {
        (_, chunk) throws(StoreError) in
        if received == 0 { try? await Task.sleep(for: .seconds(2)) }
        received += chunk.count
      }
      #expect(received == bytes.count)
    }
    try await withAnswers({ RawAnswer(200, body: $0.body) }) { server in
      let request = HTTPRequest(
        .put, server.url, body: .source(Slow(), from: 0, length: 3), kind: .content, timeouts: timeouts)
      let (_, echo) = try await transport(server.url).call(request)
      #expect(echo == [7, 7, 7])
    }
  }

  @Test func `A cancelled call ends at once, wherever it is`() async throws {
    enum Stage: CaseIterable { case connecting, waiting, receiving, sending, queued, source, receiver }
    for stage in Stage.allCases {
      let closed = Gate()
      let ready = Gate()
      let isReading = Gate()
      let port = FullPort()
      try await withServer(
        receiveBuffer: 4096,
        { connection in
          guard connection.head() != nil else { return }
          switch stage {
          case .receiving, .receiver:
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send("x") { connection.waitUntilRead() }
          case .sending:
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.bytes(10_000)
            ready.open()
          default: ready.open()
          }
          connection.waitUntilClosed()
          closed.open()
        }
      ) { server in
        let net = transport(server.url, port.url) { $0.connectionsPerHost = 1 }
        let blocker = stage == .queued ? Task { try await net.call(HTTPRequest(.get, server.url)) } : nil
        if blocker != nil { await ready.wait() }
        let url = stage == .connecting ? port.url : server.url
        let body: HTTPBody =
          switch stage {
          case .sending: .bytes(pattern(20_000_000))
          case .source: .source(OddSource([1, 2], size: 9, end: .hang(isReading)), from: 0, length: 9)
          default: .empty
          }
        // Neither time nor the server ends the call: the timeouts are longer than the suite's.
        let timeouts = HTTPTimeouts(connect: .seconds(900), idle: .seconds(900))
        let request = HTTPRequest(.put, url, body: body, timeouts: timeouts)
        let task = Task {
          try await net.exchange(request, sent: nil) { (_, _) throws(StoreError) in
            ready.open()
            if stage == .receiver { await Gate().wait() }
          }
        }
        switch stage {
        case .connecting, .queued: for _ in 0..<200 { await Task.yield() }
        default: await ready.wait()
        }
        if stage == .source { await isReading.wait() }
        task.cancel()
        let error = await #expect(throws: StoreError.self, "\(stage)") { try await task.value }
        #expect(error?.kind == .cancelled, "\(stage)")
        blocker?.cancel()
        _ = await blocker?.result
        if stage != .connecting { await closed.wait() }
      }
    }
  }

  @Test func `A call of a task that is cancelled already sends nothing`() async throws {
    try await withAnswers({ _ in RawAnswer(200) }) { server in
      let net = transport(server.url)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await net.call(HTTPRequest(.get, server.url))
      }
      task.cancel()
      let error = await #expect(throws: StoreError.self) { try await task.value }
      #expect(error?.kind == .cancelled)
      #expect(server.connections == 0)
    }
  }

  @Test func `Hundreds of calls that are cancelled at any moment leave a transport that works`() async throws {
    let bytes = pattern(300_000)
    try await withAnswers({ RawAnswer(200, body: $0.method == "GET" ? bytes : Array($0.body.prefix(10))) }) { server in
      let net = transport(server.url)
      var kinds: [String: Int] = [:]
      for round in 0..<400 {
        let isUpload = round % 2 == 0
        let body: HTTPBody = isUpload ? .source(DataSource(bytes, chunkSize: 7000), from: 0, length: 300_000) : .empty
        let returned = Gate()
        let request = HTTPRequest(isUpload ? .put : .get, server.url, body: body, kind: .content)
        let task = Task {
          defer { returned.open() }
          return try await net.exchange(request, sent: { _ in #expect(!returned.isOpen) }) {
            (_, _) throws(StoreError) in
            #expect(!returned.isOpen)
          }
        }
        for _ in 0..<(round * 7 % 400) { await Task.yield() }
        task.cancel()
        switch await task.result {
        case .success: kinds["success", default: 0] += 1
        case .failure(let error): kinds[(error as? StoreError)?.kind.rawValue ?? "?", default: 0] += 1
        }
      }
      #expect(Set(kinds.keys).isSubset(of: ["success", "cancelled"]), "\(kinds)")
      #expect(kinds["cancelled", default: 0] > 20, "\(kinds)")
      let (_, body) = try await net.call(HTTPRequest(.get, server.url))
      #expect(body == bytes)
    }
  }

  @Test(.timing("the thread does not wake up for a while"))
  func `Between requests the network's thread sleeps`() async throws {
    try await withAnswers({ _ in RawAnswer(200) }) { server in
      let thread = Notes<String>()
      let net = transport(server.url)
      let timeouts = HTTPTimeouts(idle: .milliseconds(150), whole: .milliseconds(200))
      let request = HTTPRequest(.post, server.url, body: .bytes([1]), timeouts: timeouts)
      func ask() async throws(StoreError) {
        _ = try await net.exchange(
          request,
          sent: { _ in
            var name = [CChar](repeating: 0, count: 100)
            if readlink("/proc/thread-self", &name, 99) > 0 {
              thread.add(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
          }, { (_, _) throws(StoreError) in })
      }
      // A request that a busy machine has stopped for so long is made again.
      while true {
        do throws(StoreError) {
          try await ask()
          break
        } catch {
          guard error.kind == .offline else { throw error }
          try Task.checkCancellation()
        }
      }
      let status = "/proc/\(try #require(thread.all.first))/status"
      func waits() -> Substring? {
        contents(status)?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      }
      // The answer was given before the thread went to sleep, and a busy machine may stop it on its way. One that polled
      // would never be still.
      var before: Substring
      repeat {
        before = try #require(waits())
        // Longer than all of the timeouts that there were.
        try await Task.sleep(for: .milliseconds(500))
      } while waits() != before
    }
  }

  @Test func `When the last reference goes, the connections do`() async throws {
    let closed = Gate()
    try await withServer({ connection in
      _ = connection.request()
      connection.send(RawAnswer(200))
      connection.waitUntilClosed()
      closed.open()
    }) { server in
      do {
        let net = transport(server.url)
        _ = try await net.call(HTTPRequest(.get, server.url))
        #expect(!closed.isOpen)
      }
      await closed.wait()
    }
  }
}
