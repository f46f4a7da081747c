import Backends
import FileStores
import TestKit
import Testing

/// Answers in chunks (RFC 9112, section 7.1), and answers with unclear lengths: a body is whole, or it is an error.
@Suite("libcurl: answers in chunks", .timeLimit(.minutes(5)))
struct CurlChunks {
  private static let plain = "5\r\nhello\r\n0\r\n\r\n"

  private static func head(_ fields: String = "Transfer-Encoding: chunked") -> String {
    "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"
  }

  private static let whole: [(answer: String, body: String)] = [
    (head() + plain, "hello"), (head() + "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
    (head() + "A\r\n0123456789\r\n0\r\n\r\n", "0123456789"), (head() + "a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
    (head() + "0005\r\nhello\r\n000\r\n\r\n", "hello"), (head() + "7\r\na\r\nb\r\nc\r\n0\r\n\r\n", "a\r\nb\r\nc"),
    (head() + "0\r\n\r\n", ""),
    (head() + "5;x=y;z\r\nhello\r\n0;last\r\n\r\n", "hello"),
    (head() + "5;x=\"a;b\\\"c\"\r\nhello\r\n0\r\n\r\n", "hello"),
    (head() + "5;\(String(repeating: "x", count: 100_000))\r\nhello\r\n0\r\n\r\n", "hello"),
    // Trailers say nothing about the answer.
    (head() + "5\r\nhello\r\n0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n", "hello"),
    (head() + "5\r\nhello\r\n0\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\n\r\n", "hello"),
    (head("transfer-encoding:\tChunked") + plain, "hello"),
    // The chunks count, whatever the length is.
    (head("Transfer-Encoding: chunked\r\nContent-Length: 3") + plain, "hello"),
    (head("Content-Length: 3\r\nTransfer-Encoding: chunked") + plain, "hello"),
    (head("Content-Length: 5\r\nContent-Length: 5") + "hello", "hello"),
    (head("Content-Length: 5, 5") + "hello", "hello"),
  ]

  @Test(arguments: HTTPRequest.Kind.both, whole)
  func `A sound answer is whole`(_ kind: HTTPRequest.Kind, _ row: (answer: String, body: String)) async throws {
    #expect(try await body(of: row.answer, kind) == row.body)
  }

  /// What a version of libcurl may take: an error, or the bytes that the sizes count.
  private static let lenient: [(answer: String, body: String)] = [
    (head() + "5\nhello\n0\n\n", "hello"), (head() + "5\r\nhello\n0\r\n\r\n", "hello"),
    (head() + "5\r\nhello\r\n0\n\n", "hello"), (head() + "5;x\nhello\r\n0\r\n\r\n", "hello"),
    (head() + "5 ; x = y\r\nhello\r\n0\r\n\r\n", "hello"), (head() + "5_\r\nhello\r\n0\r\n\r\n", "hello"),
    (head() + "5g\r\nhello\r\n0\r\n\r\n", "hello"), (head() + "6\r\nhello\r\n0\r\n\r\n", "hello\r"),
    (head() + String(repeating: "0", count: 40) + "5\r\nhello\r\n0\r\n\r\n", "hello"),
    (head("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked") + plain, "hello"),
  ]

  @Test(arguments: HTTPRequest.Kind.both, lenient)
  func `An answer that is nearly sound is whole, or an error`(
    _ kind: HTTPRequest.Kind, _ row: (answer: String, body: String)
  ) async throws {
    do {
      #expect(try await body(of: row.answer, kind) == row.body)
    } catch let error as StoreError {
      #expect(error.kind == .offline || error.kind == .server, "\(error)")
    }
  }

  private static let unsound = [
    // Ends too early.
    "5\r\nhello\r\n", "5\r\nhel", "5\r\nhello\r\n0", "5\r\nhello\r\n0\r\n", "5\r\nhello\r\n0\r\nX-Trailer: 1\r\n", "",
    "5",
    // Sizes that are wrong, or none.
    "4\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n",
    "\r\nhello\r\n0\r\n\r\n", ";x\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n",
    "10000000000000005\r\nhello\r\n0\r\n\r\n", "7FFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
    "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
    // Line ends.
    "5\rhello\r0\r\r", "5;x=\"a\r\nb\"\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
    // Trailers that are none, or too long.
    "5\r\nhello\r\n0\r\nno colon\r\n\r\n", "5\r\nhello\r\n0\r\nHTTP/1.1 500 No\r\n\r\n",
    "5\r\nhello\r\n0\r\nX: \(String(repeating: "y", count: 400_000))\r\n\r\n",
  ].map { head() + $0 }

  /// A second field must not bring in a compression that libcurl unpacks without a limit, or another end of the body.
  private static let unclear =
    [
      "chunked, chunked", "chunked, identity", "gzip\r\nTransfer-Encoding: chunked",
      "chunked\r\nTransfer-Encoding: gzip", "identity\r\nTransfer-Encoding: gzip", "xchunked", "", "\"chunked\"",
    ].map { head("Transfer-Encoding: " + $0) + plain }
    + [
      "5\r\nContent-Length: 4", "4\r\nContent-Length: 5", "5, 4", "5 4", "-5", "4x", "99999999999999999999", "0x5", "6",
    ]
    .map { head("Content-Length: " + $0) + "hello" }

  @Test(arguments: HTTPRequest.Kind.both, unsound + unclear)
  func `An answer that is cut or unclear is an error`(_ kind: HTTPRequest.Kind, _ answer: String) async throws {
    let error = await #expect(throws: StoreError.self) { _ = try await body(of: answer, kind) }
    #expect(error?.kind == .offline || error?.kind == .server, "\(String(describing: error))")
  }

  private func body(of answer: String, _ kind: HTTPRequest.Kind) async throws -> String {
    try await withAnswers({ _ in RawAnswer(raw: answer) }) { server in
      let (_, body) = try await transport(server.url).call(HTTPRequest(.get, server.url, kind: kind))
      return String(decoding: body, as: UTF8.self)
    }
  }
}

extension HTTPRequest.Kind {
  fileprivate static let both: [HTTPRequest.Kind] = [.call, .content]
}
