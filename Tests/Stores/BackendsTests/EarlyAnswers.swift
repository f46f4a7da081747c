import FileStores

@testable import Backends

/// A server that answers success to `Expect: 100-continue` and keeps an empty file, as chezdav does.
struct EarlyAnswers: HTTPTransport {
  let base: any HTTPTransport

  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let length = request.body.length ?? .max
    guard length > 0, length >= request.asksFrom, let origin = HTTPOrigin(request.url) else {
      return try await base.exchange(request, sent: sent, receive)
    }
    var emptied = request
    emptied.body = .bytes([])
    _ = try await base.exchange(emptied, sent: nil, receive)
    throw CurlFault.early(origin)
  }
}
