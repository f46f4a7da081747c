import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Bodies in chunks (RFC 9112, section 7.1) by every way to write: a file has the whole body, or the request is refused.
@Suite(.serialized) struct ChunkedBodyTests {
  enum Way: CaseIterable {
    case upload, session, filesPut, chunkedUpload

    var target: String {
      switch self {
      case .upload: "POST /2/files/upload"
      case .session: "POST /2/files/upload_session/append_v2"
      case .filesPut: "PUT /1/files_put/auto/a.md"
      case .chunkedUpload: "PUT /1/chunked_upload"
      }
    }
  }

  /// What a chunked body is; `bytes` is nil where it is refused.
  struct Form: Sendable {
    let body: String
    var bytes: String? = "hello"
    var coding = "Transfer-Encoding: chunked"
  }

  private static let plain = "5\r\nhello\r\n0\r\n\r\n"

  private static let whole = [
    Form(body: plain), Form(body: "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"), Form(body: "0005\r\nhello\r\n000\r\n\r\n"),
    Form(body: "A\r\n0123456789\r\n0\r\n\r\n", bytes: "0123456789"),
    Form(body: "a\r\n0123456789\r\n0\r\n\r\n", bytes: "0123456789"), Form(body: "0\r\n\r\n", bytes: ""),
    Form(body: "7\r\na\r\nb\r\nc\r\n0\r\n\r\n", bytes: "a\r\nb\r\nc"),
    // Extensions, with quoted values that look like the end of a line's parts.
    Form(body: "5;x=y;z\r\nhello\r\n0;last\r\n\r\n"), Form(body: "5;x=\"a;b\\\"c\"\r\nhello\r\n0\r\n\r\n"),
    Form(body: "5;\(String(repeating: "x", count: 100_000))\r\nhello\r\n0\r\n\r\n"),
    Form(body: "5\r\nhello\r\n0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n"),
    // A trailer changes nothing of the request.
    Form(body: "5\r\nhello\r\n0\r\nAuthorization: Bearer x\r\nDropbox-API-Arg: {\"path\":\"/b.md\"}\r\n\r\n"),
    Form(body: plain, coding: "transfer-encoding:\tChunked"),
  ]

  private static let unsound = [
    // Ends too early.
    "5\r\nhello\r\n", "5\r\nhel", "5\r\nhello\r\n0", "5\r\nhello\r\n0\r\n", "5\r\nhello\r\n0\r\nX-Trailer: 1\r\n", "",
    "5",
    // Sizes that are wrong, or none.
    "6\r\nhello\r\n0\r\n\r\n", "4\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n",
    "+5\r\nhello\r\n0\r\n\r\n", "5_\r\nhello\r\n0\r\n\r\n", "\r\nhello\r\n0\r\n\r\n", ";x\r\nhello\r\n0\r\n\r\n",
    " 5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n", "10000000000000005\r\nhello\r\n0\r\n\r\n",
    "7FFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
    // Line ends of one byte, which a proxy in front may take otherwise.
    "5\nhello\n0\n\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r\n0\n\n", "5\rhello\r0\r\r",
    "5;x\nhello\r\n0\r\n\r\n", "5;x=\"a\r\nb\"\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
    // Trailers that are none, that are too long, or that speak of the length.
    "5\r\nhello\r\n0\r\nno colon\r\n\r\n", "5\r\nhello\r\n0\r\nContent-Length: 1\r\n\r\n",
    "5\r\nhello\r\n0\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n",
  ].map { Form(body: $0, bytes: nil) }

  private static let codings = [
    "chunked\r\nTransfer-Encoding: chunked", "chunked, chunked", "chunked, identity",
    "gzip\r\nTransfer-Encoding: chunked",
    "xchunked", "", "\"chunked\"", "chunked;x=1", "chunked\r\nContent-Length: 5",
  ].map { Form(body: plain, bytes: nil, coding: "Transfer-Encoding: " + $0) }

  @Test("A body in chunks is whole, or refused and leaves no file", arguments: Way.allCases)
  func bodies(way: Way) async throws {
    try await withServer { server in
      for form in Self.whole + Self.unsound + Self.codings {
        // A long body is named by its beginning.
        let name = "\(form.coding) \(form.body.prefix(60).debugDescription)"
        let session = way == .session ? try await server.send("files/upload_session/start", [:], []).json : nil
        let reply = try await server.client.exchange(
          Array((head(way, form, session?["session_id"], server.token) + form.body).utf8), closing: true)
        #expect((reply.status == 200) == (form.bytes != nil), "\(name): \(reply.status)")
        #expect(reply.status == 200 || [400, 501].contains(reply.status), "\(name): \(reply.status)")
        try await finish(way, server, reply, session?["session_id"], form.bytes ?? "")
        let isThere = form.bytes != nil || way == .session
        #expect(contents(server.root + "/a.md") == (isThere ? form.bytes ?? "" : nil), "\(name)")
        #expect(try await server.paths() == (isThere ? ["/a.md"] : []), "\(name)")
        if isThere { _ = try await server.call("files/delete_v2", ["path": "/a.md"]) }
      }
    }
  }

  private func head(_ way: Way, _ form: Form, _ session: JSON?, _ token: String) -> String {
    let argument: JSON? =
      switch way {
      case .upload: ["path": "/a.md"]
      case .session: .members(["cursor": .members(["session_id": session, "offset": .integer(0)])])
      case .filesPut, .chunkedUpload: nil
      }
    return "\(way.target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Type: application/octet-stream\r\n"
      + (argument.map { "Dropbox-API-Arg: \($0.ascii)\r\n" } ?? "") + form.coding + "\r\n\r\n"
  }

  /// Makes a file of what was sent in pieces: a session has the whole body, or nothing.
  private func finish(_ way: Way, _ server: TestServer, _ reply: Reply, _ session: JSON?, _ text: String) async throws {
    if way == .chunkedUpload, let upload = reply.json["upload_id"]?.string {
      #expect(reply.json["offset"] == JSON.number(text.utf8.count))
      let made = try await server.v1("POST", "commit_chunked_upload/auto/a.md", [("upload_id", upload)])
      #expect(made.status == 200, "\(made.text)")
    }
    guard way == .session else { return }
    let cursor = JSON.members(["session_id": session, "offset": .number(text.utf8.count)])
    let made = try await server.send(
      "files/upload_session/finish", ["cursor": cursor, "commit": ["path": "/a.md"]], [])
    #expect(made.status == 200, "\(made.text)")
  }
}
