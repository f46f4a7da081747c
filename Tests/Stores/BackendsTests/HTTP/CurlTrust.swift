import Backends
import FileStores
import POSIX
import TestKit
import Testing

@Suite("libcurl: whom it trusts", .timeLimit(.minutes(5)))
struct CurlTrust {
  @Test func `A server whose certificate our own authority signed is trusted, and the body arrives`() async throws {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: "club")
      for kind in [HTTPRequest.Kind.call, .content] {
        try await shop.serve("server") { url in
          let net = transport(url) { $0.caFile = shop.path("club.pem") }
          let (response, body) = try await net.call(HTTPRequest(.get, url + "/", kind: kind))
          #expect(response.status == 200)
          #expect(String(decoding: body, as: UTF8.self).contains("s_server -4 -accept 0 -www"))
        }
      }
    }
  }

  @Test(
    arguments: [
      // The names: the server's certificate, who signed it, whom we trust, and how the sentence and the remedy begin.
      (
        "IP:127.0.0.1", 2, nil, nil, "byteclub does not trust the certificate of URL: self-signed certificate.",
        "caFile"
      ),
      (
        "IP:127.0.0.1", 2, "club", nil,
        "byteclub does not trust the certificate of URL: unable to get local issuer certificate.", "caFile"
      ),
      ("IP:127.0.0.1", 2, "club", "other", "byteclub does not trust the certificate of URL: ", "caFile"),
      ("DNS:club.example", 2, "club", "club", "The certificate of URL is for another name.", "certificate's name"),
      ("IP:127.0.0.1", -1, "club", "club", "The certificate of URL has expired.", "clock"),
    ] as [(String, Int, String?, String?, String, String)])
  func `A server that is not whom it should be is refused, with the reason and what to do`(
    address: String, days: Int, signer: String?, trusted: String?, words: String, remedy: String
  ) async throws {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.authority("other")
      try shop.certificate("server", for: address, days: days, by: signer)
      try await shop.serve("server") { url in
        let net = transport(url) { $0.caFile = trusted.map { shop.path($0 + ".pem") } }
        let error = await #expect(throws: StoreError.self) {
          try await net.call(HTTPRequest(.get, url + "/", headers: ["Authorization": "Bearer t"]))
        }
        #expect(error?.kind == .notPermitted)
        #expect(error?.message.hasPrefix(words.replacing("URL", with: url)) == true, "\(error?.message ?? "")")
        #expect(error?.remedy.contains(remedy) == true, "\(error?.remedy ?? "")")
      }
    }
  }

  @Test(arguments: [(HTTPRequest.Kind.content, true), (.call, false)])
  func `Content is asked for by HTTP/1.1 alone, and calls by HTTP/2 where the server has it`(
    kind: HTTPRequest.Kind, speaksHTTP1: Bool
  ) async throws {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: "club")
      // It would agree to HTTP/2, which it cannot speak: whoever offers that gets no answer.
      try await shop.serve("server", protocols: "h2,http/1.1") { url in
        let net = transport(url) { $0.caFile = shop.path("club.pem") }
        // Only the answer that does not come is given up soon.
        // at any pace: the answer never comes, so the limit has to expire.
        let timeouts = speaksHTTP1 ? nil : HTTPTimeouts(idle: .seconds(2))
        let status = try? await net.call(HTTPRequest(.get, url + "/", kind: kind, timeouts: timeouts)).0.status
        #expect(status == (speaksHTTP1 ? 200 : nil))
      }
    }
  }

  @Test func `A file of certificates that cannot be read is named as the cause`() async throws {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: "club")
      try await shop.serve("server") { url in
        let net = transport(url) { $0.caFile = shop.path("nothing.pem") }
        let error = await #expect(throws: StoreError.self) { try await net.call(HTTPRequest(.get, url)) }
        #expect(error?.kind == .badInput)
        #expect(error?.remedy.contains("\"caFile\" in the config") == true, "\(error?.description ?? "")")
      }
    }
  }

  @Test func `A server without TLS is refused where TLS is expected`() async throws {
    try await withServer({ connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      connection.waitUntilClosed()
    }) { server in
      let url = "https://127.0.0.1:\(server.port)"
      let error = await #expect(throws: StoreError.self) { try await transport(url).call(HTTPRequest(.get, url)) }
      #expect(error?.kind == .badInput)
      #expect(error?.message == "\(url) did not set up an encrypted connection.")
      #expect(error?.remedy == "Check that the server uses encryption (https) on this port.")
    }
  }

  @Test func `A proxy is asked for a tunnel, and sees neither the sign-in nor our own fields`() async throws {
    let seen = Notes<RawRequest>()
    for (status, words) in [(407, "(status 407)"), (502, "(status 502)")] {
      try await withAnswers({ request in
        seen.add(request)
        return RawAnswer(status, closes: true)
      }) { proxy in
        let net = transport("https://club.example") { options in
          options.proxies = HTTPProxies(encrypted: proxy.url)
          options.headers = ["X-Club": "ours"]
        }
        let error = await #expect(throws: StoreError.self) {
          try await net.call(HTTPRequest(.get, "https://club.example/x?q", headers: ["Authorization": "Bearer t"]))
        }
        #expect(error?.kind == .offline)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.remedy.contains("HTTPS_PROXY") == true)
      }
    }
    #expect(seen.all.map(\.method) == ["CONNECT", "CONNECT"])
    #expect(seen.all.map(\.target) == ["club.example:443", "club.example:443"])
    for request in seen.all {
      #expect(request.headers["Authorization"] == nil)
      #expect(request.headers["X-Club"] == nil)
    }
  }

  @Test func `Through a proxy a tunnel carries TLS to the very server`() async throws {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.certificate("server", for: "DNS:club.example", days: 2, by: "club")
      try await shop.serve("server") { url in
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        try await withServer({ connection in
          guard connection.head()?.target == "club.example:443" else { return }
          connection.send("HTTP/1.1 200 Connection established\r\n\r\n")
          connection.relay(to: port)
        }) { proxy in
          let net = transport("https://club.example") { options in
            options.caFile = shop.path("club.pem")
            options.proxies = HTTPProxies(encrypted: proxy.url)
          }
          let (response, _) = try await net.call(HTTPRequest(.get, "https://club.example/", kind: .content))
          #expect(response.status == 200)
          #expect(response.headers["Content-type"] == "text/html")
        }
      }
    }
  }

  @Test func `This machine itself is never reached through a proxy, and no_proxy is kept`() async throws {
    let seen = Notes<RawRequest>()
    try await withAnswers({ request in
      seen.add(request)
      return RawAnswer(200, body: Array("from the proxy".utf8))
    }) { proxy in
      try await withAnswers({ _ in RawAnswer(200, body: Array("direct".utf8)) }) { server in
        let nowhere = String(repeating: "a", count: 64) + ".example"
        let net = transport(server.url, "http://club.example") { options in
          options.proxies = HTTPProxies(encrypted: proxy.url, plain: proxy.url, except: nowhere)
          options.allowPlainHTTP = true
        }
        let (_, direct) = try await net.call(HTTPRequest(.get, server.url))
        #expect(String(decoding: direct, as: UTF8.self) == "direct")
        #expect(seen.all.isEmpty)
        let (_, other) = try await net.call(HTTPRequest(.get, "http://club.example/x"))
        #expect(String(decoding: other, as: UTF8.self) == "from the proxy")
        #expect(seen.all.map(\.target) == ["http://club.example/x"])
        let error = await #expect(throws: StoreError.self) {
          try await net.call(HTTPRequest(.get, "http://\(nowhere)/"))
        }
        #expect(error?.message == "DNS does not know the name \"\(nowhere)\".")
        #expect(seen.all.count == 1)
      }
    }
  }

  @Test func `A proxy from the environment that the options do not name is not used`() async throws {
    try await withAnswers({ _ in RawAnswer(200) }) { proxy in
      for name in ["https_proxy", "http_proxy", "ALL_PROXY"] { setenv(name, proxy.url, 1) }
      defer { for name in ["https_proxy", "http_proxy", "ALL_PROXY"] { unsetenv(name) } }
      let name = String(repeating: "a", count: 64) + ".example"
      let error = await #expect(throws: StoreError.self) {
        try await transport("https://" + name).call(HTTPRequest(.get, "https://\(name)/"))
      }
      #expect(error?.message.contains("DNS does not know") == true)
      #expect(proxy.connections == 0)
      #expect(HTTPProxies.fromEnvironment().encrypted == proxy.url)
    }
  }
}
