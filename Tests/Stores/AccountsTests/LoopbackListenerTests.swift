import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Accounts

/// The browser coming back, played by a socket.
struct LoopbackListenerTests {
  /// A listener that waits.
  private final class Waiting {
    let listener: LoopbackListener
    let signIn: SignIn
    let port: UInt16
    let task: Task<String, any Error>

    init(_ listener: LoopbackListener? = nil, limit: Duration = .seconds(600)) throws {
      // Its connections have all the time that they need, unless a test says otherwise.
      let listener =
        try listener ?? LoopbackListener(mostVisitors: 16, patience: .seconds(10), now: TurnedTime().look)
      let account = try Account(club: "lab", service: AccountService(server: "https://club.example"), appKey: nil)
      let signIn = SignIn(account, redirect: listener.address, state: "st4te", proof: ProofKey())
      self.listener = listener
      self.signIn = signIn
      port = try #require(UInt16(listener.address.split { ":/".contains($0) }[2]))
      task = Task { try await listener.code(for: signIn, within: limit, on: BlockingPool(threads: 1)) }
    }

    func ask(_ target: String, method: String = "GET", host: String? = nil, more: String = "") async throws -> String {
      let browser = try Browser(port)
      browser.send("\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(more)\r\n")
      return await browser.answer()
    }
  }

  /// One connection.
  private final class Browser: Sendable {
    struct Refused: Error {}
    /// Reading waits for a listener, which needs a thread of Swift's own pool to begin: that is not held up.
    private static let pool = BlockingPool(threads: 16)
    private let socket: Int32

    init(_ port: UInt16, address: UInt32 = 0x7F00_0001) throws {
      socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = address.bigEndian
      let socket = socket
      let result = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Refused() }
    }

    deinit { close(socket) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = POSIX.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// All that comes, up to the end.
    func answer() async -> String {
      await Browser.pool.run {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = read(self.socket, &buffer, buffer.count)
          guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
          bytes += buffer[..<count]
        }
      }
    }

    /// What has come so far.
    enum Heard { case nothing, end, words }

