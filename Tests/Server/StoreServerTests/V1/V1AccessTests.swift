import Backends
import Basics
import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct V1AccessTests {
  private func keys(_ server: TestServer) throws -> OAuth1Tokens.Keys {
    try OAuth1Tokens(server.members).issue(
      to: server.members.members()[0], app: AppKeys(server.members).make().key)
  }

  private func signer(
    _ keys: OAuth1Tokens.Keys, secret: String? = nil, at second: Int64? = nil, nonce: String = FreshID.word(12)
  ) -> OAuth1Signer {
    OAuth1Signer(
      OAuth1Keys(
        consumerKey: keys.consumerKey, consumerSecret: keys.consumerSecret, token: keys.token,
        tokenSecret: secret ?? keys.tokenSecret),
      .hmacSHA1, now: { second ?? ServerOptions.now() }, nonce: { nonce })
  }

  private func plaintext(_ keys: OAuth1Tokens.Keys) -> [(String, String)] {
    [
      ("oauth_consumer_key", keys.consumerKey), ("oauth_token", keys.token), ("oauth_signature_method", "PLAINTEXT"),
      ("oauth_version", "1.0"), ("oauth_signature", keys.consumerSecret + "&" + keys.tokenSecret),
    ]
  }

  @Test("A call is signed in the query, in the form or in the header, with or without escapes")
  func places() async throws {
    try await withServer { server in
      let keys = try keys(server)
      let own = plaintext(keys)
      #expect(try await server.v1Bare("GET", "account/info", own).status == 200)
      #expect(try await server.v1Bare("POST", "account/info", own).status == 200)
      #expect(try await server.v1Bare("PUT", "files_put/auto/a", own, body: [1]).status == 200)
      for isEscaped in [true, false] {
        let field = own.map { name, value in "\(name)=\"\(isEscaped ? PercentEncoding.encoded(value) : value)\"" }
        let header = [("Authorization", "OAuth " + field.joined(separator: ", "))]
        #expect(try await server.v1Bare("GET", "metadata/auto/a", headers: header).status == 200)
      }
      #expect(try await server.v1Bare("GET", "account/info", [("access_token", server.token)]).status == 200)
      #expect(try await server.v1Bare("POST", "account/info", [("access_token", server.token)]).status == 200)
    }
  }

  @Test("A wrong signature is 403, an unknown token 401, and neither does anything")
  func wrong() async throws {
    try await withServer { server in
      let keys = try keys(server)
      for (name, value, status) in [
        ("oauth_signature", "x", 403), ("oauth_signature", keys.consumerSecret + "&", 403),
        ("oauth_signature_method", "RSA-SHA1", 403), ("oauth_token", "0123456789abcdef", 401), ("oauth_token", "", 401),
        ("oauth_consumer_key", "other", 403),
      ] {
        let own = plaintext(keys).map { $0.0 == name ? (name, value) : $0 }
        let reply = try await server.v1Bare("PUT", "files_put/auto/a", own, body: [1])
        #expect(reply.status == status && reply.json["error"]?.string?.isEmpty == false, "\(name): \(reply.text)")
      }
      #expect(try await server.paths() == [])
    }
  }

  @Test("A checksum signs method, address and all parameters; a request counts once, and for ten minutes")
  func checksum() async throws {
    try await withServer { server in
      let keys = try keys(server)
      let url = "http://127.0.0.1:\(server.client.port)/1/fileops/create_folder"
      let parameters = [("root", "auto"), ("path", "/a b ü+&=")]
      func call(
        _ header: String, _ parameters: [(String, String)], _ method: String = "POST"
      ) async throws -> Int {
        try await server.v1Bare(
          method, "fileops/create_folder", parameters, headers: [("Authorization", header)]
        ).status
      }
      let right = signer(keys).authorization("POST", url, parameters)
      #expect(try await call(right, parameters, "GET") == 403)
      #expect(try await call(right, [("root", "auto"), ("path", "/other")]) == 403)
      #expect(try await call(right, parameters) == 200)
      #expect(try await server.paths() == ["/a b ü+&="])
      // Gone again, so that nothing but the signature refuses.
      #expect(try await server.v1("POST", "fileops/delete", [parameters[1]]).status == 200)
      #expect(try await call(right, parameters) == 403)
      #expect(try await call(signer(keys, secret: "x").authorization("POST", url, parameters), parameters) == 403)
      for second in [ServerOptions.now() - 700, ServerOptions.now() + 700, 0, Int64.min, Int64.max] {
        let late = signer(keys, at: second).authorization("POST", url, parameters)
        #expect(try await call(late, parameters) == 403)
      }
      #expect(try await server.paths() == [])
    }
  }

  @Test("No second that a request can name ends the server")
  func extremeTimes() async throws {
    for now in [Int64(1_700_000_000), 0] {
      for second in [Int64.min, .min + now, .max, .max - now, now - 601, now + 601] {
        #expect(!OAuth1Nonces.isRecent(second, now: now), "\(second)")
      }
      for second in [now - 600, now, now + 600] { #expect(OAuth1Nonces.isRecent(second, now: now)) }
    }
    try await withServer { server in
      let keys = try keys(server)
      let url = "http://127.0.0.1:\(server.client.port)/1/account/info"
      let now = ServerOptions.now()
      for second in (now...now + 5).map({ Int64.min &+ $0 }) + [.min, .max] {
        let header = signer(keys, at: second).authorization("GET", url, [])
        #expect(try await server.v1Bare("GET", "account/info", headers: [("Authorization", header)]).status == 403)
      }
      let header = signer(keys).authorization("GET", url, [])
      #expect(try await server.v1Bare("GET", "account/info", headers: [("Authorization", header)]).status == 200)
    }
  }

  @Test("A signer with very many requests locks out nobody, and none of its requests is taken twice")
  func manyRequests() {
    let nonces = OAuth1Nonces(most: 100)
    let start: Int64 = 1_700_000_000
    #expect(nonces.note("quiet 1", from: "ben", start, now: start))
    for number in 0..<1_000 {
      let now = start + Int64(number / 10)
      #expect(nonces.note("busy \(number)", from: "ann", now, now: now))
      #expect(!nonces.note("busy \(number)", from: "ann", now, now: now))
    }
    // What is not remembered any more is refused as well.
    for number in 0..<1_000 {
      #expect(!nonces.note("busy \(number)", from: "ann", start + Int64(number / 10), now: start + 100))
    }
    #expect(!nonces.note("quiet 1", from: "ben", start, now: start + 100))
    #expect(nonces.note("quiet 2", from: "ben", start, now: start + 100))
  }

  @Test("A token that may only read cannot send a file in a form")
  func formScope() async throws {
    try await withServer { server in
      let member = try server.members.members()[0]
      let token = try AccessTokens(database: server.members).issue(to: member, scopes: ["files.content.read"])
      let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--x--\r\n"
      let reply = try await server.v1Bare(
        "POST", "files/auto", body: Array(form.utf8),
        headers: [("Authorization", "Bearer " + token), ("Content-Type", "multipart/form-data; boundary=x")])
      #expect(reply.status == 403)
      #expect(try await server.paths() == [])
    }
  }

  @Test("A signed request that waits for \"100 Continue\" is asked about twice, and counts once")
  func expectation() async throws {
    try await withServer { server in
      let address = "http://127.0.0.1:\(server.client.port)/1/files_put/auto/a"
      for (secret, status) in [(nil, 100), ("guess", 403)] as [(String?, Int)] {
        let header = signer(try keys(server), secret: secret).authorization("PUT", address, [])
        let head = """
          PUT /1/files_put/auto/a HTTP/1.1\r\nHost: 127.0.0.1:\(server.client.port)\r\nConnection: close\r
          Authorization: \(header)\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello
          """
        let reply = try await server.client.exchange(Array(head.utf8))
        #expect(reply.status == status)
        #expect(reply.text.hasPrefix("HTTP/1.1 200") == (status == 100))
      }
      #expect(contents(server.root + "/a") == "hello")
    }
  }

  @Test("The signature of RFC 5849's kind is the one that another program computed")
  func vector() {
    let base =
      "GET&https%3A%2F%2Fapi.dropbox.com%2F1%2Faccount%2Finfo&locale%3Den%26oauth_consumer_key%3Dkey%26oauth_nonce"
      + "%3D12345678%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1376176863%26oauth_token%3Dat"
      + "%26oauth_version%3D1.0"
    #expect(SignedRequest.signature(of: base, key: "secret&as") == "W+QGKYkf3z0y2zXQP0T4gQ886OU=")
  }

  @Test("A signed token ends with its member, and when it is given back")
  func ending() async throws {
    try await withServer { server in
      let (first, second) = (try keys(server), try keys(server))
      #expect(try await server.v1Bare("POST", "disable_access_token", plaintext(first)).status == 200)
      #expect(try await server.v1Bare("GET", "account/info", plaintext(first)).status == 401)
      #expect(try await server.v1Bare("GET", "account/info", plaintext(second)).status == 200)
      try MemberList(server.members).remove(server.members.members()[0].name)
      #expect(try await server.v1Bare("GET", "account/info", plaintext(second)).status == 401)
    }
  }

  @Test("A signed request gets a token of the newer kind, a bearer none")
  func exchange() async throws {
    try await withServer { server in
      let reply = try await server.v1Bare("POST", "oauth2/token_from_oauth1", plaintext(try keys(server)))
      let token = try #require(reply.json["access_token"]?.string)
      #expect(reply.json["token_type"] == "bearer")
      let header = [("Authorization", "Bearer " + token)]
      #expect(try await server.v1Bare("GET", "account/info", headers: header).status == 200)
      #expect(try await server.v1("POST", "oauth2/token_from_oauth1").status == 400)
    }
  }

  @Test("A signature's secrets are nowhere in the server's data")
  func secrets() async throws {
    try await withServer { server in
      let keys = try keys(server)
      #expect(try await server.v1Bare("GET", "account/info", plaintext(keys)).status == 200)
      for file in everything(below: server.data) {
        let text = contents(server.data + "/" + file) ?? ""
        #expect(!text.contains(keys.tokenSecret) && !text.contains(keys.consumerSecret), "\(file)")
      }
    }
  }

  @Test("What is no call of this version is 404 in its words; a method that is none of its is 405")
  func unknown() async throws {
    try await withServer { server in
      let reply = try await server.v1("GET", "team/log")
      #expect(reply.status == 404 && reply.json["error"]?.string?.isEmpty == false)
      #expect(try await server.v1("DELETE", "metadata/auto/a").status == 405)
      #expect(try await server.v1("GET", "files_put/auto/a").status == 405)
      #expect(try await server.v1("GET", "metadata/elsewhere/a").status == 400)
    }
  }
}
