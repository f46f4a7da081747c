public import FileStores

/// What carries requests: libcurl in the program, a script in tests.
public protocol HTTPTransport: Sendable {
  /// How many requests may be under way to one host; further ones wait for their turn.
  var connectionsPerHost: Int { get }

  /// Sends a request and hands the body of the answer to `receive`.
  ///
  /// - The body comes in order, one chunk at a time, each awaited; no further bytes are taken from the network than
  ///   a bounded number while `receive` works. It is called on the caller's actor, never after the return, and not
  ///   at all when there is no body.
  /// - `sent` is told how many bytes of the request's body the other end can have: never less than before, never more
  ///   than is true, for the last time before the return. It is called on a thread of the transport, and returns at
  ///   once.
  /// - Any status is an answer, not an error; redirects are not followed.
  /// - A cancelled task ends the call within 10 ms, and its connection is closed.
  /// - What `receive` or the body's source throws ends the call and is thrown on.
  /// - Returns: the head of the answer, once its body is complete.
  /// - Throws: `offline` when the other end cannot be reached, is not who it should be, cuts the connection or takes
  ///   too long; `server` when it does not speak HTTP; `cancelled`; `badInput` for a request that cannot be sent.
  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse
}

extension HTTPTransport {
  /// As many as `HTTPOptions` has by default.
  public var connectionsPerHost: Int { 4 }

  /// Sends a request whose answer is small, and returns all of it.
  /// - Throws: as `exchange`; `tooLarge`, naming the call, when the body has more than `limit` bytes.
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
  /// The request in a sentence: method, host and path. What may be secret (the query, the header) is not in it.
  public var name: String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    guard let slash = address.firstIndex(of: "/") else { return "\(method) \(address)" }
    return "\(method) \(address[slash...].drop { $0 == "/" })"
  }
}
