import FileStores
import Glibc
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

    init(limit: Duration = .seconds(60)) throws {
      let listener = try LoopbackListener()
      let account = try Account(club: "lab", service: AccountService(server: "https://club.example"), appKey: nil)
      let signIn = SignIn(account, redirect: listener.address, state: "st4te", proof: ProofKey())
      self.listener = listener
      self.signIn = signIn
      port = try #require(UInt16(listener.address.split { ":/".contains($0) }[2]))
      task = Task { try await listener.code(for: signIn, within: limit, on: BlockingPool(threads: 1)) }
    }

    func ask(_ target: String, method: String = "GET", host: String? = nil, more: String = "") throws -> String {
      let browser = try Browser(port)
      browser.send("\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(more)\r\n")
      return browser.answer()
    }
  }

  /// One connection.
  private final class Browser {
    struct Refused: Error {}
    private let socket: Int32

    init(_ port: UInt16, address: UInt32 = 0x7F00_0001) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
      _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func answer() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(socket, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }
  }

  @Test func `the browser brings the code, and is told to go back to the terminal`() async throws {
    let waiting = try Waiting()
    #expect(waiting.listener.address == "http://127.0.0.1:\(waiting.port)/signed-in")
    let page = try waiting.ask("/signed-in?code=the%2Bcode&state=st4te", more: "User-Agent: Mozilla/5.0\r\n")
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
    #expect(browser.answer().hasPrefix("HTTP/1.1 200"))
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
    #expect(try waiting.ask(target).hasPrefix("HTTP/1.1 400"))
    #expect(try waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
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
      try waiting.ask(target, method: row.method, host: row.host, more: row.more).hasPrefix("HTTP/1.1 400"))
    _ = try waiting.ask("/signed-in?code=good&state=st4te")
    #expect(try await waiting.task.value == "good")
  }

  @Test func `connections that say nothing, or too much, are in nobody's way`() async throws {
    let waiting = try Waiting()
    let silent = try (0..<10).map { _ in try Browser(waiting.port) }
    let start = ContinuousClock.now
    let endless = try Browser(waiting.port)
    endless.send("GET /signed-in?" + String(repeating: "a", count: 20_000))
    #expect(endless.answer() == "")
    // At once, not when its time is over.
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(try waiting.ask("/signed-in?code=good&state=st4te").hasPrefix("HTTP/1.1 200"))
    #expect(try await waiting.task.value == "good")
    withExtendedLifetime(silent) {}
  }

  @Test func `a member who says no is answered, and the command ends`() async throws {
    let waiting = try Waiting()
    let page = try waiting.ask("/signed-in?error=access_denied&error_description=The+user+said+no&state=st4te")
    #expect(page.contains("You are not signed in"))
    let error = await #expect(throws: StoreError.self) { try await waiting.task.value }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.contains("The user said no") == true)
  }

  @Test func `the first code counts, and nobody can bring a second`() async throws {
    let waiting = try Waiting()
    let late = try Browser(waiting.port)
    _ = try waiting.ask("/signed-in?code=first&state=st4te")
    #expect(try await waiting.task.value == "first")
    late.send("GET /signed-in?code=second&state=st4te HTTP/1.1\r\nHost: 127.0.0.1:\(waiting.port)\r\n\r\n")
    #expect(late.answer() == "")
  }

  @Test func `when nobody comes, that is said, with another way, and the port is closed`() async throws {
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
