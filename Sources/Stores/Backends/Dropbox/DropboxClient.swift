internal import FileStores
internal import JSON

enum DropboxAnswer: Sendable {
  case result(JSONValue)
  case refusal(DropboxRefusal)
}

struct DropboxClient: Sendable {
  let server: DropboxServer
  let tokens: any AccessTokens
  let fault: DropboxFault
  private let exchange: TokenExchange

  init(
    server: DropboxServer, transport: any HTTPTransport, tokens: any AccessTokens, now: @escaping @Sendable () -> Int64
  ) {
    (self.server, self.tokens) = (server, tokens)
    exchange = TokenExchange(transport: transport, longestAnswer: 16 << 20)
    fault = DropboxFault(server: server, now: now)
  }

  /// - Throws: every error except the route's own; see `DropboxFault`.
  func answer(_ call: DropboxCall) async throws(StoreError) -> DropboxAnswer {
    let (response, body) = try await exchange(call, handingOut: false) { (_, _) throws(StoreError) in }
    if response.isSuccess {
      guard let value = JSONValue.answer(body) else { throw fault.nonsense("incomplete JSON", call) }
      return .result(value)
    }
    return .refusal(try refusal(response, body, call))
  }

  /// Throws the route's own errors, too.
  func result(
    _ call: DropboxCall, refused: (DropboxRefusal) -> StoreError? = { _ in nil }
  ) async throws(StoreError) -> JSONValue {
    switch try await answer(call) {
    case .result(let value): return value
    case .refusal(let refusal): throw refused(refusal) ?? refusal.error(call.path, server)
    }
  }

  /// Makes a call whose result is bytes. Calls `begin` once before the first chunk with the head and the JSON result,
  /// even without a chunk.
  /// - Returns: `complete`, the route's own error, or `outside` for status 416.
  /// - Throws: errors of `begin` and `receive` unchanged.
  func download(
    _ call: DropboxCall, begin: (HTTPResponse, JSONValue) throws(StoreError) -> Void,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> DropboxDownload {
    var hasBegun = false
    let (response, body) = try await exchange(call, handingOut: true) { (response, chunk) throws(StoreError) in
      if !hasBegun {
        hasBegun = true
        try begin(response, result(of: response, call))
      }
      try await receive(chunk)
    }
    if response.isSuccess {
      if !hasBegun { try begin(response, result(of: response, call)) }
      return .complete
    }
    if response.status == 416 { return .outside }
    let refusal = try refusal(response, body, call)
    return refusal.tags.first == "range" ? .outside : .refusal(refusal)
  }

  private func result(of response: HTTPResponse, _ call: DropboxCall) throws(StoreError) -> JSONValue {
    guard let text = response.headers["Dropbox-API-Result"], let value = JSONValue.answer(Array(text.utf8)) else {
      throw fault.nonsense("bytes without a description", call)
    }
    return value
  }

  private func refusal(
    _ response: HTTPResponse, _ body: [UInt8], _ call: DropboxCall
  ) throws(StoreError) -> DropboxRefusal {
    guard response.status == 409 else { throw fault.error(response, body, call) }
    guard let value = JSONValue.answer(body), let refusal = DropboxRefusal(value, call.route) else {
      throw fault.nonsense("a refusal that gives no reason", call)
    }
    return refusal
  }

  /// With `handingOut`, `receive` gets the body of a successful response; other bodies are returned.
  private func exchange(
    _ call: DropboxCall, handingOut: Bool, _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    try await exchange.send(
      about: call.path, handingOut: handingOut, sent: call.sent, isAboutToken: DropboxFault.isAboutToken,
      tooLong: { fault.nonsense($0, call) },
      { (refused) throws(StoreError) in
        let token = call.route.needsToken ? try await tokens.token(refusing: refused) : nil
        return (call.request(server, token: token), token)
      }, receive)
  }
}

enum DropboxDownload: Sendable {
  case complete
  case outside
  case refusal(DropboxRefusal)
}
