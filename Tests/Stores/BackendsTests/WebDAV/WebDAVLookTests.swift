import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// The order of the looks that find changes.
@Suite struct WebDAVLookTests {
  /// A server whose second answer, the first look's, waits; the file has another tag from then on.
  private final class SlowServer: Sendable {
    let hasAsked = Gate()
    let mayAnswer = Gate()
    private let state = Mutex((count: 0, isWaiting: false, overlapped: false))

    /// True if a look began while the first one waited.
    var overlapped: Bool { state.withLock { $0.overlapped } }

    func answer() async -> ScriptedTransport.Answer {
      let number = state.withLock { state in
        state.count += 1
        if state.count == 2 { state.isWaiting = true } else if state.isWaiting { state.overlapped = true }
        return state.count
      }
      if number == 2 {
        hasAsked.open()
        await mayAnswer.wait()
        state.withLock { $0.isWaiting = false }
      }
      let file = """
        <D:response><D:href>/dav/club/a.md</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength>1\
        </D:getcontentlength><D:getetag>"\(number < 3 ? "old" : "new")"</D:getetag></D:prop>\
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
        """
      return .text(207, "<D:multistatus xmlns:D=\"DAV:\">\(file)</D:multistatus>")
    }
  }

  @Test func `a look that began before another one never ends behind it`() async throws {
    let server = SlowServer()
    let description = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let store = try WebDAVKind.open(
      description, pool: BlockingPool(),
      network: StoreNetwork(
        transport: ScriptedTransport(answer: { _ in await server.answer() }), tokens: StaticToken("x")),
      tuning: WebDAVTuning())
    let changes = store.changes
    let cursor = try await changes.start()
    async let first = changes.poll(since: cursor)
    await server.hasAsked.wait()
    async let second = changes.poll(since: cursor)
    for _ in 0..<2000 { await Task.yield() }
    server.mayAnswer.open()
    _ = try await first
    let news = try await second
    guard case .present(let entry)? = news.changes.first else {
      Issue.record("\(news)")
      return
    }
    #expect(news.changes.count == 1 && entry.revision == WebDAVTag("\"new\"")?.revision(of: entry.path))
    #expect(!server.overlapped)
    #expect(try await changes.poll(since: news.cursor).changes.isEmpty)
  }
}

/// A server that takes connections and never answers.
@Suite struct WebDAVSilenceTests {
  @Test(
    "A silent server costs two requests of 30 s, or one of the 120 s that a list may take",
    arguments: [("entry", 2, 60), ("read", 2, 60), ("list", 1, 120), ("changes", 1, 120)])
  func silence(call: String, requests: Int, seconds: Int) async throws {
    let waited = Mutex(Duration.zero)
    let transport = ScriptedTransport(answer: { asked in
      let limit = (asked.request.timeouts ?? HTTPTimeouts()).idle
      waited.withLock { $0 += limit }
      return .failure(StoreError(.offline, "It says nothing.").ofSilence(limit))
    })
    let clock = ManualClock(advancesOnSleep: true)
    var tuning = WebDAVTuning()
    (tuning.clock, tuning.retryClock) = (clock, clock)
    let description = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let store = RetryingStore(
      try WebDAVKind.open(
        description, pool: BlockingPool(), network: StoreNetwork(transport: transport, tokens: StaticToken("x")),
        tuning: tuning), clock: clock, draw: { 1 })
    let path = try StorePath("a.md")
    let error = await #expect(throws: StoreError.self) {
      switch call {
      case "entry": _ = try await store.entry(at: path)
      case "read": _ = try await store.read(path, ReadOptions()) { _ in }
      case "list": _ = try await store.list(.root, ListOptions(.full), after: nil)
      default: _ = try await store.capabilities.changes?.start()
      }
    }
    #expect(error?.kind == .offline && transport.recorded.count == requests)
    #expect(waited.withLock { $0 } == .seconds(seconds))
  }
}
