public import FileStores

public protocol HTTPTransport: Sendable {
  /// The number of concurrent requests per host. Further requests wait.
  var connectionsPerHost: Int { get }

  /// Sends a request and hands the body of the response to `receive`.
  ///
  /// - The body arrives in order, one awaited chunk at a time. While `receive` works, the transport reads only a
  ///   bounded number of further bytes.
  /// - `receive` runs on the caller's actor, never after the return, and not at all without a body.
  /// - `sent` gets the number of body bytes that the other end can have, which never falls and never exceeds the truth.
  ///   It runs on a thread of the transport and must return at once. Its last call comes before the return.
  /// - Any status is a response, not an error. Redirects are not followed.
  /// - A success counts only once the whole body was sent. An earlier one is `server`: the server has confirmed what it
  ///   cannot have. It is not asked with `Expect` again.
  /// - A cancelled task ends the call within 10 ms and closes its connection.
  /// - An error of `receive` or of the body's source ends the call and is rethrown.
  /// - Returns: the head of the response, once its body is complete.
  /// - Throws: `offline` if the other end cannot be reached, has the wrong identity, cuts the connection or takes too
  ///   long; `server` if it does not speak HTTP; `cancelled`; `badInput` for a request that cannot be sent.
  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse
}

extension HTTPTransport {
  public var connectionsPerHost: Int { 4 }

  /// Sends a request with a small response, and returns the whole body.
  /// - Throws: as `exchange`; `tooLarge` with the name of the call if the body exceeds `limit` bytes.
  public func call(
    _ request: HTTPRequest, limit: Int = 16 << 20
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    var body: [UInt8] = []
    let response = try await exchange(request, sent: nil) { (_, chunk) throws(StoreError) in
      guard body.count + chunk.count <= limit else {
        throw StoreError(
          .tooLarge, "The answer to \(request.name) has more than \(limit) bytes.",
          remedy: "Check the server's address, or ask the server's owner.")
      }
      body.append(contentsOf: chunk)
    }
    return (response, body)
  }
}

extension HTTPRequest {
  /// The request in a sentence: method, host and path. Query and header are left out, because they can be secret.
  public var name: String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    guard let slash = address.firstIndex(of: "/") else { return "\(method) \(address)" }
    return "\(method) \(address[slash...].drop { $0 == "/" })"
  }
}
