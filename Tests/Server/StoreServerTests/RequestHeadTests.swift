import Testing

@testable import StoreServer

/// The first lines of a request: what no server may take, and what this one cannot read.
@Suite(.serialized) struct RequestHeadTests {
  @Test("A request without a host, with two, or in a form that is not read is refused")
  func refused() async throws {
    try await withServer { server in
      let known = "Authorization: Bearer \(server.token)\r\nContent-Type: application/json\r\nConnection: close\r\n"
      func status(_ fields: String, _ body: String = "Content-Length: 4\r\n\r\nnull") async throws -> Int {
        try await server.client.exchange(
          Array("POST /2/users/get_space_usage HTTP/1.1\r\n\(known)\(fields)\(body)".utf8)
        ).status
      }
      let good = try await status("Host: a\r\n")
      #expect(good == 200)
      #expect(try await status("") == 400)
      #expect(try await status("Host: a\r\nHost: b\r\n") == 400)
      let chunks = "\r\n4\r\nnull\r\n0\r\n\r\n"
      #expect(try await status("Host: a\r\nTransfer-Encoding: chunked\r\n", chunks) == 200)
      for form in ["gzip, chunked", "gzip", "identity"] {
        #expect([400, 501].contains(try await status("Host: a\r\nTransfer-Encoding: \(form)\r\n", chunks)), "\(form)")
      }
    }
  }

  @Test("Who shows no credentials is not told to send a file to version 1")
  func expectation() async throws {
    try await withServer { server in
      func head(_ type: String, _ bytes: Int) -> String {
        "POST /1/files_put/auto/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n"
          + "Content-Type: \(type)\r\nContent-Length: \(bytes)\r\n\r\n"
      }
      for (type, bytes, mayGoOn) in [
        ("application/octet-stream", 5, false), ("application/x-www-form-urlencoded", 1 << 30, false),
        ("application/x-www-form-urlencoded", 5, true),
      ] {
        let reply = try await server.client.exchange(
          Array((head(type, bytes) + (mayGoOn ? "a=b&c" : "")).utf8), closing: true)
        #expect((reply.status == 100) == mayGoOn, "\(type): \(reply.status)")
      }
    }
  }
}
