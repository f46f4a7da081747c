import Backends
import FileStores
import JSON
import NIOCore
import NIOEmbedded
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Visitors of shared links: many, slow ones, and those who leave.
@Suite(.serialized) struct VisitorTests {
  @Test(arguments: [true, false])
  func `work for a client that goes is given up`(onlyItsSending: Bool) async throws {
    let visitors = Visitors()
    let channel = await NIOAsyncTestingChannel(handler: VisitorHandler(visitors))
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
    #expect(try await visitors.whileThere(channel) { 1 } == 1)
    let gate = Gate()
    let work = Task {
      try await visitors.whileThere(channel) {
        await gate.wait()
        try Task.checkCancellation()
      }
    }
    await gate.arrivals(1)
    if onlyItsSending {
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    } else {
      try await channel.close()
    }
    await #expect(throws: CancellationError.self) { try await work.value }
    // What comes later is not begun in earnest.
    await #expect(throws: CancellationError.self) {
      try await visitors.whileThere(channel) { try Task.checkCancellation() }
    }
  }

  private func withStore(
    tune: (inout ServerOptions) -> Void = { _ in },
    _ body: (_ server: TestServer, _ store: InterruptedStore) async throws -> Void
  ) async throws {
    let held = Mutex<InterruptedStore?>(nil)
    try await withServer(
      over: { root, pool in
        let store = InterruptedStore(try FolderStore(root: root, pool: pool, keepsVersions: false, hidesTrash: false))
        held.withLock { $0 = store }
        return store
      },
      tune: { options in
        options.sharesLinks = true
        tune(&options)
      }
    ) { server in try await body(server, try #require(held.withLock { $0 })) }
  }

  @Test func `a page is made once for each version, however many ask, and other pages do not wait for it`() async throws
  {
    try await withStore { server, store in
      let text = "# The pier\n\n" + String(repeating: "A line of the note.\n", count: 20_000)
      try await server.upload("/long.md", text)
      try await server.upload("/other.md", "# Another\n")
      let (long, other) = (try await server.link("/long.md"), try await server.link("/other.md"))
      let gate = Gate()
      defer { gate.open() }
      let before = store.bytesRead
      store.interrupt("long.md") { await gate.wait() }
      async let pages = withThrowingTaskGroup(of: Reply.self) { group in
        for _ in 0..<12 { group.addTask { try await server.open(long) } }
        return try await group.reduce(into: [Reply]()) { $0.append($1) }
      }
      await gate.arrivals(1)
      #expect(try await server.open(other).text.contains("<h1 dir=\"auto\">Another</h1>"))
      gate.open()
      let replies = try await pages
      #expect(replies.count == 12 && Set(replies.map(\.body)).count == 1)
      #expect(replies[0].status == 200 && replies[0].text.contains("The pier"))
      #expect(replies[0].headers["content-length"] == String(replies[0].body.count))
      #expect(store.bytesRead - before < 2 * text.utf8.count)
      // A new version has a new page.
      try await server.upload("/long.md", "# The mole\n", ["mode": "overwrite"])
      #expect(try await server.open(long).text.contains("The mole"))
    }
  }

  @Test func `a visitor who leaves while others are served is no longer waited for`() async throws {
    let (records, recorded) = AsyncStream<UInt64>.makeStream()
    try await withStore(tune: { options in
      options.writeAccess = { record, _ in if record.call == ServedLinks.path { recorded.yield(UInt64(record.status)) }
      }
    }) { server, store in
      try await server.upload("/note.md", "# The pier\n")
      let url = try await server.link("/note.md")
      let gate = Gate()
      defer { gate.open() }
      store.interrupt("note.md") { await gate.wait(whileNotCancelled: false) }
      async let page = server.open(url)
      await gate.arrivals(1)
      var visitor: Connection? = try Connection(port: server.client.port)
      try await visitor?.send("GET \(server.path(url)) HTTP/1.1\r\nHost: x\r\n\r\n")
      visitor = nil
      // It is answered, into the void, while the page is still being made.
      var iterator = records.makeAsyncIterator()
      #expect(await iterator.next() == 503 && !gate.isOpen)
      gate.open()
      #expect(try await page.status == 200)
    }
  }

  @Test func `a rendered note that grows too long is shown as it is`() {
    let flood = String(repeating: "# a\n", count: 200_000)
    let page = LinkText.text(named: "a.md", Array(flood.utf8))
    #expect(page.hasPrefix("<main><pre dir=\"auto\"># a") && page.utf8.count < 1 << 20)
    #expect(LinkText.text(named: "a.md", Array("# a".utf8)).contains("<h1"))
    #expect(LinkText.text(named: "a.md", [0x23, 0]) == LinkPages.unshown)
  }
}
