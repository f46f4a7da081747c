import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

@Suite("libcurl: a server that is known by its key", .timeLimit(.minutes(5)))
struct CurlPins {
  private static let kinds: [HTTPRequest.Kind] = [.call, .content, .longPoll]

  private func secret(_ url: String, _ kind: HTTPRequest.Kind) -> HTTPRequest {
    HTTPRequest(.get, url + "/secret", headers: ["Authorization": "Bearer t"], kind: kind)
  }

  @Test(arguments: [("IP:127.0.0.1", 2), ("IP:127.0.0.1", -1), ("DNS:other.example", 2)])
  func `The right key is enough, whatever its certificate says`(address: String, days: Int) async throws {
    try await withWorkshop { shop in
      try shop.certificate("server", for: address, days: days, by: nil)
      try shop.certificate("old", for: address, days: days, by: nil)
      let pins = [try shop.pin("old"), try shop.pin("server")]
      for kind in CurlPins.kinds {
        try await shop.serve("server") { url in
          let net = transport(url) { $0.pins = pins }
          let (response, _) = try await net.call(HTTPRequest(.get, url + "/", kind: kind))
          #expect(response.status == 200)
        }
      }
    }
  }

  @Test(arguments: kinds)
  func `A server with another key hears nothing, though an authority vouches for it`(kind: HTTPRequest.Kind)
    async throws
  {
    try await withWorkshop { shop in
      try shop.authority("club")
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: "club")
      try shop.certificate("right", for: "IP:127.0.0.1", days: 2, by: nil)
      let pin = try shop.pin("right")
      let heard = try await shop.listen("server") { url, _ in
        let net = transport(url) { options in
          options.pins = [pin]
          options.caFile = shop.path("club.pem")
        }
        let error = await #expect(throws: StoreError.self) { try await net.call(secret(url, kind)) }
        #expect(error?.kind == .notPermitted)
        #expect(error?.isTemporary == false)
        #expect(
          error?.message
            == "The server at \(url) has another key than the club's invitation says. Nothing was sent to it.")
        #expect(error?.remedy.contains("new line") == true)
      }
      #expect(!heard.contains("GET") && !heard.contains("Bearer"), "\(heard)")
    }
  }

  @Test func `A server with the right key hears the request`() async throws {
    try await withWorkshop { shop in
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: nil)
      let pin = try shop.pin("server")
      let heard = try await shop.listen("server") { url, server in
        let net = transport(url) { $0.pins = [pin] }
        let request = secret(url, .call)
        let asking = Task { _ = try await net.call(request) }
        try server.wait(forNotice: "Bearer t")
        asking.cancel()
        await #expect(throws: StoreError.self) { try await asking.value }
      }
      #expect(heard.contains("GET /secret"))
    }
  }

  @Test(arguments: [true, false])
  func `Through a proxy the server's key decides, too`(isRight: Bool) async throws {
    try await withWorkshop { shop in
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: nil)
      try shop.certificate("other", for: "DNS:club.example", days: 2, by: nil)
      let pin = try shop.pin(isRight ? "server" : "other")
      let heard = try await shop.listen("server") { url, server in
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        try await withServer({ connection in
          guard connection.head()?.target == "club.example:443" else { return }
          connection.send("HTTP/1.1 200 Connection established\r\n\r\n")
          connection.relay(to: port)
        }) { proxy in
          let net = transport("https://club.example") { options in
            options.pins = [pin]
            options.proxies = HTTPProxies(encrypted: proxy.url)
          }
          let request = secret("https://club.example", .content)
          let asking = Task { _ = try await net.call(request) }
          if isRight {
            try server.wait(forNotice: "Bearer t")
            asking.cancel()
          }
          let error = await #expect(throws: StoreError.self) { try await asking.value }
          #expect(error?.kind == (isRight ? .cancelled : .notPermitted))
        }
      }
      #expect(heard.contains("Bearer t") == isRight)
      #expect(heard.contains("GET") == isRight)
    }
  }

  @Test func `Where libcurl does not take the pin, no connection is made`() async throws {
    let pin = KeyPin(publicKey: [])
    try await withServer({ $0.waitUntilClosed() }) { server in
      let url = "https://127.0.0.1:\(server.port)"
      // More than the 8,000,000 bytes that libcurl takes as a text (CURL_MAX_INPUT_LENGTH).
      let net = transport(url) { $0.pins = Array(repeating: pin, count: 160_000) }
      let error = await #expect(throws: StoreError.self) { try await net.call(secret(url, .call)) }
      #expect(error?.kind == .unsupported)
      #expect(error?.message.contains("did not take the pin") == true, "\(error?.message ?? "")")
      #expect(server.connections == 0)
    }
  }

  @Test func `The pin says nothing about another server: that needs an authority, and gets no sign-in`() async throws {
    try await withWorkshop { shop in
      try shop.certificate("server", for: "IP:127.0.0.1", days: 2, by: nil)
      let pin = try shop.pin("server")
      let heard = try await shop.listen("server") { url, _ in
        let net = transport("https://club.example") { $0.pins = [pin] }
        let refused = await #expect(throws: StoreError.self) { try await net.call(secret(url, .call)) }
        #expect(refused?.kind == .badInput)
        let error = await #expect(throws: StoreError.self) { try await net.call(HTTPRequest(.get, url + "/else")) }
        #expect(error?.message.hasPrefix("byteclub does not trust the certificate of \(url)") == true)
      }
      #expect(!heard.contains("GET"))
    }
  }
}
