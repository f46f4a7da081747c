import Backends
import Database
import FileStores
import HTTPTypes
import JSON
import TestKit
import Testing

@testable import StoreServer

/// A proxy in front of the server says for whom it asks, and nobody else does.
@Suite(.serialized) struct ProxyTests {
  private func client(
    _ fields: [(String, String)], peer: String, behind proxies: [String], isSecure: Bool = false
  ) throws -> String {
    var head = HTTPRequest(method: .get, scheme: nil, authority: "club.example", path: "/")
    for (name, value) in fields {
      head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    let found = try TrustedProxies(proxies).client(of: head, peer: peer, isSecure: isSecure)
    return (found.isSecure ? "https " : "http ") + found.peer
  }

  @Test(
    "The last address that is not a proxy's counts, and only if a proxy said it",
    arguments: [
      ("203.0.113.7", "127.0.0.1", ["127.0.0.1"], "203.0.113.7"),
      ("203.0.113.7", "127.0.0.1", [], "127.0.0.1"),
      ("203.0.113.7", "198.51.100.1", ["127.0.0.1"], "198.51.100.1"),
      ("203.0.113.7", "local", ["unix"], "203.0.113.7"), ("203.0.113.7", "local", ["127.0.0.1"], "local"),
      // The client made up the first one.
      ("10.9.9.9, 203.0.113.7", "127.0.0.1", ["127.0.0.1"], "203.0.113.7"),
      ("203.0.113.7, 10.0.0.5", "10.0.0.6", ["10.0.0.0/8"], "203.0.113.7"),
      ("203.0.113.7, 10.0.0.5", "10.0.0.6", ["10.0.0.6"], "10.0.0.5"),
      ("10.0.0.4, 10.0.0.5", "10.0.0.6", ["10.0.0.0/8"], "10.0.0.4"),
      ("203.0.113.7, 172.16.31.1", "172.16.16.1", ["172.16.16.0/20"], "203.0.113.7"),
      ("203.0.113.7, 172.16.32.1", "172.16.16.1", ["172.16.16.0/20"], "172.16.32.1"),
      ("2001:db8::7", "::1", ["::1"], "2001:db8::7"), ("[2001:DB8:0::7]:443", "::1", ["::1"], "2001:db8::7"),
      ("203.0.113.7:55123", "::ffff:127.0.0.1", ["127.0.0.1"], "203.0.113.7"),
      ("2001:db8::7", "fd00::1", ["fd00::/8"], "2001:db8::7"),
      // Nonsense ends the search at the last address that was one.
      ("203.0.113.7, unknown", "127.0.0.1", ["127.0.0.1"], "127.0.0.1"), ("", "127.0.0.1", ["127.0.0.1"], "127.0.0.1"),
      ("\"><script>", "127.0.0.1", ["127.0.0.1"], "127.0.0.1"),
      (String(repeating: "1", count: 5000), "127.0.0.1", ["127.0.0.1"], "127.0.0.1"),
    ])
  func addresses(forwarded: String, peer: String, proxies: [String], expected: String) throws {
    #expect(try client([("X-Forwarded-For", forwarded)], peer: peer, behind: proxies) == "http " + expected)
  }

  @Test(
    "The scheme is the one that the nearest proxy names",
    arguments: [
      (["https"], "127.0.0.1", "https"), (["HTTPS"], "127.0.0.1", "https"), (["http"], "127.0.0.1", "http"),
      (["https, http"], "127.0.0.1", "http"), (["http", "https"], "127.0.0.1", "https"), ([], "127.0.0.1", "http"),
      (["https"], "203.0.113.7", "http"),
    ])
  func schemes(values: [String], peer: String, expected: String) throws {
    let found = try client(values.map { ("X-Forwarded-Proto", $0) }, peer: peer, behind: ["127.0.0.1"])
    #expect(found == "\(expected) \(peer)")
    #expect(try client([("X-Forwarded-Proto", "http")], peer: peer, behind: [], isSecure: true) == "https \(peer)")
  }

  @Test(
    "Anything but an address or a network is refused",
    arguments: ["proxy.example", "", "/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "1.2.3", "1.2.3.4/8/8"])
  func wrong(text: String) {
    let error = #expect(throws: StoreError.self) { try TrustedProxies([text]) }
    #expect(error?.kind == .badInput)
  }

  private static let forwarded = [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "203.0.113.7")]

  /// A request as a proxy passes it on, under the name that the client used.
  private func ask(
    _ server: TestServer, _ method: String, _ path: String, _ headers: [(String, String)]
  ) async throws -> Reply {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\nContent-Length: 0\r\n"
    for (name, value) in headers + ProxyTests.forwarded { text += "\(name): \(value)\r\n" }
    return try await server.client.exchange(Array((text + "\r\n").utf8))
  }

  @Test(
    "Behind a proxy with TLS, links lead to https and signatures of its address are right; elsewhere they are not",
    arguments: [true, false])
  func throughProxy(isBehind: Bool) async throws {
    let proxies = isBehind ? try TrustedProxies(["127.0.0.1"]) : .none
    try await withServer(tune: { $0.proxies = proxies }) { server in
      try await server.upload("/a", "text")
      let media = try await ask(
        server, "POST", "/1/media/auto/a", [("Authorization", "Bearer " + server.token)])
      #expect(media.json["url"]?.string?.hasPrefix(isBehind ? "https://club.example/" : "http://club.example/") == true)
      let keys = try OAuth1Tokens(server.members).issue(
        to: server.members.members()[0], app: AppKeys(server.members).make().key)
      let signer = OAuth1Signer(
        OAuth1Keys(
          consumerKey: keys.consumerKey, consumerSecret: keys.consumerSecret, token: keys.token,
          tokenSecret: keys.tokenSecret), .hmacSHA1, now: { ServerOptions.now() },
        nonce: { FreshID.word(12) })
      let header = signer.authorization("GET", "https://club.example/1/account/info", [])
      let info = try await ask(server, "GET", "/1/account/info", [("Authorization", header)])
      #expect(info.status == (isBehind ? 200 : 403))
    }
  }

  @Test("Wrong tokens count for the client behind the proxy, and the log has its address")
  func failures() async throws {
    let lines = KeptLog()
    try await withTemporaryFolder { folder in
      let proxies = try TrustedProxies(["127.0.0.1"])
      try await withServer(
        in: folder,
        tune: { options in
          options.proxies = proxies
          options.failuresPerMinute = 2
        }, handler: lines.handler
      ) { server in
        let wrong = [("Authorization", "Bearer bc.wrong.wrong")]
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await ask(server, "POST", "/2/check/user", wrong).status) }
        #expect(statuses == [401, 401, 429, 429])
        // Another client of the same proxy.
        #expect(try await server.client.request("POST", "/2/check/user", wrong).status == 401)
      }
    }
    #expect(lines.all.contains { $0.contains("203.0.113.7 - POST /2/check/user 429") })
  }
}
