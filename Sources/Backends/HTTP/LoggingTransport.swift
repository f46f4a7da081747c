public import FileStores

/// A transport that tells each request in one line: method, host and path, what came of it, and how long it took. Never
/// the query, the header or a body, which may hold secrets and members' words.
///
/// Of an answer that is not success it also tells what helps whoever keeps the server: its `Retry-After`, and
/// `X-Dropbox-Request-Id`, which Dropbox asks for in questions about a call (its Objective-C SDK's reference,
/// `DBRequestHttpError.requestId`).
public struct LoggingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let log: @Sendable (String) -> Void

  /// Wraps a transport. `log` is called once for each request that ended, on any thread, and should return soon.
  public init(_ base: any HTTPTransport, log: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.log = log
  }

  /// As many as the transport has that it wraps.
  public var connectionsPerHost: Int { base.connectionsPerHost }

  /// Sends a request; see `HTTPTransport`.
  public func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let start = ContinuousClock.now
    var bytes = 0
    do throws(StoreError) {
      let response = try await base.exchange(request, sent: sent) { (head, chunk) throws(StoreError) in
        bytes += chunk.count
        try await receive(head, chunk)
      }
      let came = "\(response.status) after \((.now - start).milliseconds) ms, \(bytes) bytes"
      log("\(request.name): \(came)\(marks(response))")
      return response
    } catch {
      log("\(request.name): \(error.kind.rawValue) after \((.now - start).milliseconds) ms: \(error.message.onOneLine)")
      throw error
    }
  }

  private func marks(_ response: HTTPResponse) -> String {
    guard !response.isSuccess else { return "" }
    return ["Retry-After", "X-Dropbox-Request-Id"].reduce("") { text, name in
      response.headers[name].map { "\(text), \(name) \($0.onOneLine)" } ?? text
    }
  }
}