    var hears: Heard {
      var byte: UInt8 = 0
      let count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
      return count < 0 ? .nothing : count == 0 ? .end : .words
    }
  }

  @Test func `the browser brings the code, and is told to go back to the terminal`() async throws {
    let waiting = try Waiting()
    #expect(waiting.listener.address == "http://127.0.0.1:\(waiting.port)/signed-in")
    let page = try await waiting.ask("/signed-in?code=the%2Bcode&state=st4te", more: "User-Agent: Mozilla/5.0\r\n")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("go back to the terminal"))
    #expect(page.contains("Referrer-Policy: no-referrer"))
    #expect(!page.contains("the+code"))
    #expect(try await waiting.task.value == "the+code")
    #expect(throws: Browser.Refused.self) { try Browser(waiting.port) }
  }

  @Test func `a request that comes in pieces is waited for`() async throws {
    let waiting = try Waiting()
    let browser = try Browser(waiting.port)
    for piece in [
      "GET /signed-in?code=abc&", "state=st4te HTTP/1.1\r\nHo", "st: 127.0.0.1:\(waiting.port)\r\n\r", "\n",
    ] {
      browser.send(piece)
    }
    #expect(await browser.answer().hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "abc")
  }

  @Test(arguments: [
    "/signed-in?code=evil&state=wrong", "/signed-in?code=evil", "/signed-in?code=evil&state=", "/signed-in", "/",
    "/favicon.ico", "/signed-in/?code=evil&state=st4te", "//signed-in?code=evil&state=st4te",
    "/signed-in?code=evil&code=other&state=st4te", "/signed-in?state=st4te", "/signed-in?code=&state=st4te",
    "/signed-in?code=e%20vil&state=st4te", "/signed-in?code=%0a&state=st4te", "/signed-in?code=%zz&state=st4te",
    "/signed-in?code=evil&state=st4te&state=st4te", "/signed-in?error=access_denied&state=wrong",
    "/signed-on?code=evil&state=st4te", "/signed-in?code=evil&state=st4te ",
    "http://evil.example/signed-in?code=evil&state=st4te",
  ])
  func `what does not belong to the sign-in is refused, and does not end it`(_ target: String) async throws {
    let waiting = try Waiting()
    #expect(try await waiting.ask(target).hasPrefix("HTTP/1.1 400"))
    #expect(try await waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "good")
  }

  @Test(
    arguments: [
      ("POST", nil, ""), ("HEAD", nil, ""), ("OPTIONS", nil, ""), ("GET", "evil.example", ""),
      ("GET", "localhost:1", ""), ("GET", "127.0.0.1", ""), ("GET", nil, "Host: evil.example\r\n"), ("GET", "", ""),
    ] as [(String, String?, String)])
  func `another method, or another name for this machine, is refused`(
    _ row: (method: String, host: String?, more: String)
  ) async throws {
    let waiting = try Waiting()
    let target = "/signed-in?code=evil&state=st4te"
    #expect(
      try await waiting.ask(target, method: row.method, host: row.host, more: row.more).hasPrefix("HTTP/1.1 400"))
    _ = try await waiting.ask("/signed-in?code=good&state=st4te")
    #expect(try await waiting.task.value == "good")
  }

  @Test func `connections that say nothing, or too much, are in nobody's way`() async throws {
    let waiting = try Waiting()
    let silent = try (0..<10).map { _ in try Browser(waiting.port) }
    let endless = try Browser(waiting.port)
    endless.send("GET /signed-in?" + String(repeating: "a", count: 20_000))
    #expect(await endless.answer() == "")
    #expect(try await waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "good")
    withExtendedLifetime(silent) {}
  }

  @Test func `when as many connections are served as may be, the next waits at the door until one goes`() async throws {
    let time = TurnedTime()
    let waiting = try Waiting(LoopbackListener(mostVisitors: 2, patience: .seconds(10), now: time.look))
    let first = try Browser(waiting.port)
    let second = try Browser(waiting.port)
    let third = try Browser(waiting.port)
    third.send("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(waiting.port)\r\n\r\n")
    // Were it served, it would be answered by now.
    await time.turn(8)
    #expect(third.hears == .nothing)
    second.send("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(waiting.port)\r\n\r\n")
    #expect(await second.answer().hasPrefix("HTTP/1.1 400"))
    #expect(await third.answer().hasPrefix("HTTP/1.1 400"))
    #expect(first.hears == .nothing)
    #expect(try await waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "good")
  }

  @Test func `a connection that says nothing for so long is ended`() async throws {
    let time = TurnedTime()
    let waiting = try Waiting(LoopbackListener(mostVisitors: 2, patience: .seconds(10), now: time.look))
    let silent = try Browser(waiting.port)
    await time.turn(4)
    time.pass(.milliseconds(9999))
    await time.turn(4)
    #expect(silent.hears == .nothing)
    time.pass(.milliseconds(1))
    await time.turn(4)
    #expect(silent.hears == .end)
    #expect(try await waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "good")
  }

  @Test func `a member who says no is answered, and the command ends`() async throws {
    let waiting = try Waiting()
    let page = try await waiting.ask("/signed-in?error=access_denied&error_description=The+user+said+no.&state=st4te")
    #expect(page.contains("You are not signed in"))
    let error = await #expect(throws: StoreError.self) { try await waiting.task.value }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.hasSuffix(" did not allow byteclub: The user said no.") == true)
  }

  @Test func `the first code counts, and nobody can bring a second`() async throws {
    let waiting = try Waiting()
    let late = try Browser(waiting.port)
    _ = try await waiting.ask("/signed-in?code=first&state=st4te")
    #expect(try await waiting.task.value == "first")
    late.send("GET /signed-in?code=second&state=st4te HTTP/1.1\r\nHost: 127.0.0.1:\(waiting.port)\r\n\r\n")
    #expect(await late.answer() == "")
  }

  @Test func `when nobody comes, that is said, with another way, and the port is closed`() async throws {
    // at any pace: nobody comes, so the limit has to expire.
    let waiting = try Waiting(limit: .milliseconds(100))
    let error = await #expect(throws: StoreError.self) { try await waiting.task.value }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.remedy.contains("--paste") == true)
    #expect(throws: Browser.Refused.self) { try Browser(waiting.port) }
  }

  @Test func `a cancelled sign-in closes the port`() async throws {
    let waiting = try Waiting()
    waiting.task.cancel()
    let error = await #expect(throws: StoreError.self) { try await waiting.task.value }
    #expect(error?.kind == .cancelled)
    #expect(throws: Browser.Refused.self) { try Browser(waiting.port) }
  }

  @Test func `only this machine's own address is listened on`() throws {
    let listener = try LoopbackListener()
    let port = try #require(UInt16(listener.address.split { ":/".contains($0) }[2]))
    // Another address of the loopback network: a socket on all addresses would take it.
    #expect(throws: Browser.Refused.self) { try Browser(port, address: 0x7F00_0002) }
    _ = try Browser(port)
    listener.stop()
    #expect(throws: Browser.Refused.self) { try Browser(port) }
  }
}

/// A listener's time, which a test moves, and which knows how often the listener has looked at it: once each time round.
private final class TurnedTime: Sendable {
  private struct State {
    var now = ContinuousClock.now
    var turns = 0
    var waiters: [(turn: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var look: @Sendable () -> ContinuousClock.Instant {
    { [self] in
      state.withLock { state in
        state.turns += 1
        for waiter in state.waiters where waiter.turn <= state.turns { waiter.continuation.resume() }
        state.waiters.removeAll { $0.turn <= state.turns }
        return state.now
      }
    }
  }

  func pass(_ time: Duration) { state.withLock { $0.now += time } }

  /// Waits until the listener has gone round so often from now on.
  func turn(_ times: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append(($0.turns + times, continuation)) }
    }
  }
}
