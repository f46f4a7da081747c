internal import FileStores

/// Sends a request with a token, and up to twice more with another token after a rejection.
struct TokenExchange: Sendable {
  let transport: any HTTPTransport
  let longestAnswer: Int

  /// Sends the request of `request`. That callback gets the token rejected last (nil at first), and returns the token
  /// in the request (nil for none).
  ///
  /// With `handingOut`, `receive` gets the body of a successful response, and `begin` its head before that, also without a
  /// body; other bodies are returned.
  /// - Parameters:
  ///   - sent: receives the number of body bytes that the server can have. It starts again with each attempt.
  ///   - isAboutToken: true if the body of a 401 means that another token may help.
  /// - Throws: `cancelled` before each attempt; `tooLong` for a body above the limit; errors of `begin` and `receive` unchanged;
  ///   errors of `request` and the transport, about `path`.
  func send(
    about path: StorePath, handingOut: Bool, sent: (@Sendable (UInt64) -> Void)? = nil,
    isAboutToken: ([UInt8]) -> Bool = { _ in true },
    tooLong: (_ limit: String) -> StoreError,
    _ request: (_ refused: String?) async throws(StoreError) -> (HTTPRequest, token: String?),
    begin: (HTTPResponse) throws(StoreError) -> Void = { _ in },
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    var refused: String?
    var refusals = 0
    while true {
      if Task.isCancelled { throw .cancelled("The work on \"\(path)\"", path: path) }
      var token: String?
      let (response, body) = try await transport.answer(
        about: path, handingOut: handingOut, longest: longestAnswer, sent: sent, tooLong: tooLong,
        { () throws(StoreError) in
          let signed = try await request(refused)
          token = signed.token
          return signed.0
        }, begin: begin, receive)
      if response.status == 401, let token, refusals < 2, isAboutToken(body) {
        // The renewal may coincide with the member's removal. The next request for a token then reports the reason.
        refused = token
        refusals += 1
        continue
      }
      return (response, body)
    }
  }
}

extension HTTPTransport {
  /// Sends one request. The parameters and errors are those of `TokenExchange.send`.
  func answer(
    about path: StorePath, handingOut: Bool, longest: Int, sent: (@Sendable (UInt64) -> Void)?,
    tooLong: (_ limit: String) -> StoreError,
    _ request: () async throws(StoreError) -> HTTPRequest,
    begin: (HTTPResponse) throws(StoreError) -> Void = { _ in },
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    var body: [UInt8] = []
    var (hasBegun, receiverFailed) = (false, false)
    let response: HTTPResponse
    do throws(StoreError) {
      response = try await exchange(try await request(), sent: sent) { (response, chunk) throws(StoreError) in
        if response.isSuccess, handingOut {
          do throws(StoreError) {
            if !hasBegun { try begin(response) }
            hasBegun = true
            try await receive(response, chunk)
          } catch {
            receiverFailed = true
            throw error
          }
        } else if body.count + chunk.count <= longest {
          body.append(contentsOf: chunk)
        } else {
          throw tooLong("more than \(longest >> 20) MiB")
        }
      }
    } catch {
      throw receiverFailed ? error : error.about(path)
    }
    if handingOut, response.isSuccess, !hasBegun { try begin(response) }
    return (response, body)
  }
}

/// The answer to a call, with its small body.
struct HTTPAnswer: Sendable {
  let response: HTTPResponse
  let body: [UInt8]

  var status: Int { response.status }
  var isSuccess: Bool { response.isSuccess }
}
