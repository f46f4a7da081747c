import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

@Suite("libcurl: what goes wrong", .timeLimit(.minutes(5)))
struct CurlFaults {
  private func failure(
    _ answer: String, reset: Bool = false, _ request: (String) -> HTTPRequest = { HTTPRequest(.get, $0) }
  ) async throws -> StoreError? {
    try await withServer({ connection in
      _ = connection.head()
      connection.send(answer)
      if reset { connection.reset() }
    }) { server in
      await #expect(throws: StoreError.self) { try await transport(server.url).call(request(server.url)) }
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.", "during its answer"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "during its answer"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", "during its answer"),
    ("HTTP/1.1 200 OK\r\nContent-Le", "before it answered"), ("", "before it answered"),
  ])
  func `An answer that is cut is an error that says where`(answer: String, moment: String) async throws {
    for reset in [false, true] {
      let error = try await failure(answer, reset: reset)
      #expect(error?.kind == .offline)
      // A reset can overtake bytes that were sent before it.
      if !reset { #expect(error?.message.contains("was cut \(moment)") == true, "\(error?.message ?? "")") }
      let hint = " If the server uses encryption, write https:// instead of http:// in the config."
      #expect(error?.remedy == "Try again." || answer.isEmpty && error?.remedy == "Try again." + hint)
      if answer.isEmpty, !reset { #expect(error?.remedy.hasSuffix(hint) == true) }
    }
  }

  // libcurl repeats them in its words.
  @Test(arguments: ["http://me:pa/ss@127.0.0.1:1", "gopher://me:pass@127.0.0.1:1", "http://me:pa#ss@127.0.0.1:1"])
  func `The address of an unusable proxy, which may hold a password, is not shown`(proxy: String) async throws {
    let url = "https://club.invalid"
    let options = HTTPOptions(
      origins: [try #require(HTTPOrigin(url))], proxies: HTTPProxies(encrypted: proxy))
    let error = await #expect(throws: StoreError.self) {
      try await CurlTransport(options: options).call(HTTPRequest(.get, url))
    }
    #expect(
      error?.kind == .offline && error?.remedy == "Check the variable HTTPS_PROXY.", "\(String(describing: error))")
    #expect(error?.message.contains("me:") == false)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "\u{1}\u{2}\u{3}", "HTTP/7.7 200 OK\r\n\r\n",
  ])
  func `What is no web server is called so`(answer: String) async throws {
    let error = try await failure(answer)
    #expect(error?.kind == .server)
    #expect(error?.message.contains("does not speak HTTP") == true, "\(error?.message ?? "")")
  }

  @Test func `A header without an end is refused`() async throws {
    let line = "X-Long: " + String(repeating: "a", count: 1000) + "\r\n"
    try await withServer({ connection in
      _ = connection.head()
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send(line) {}
    }) { server in
      let error = await #expect(throws: StoreError.self) {
        try await transport(server.url).call(HTTPRequest(.get, server.url))
      }
      #expect(error?.kind == .server)
      #expect(error?.message.contains("an endless header") == true)
    }
    let error = try await failure("HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 400_000))
    #expect(error?.kind == .server, "\(error?.message ?? "")")
  }

  @Test func `A name that cannot be found, and a port where nobody listens, are distinguished`() async throws {
    let name = String(repeating: "a", count: 64) + ".example"
    let net = transport("https://" + name)
    var error = await #expect(throws: StoreError.self) { try await net.call(HTTPRequest(.get, "https://\(name)/")) }
    #expect(error?.kind == .offline)
    #expect(error?.message == "DNS does not know the name \"\(name)\".")
    #expect(error?.remedy.contains("Check the network") == true)

    // Nobody listens there, and nobody else gets it meanwhile.
    let port = try HeldPort()
    let url = "http://127.0.0.1:\(port.number)"
    error = await #expect(throws: StoreError.self) { try await transport(url).call(HTTPRequest(.get, url)) }
    #expect(error?.kind == .offline)
    #expect(error?.message == "127.0.0.1:\(port.number) refuses connections.")
    #expect(error?.remedy == "Ask the club's owner whether the server runs.")
  }

  private typealias Case = (method: HTTPMethod, sent: [UInt8], expected: Int)

  @Test func `A kept connection that is closed under a request: reading is repeated, writing is not`() async throws {
    // One without a body is no different: what it asks for may have happened.
    for (method, sent, expected) in [(HTTPMethod.get, [], 3), (.post, [1, 2, 3], 2), (.post, [], 2)] as [Case] {
      let seen = Notes<String>()
      try await withServer({ connection in
        guard let first = connection.request() else { return }
        seen.add(first.method)
        connection.send(RawAnswer(200))
        guard connection.number == 1, let second = connection.request() else { return }
        seen.add(second.method)
      }) { server in
        let net = transport(server.url)
        let body: HTTPBody = sent.isEmpty ? .empty : .bytes(sent)
        _ = try await net.call(HTTPRequest(method, server.url, body: body))
        if method == .get {
          let (response, _) = try await net.call(HTTPRequest(method, server.url))
          #expect(response.status == 200)
        } else {
          let error = await #expect(throws: StoreError.self) {
            try await net.call(HTTPRequest(method, server.url, body: body))
          }
          #expect(error?.kind == .offline)
          #expect(error?.message.contains("was cut before it answered") == true)
        }
        #expect(seen.all == [String](repeating: method.word, count: expected))
      }
    }
  }

  @Test func `A source is opened anew when a request that may be repeated is`() async throws {
    let bytes = pattern(400_000)
    let seen = Notes<[UInt8]>()
    try await withServer({ connection in
      guard let first = connection.request() else { return }
      seen.add(first.body)
      connection.send(RawAnswer(200))
      guard connection.number == 1, let head = connection.head() else { return }
      _ = connection.bytes(Int(head.headers["Content-Length"] ?? "") ?? 0)
    }) { server in
      let net = transport(server.url)
      var request = HTTPRequest(
        .put, server.url, body: .source(DataSource(bytes, chunkSize: 9999), from: 5, length: 399_990), kind: .content)
      request.isRepeatable = true
      for _ in 0..<2 { _ = try await net.call(request) }
      #expect(seen.all == [Array(bytes[5..<399_995]), Array(bytes[5..<399_995])])
    }
  }

  @Test(arguments: [
    ("http://club.example/", "is not encrypted"), ("http://192.168.1.7:8080/", "is not encrypted"),
    ("ftp://club.example/", "is not an address"), ("https://me:word@club.example/", "is not an address"),
    ("https://club.example/a\r\nX: y", "is not an address"), ("/2/files", "is not an address"),
  ])
  func `An address that must not be asked is refused before anything is sent`(url: String, words: String) async throws {
    let error = await #expect(throws: StoreError.self) {
      try await transport("https://club.example").call(HTTPRequest(.get, url))
    }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(words) == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(arguments: ["Authorization", "cookie", "PROXY-AUTHORIZATION"])
  func `A credential goes to the service's own origin and to no other`(field: String) async throws {
    let seen = Notes<RawRequest>()
    try await withAnswers({ request in
      seen.add(request)
      return RawAnswer(200)
    }) { server in
      let net = transport("http://127.0.0.1:1", "https://127.0.0.1:\(server.port)") { $0.headers = ["X-Club": "ours"] }
      let error = await #expect(throws: StoreError.self) {
        try await net.call(HTTPRequest(.get, server.url, headers: [field: "secret"]))
      }
      #expect(error?.kind == .badInput)
      #expect(error?.description.contains("secret") == false)
      #expect(seen.all.isEmpty)
      // Without one it may be asked, and the fields from the config stay at home.
      _ = try await net.call(HTTPRequest(.get, server.url))
      #expect(seen.all.map { $0.headers["X-Club"] } == [nil])
    }
  }

  @Test(arguments: [("libnothing.so.9", "this machine lacks it"), ("libc.so.6", "does not work")])
  func `Without libcurl a request says what to install`(library: String, words: String) async throws {
    let net = CurlTransport(options: HTTPOptions(origins: []), library: library)
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) { try await net.call(HTTPRequest(.get, "https://h/")) }
      #expect(error?.kind == .unsupported)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(error?.remedy.contains("apt-get install libcurl4") == true)
    }
  }

  @Test func `The network's thread gets none of the program's signals`() async throws {
    let blocked = Notes<Int32>()
    try await withAnswers({ _ in RawAnswer(200) }) { server in
      _ = try await transport(server.url).exchange(
        HTTPRequest(.post, server.url, body: .bytes([1, 2, 3])),
        sent: { _ in
          var mask = sigset_t()
          pthread_sigmask(SIG_BLOCK, nil, &mask)
          for signal in [SIGPIPE, SIGINT, SIGWINCH, SIGALRM] { blocked.add(sigismember(&mask, signal)) }
        }, { (_, _) throws(StoreError) in })
    }
    #expect(Set(blocked.all) == [1])
  }
}
