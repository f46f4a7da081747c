public import FileStores

/// Logs each request in one line: method, host, path, result and duration. Query, header and body are left out, because
/// they may hold secrets and members' data.
///
/// An unsuccessful response also logs `Retry-After` and `X-Dropbox-Request-Id`, which Dropbox asks for in questions
/// about a call (Objective-C SDK reference, `DBRequestHttpError.requestId`).
public struct LoggingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let log: @Sendable (String) -> Void

  /// Calls `log` once for each finished request, on any thread. `log` should return soon.
  public init(_ base: any HTTPTransport, log: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.log = log
  }

  public var connectionsPerHost: Int { base.connectionsPerHost }

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
