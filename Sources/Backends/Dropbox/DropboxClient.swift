internal import FileStores
internal import JSON

/// What a route answers.
enum DropboxAnswer: Sendable {
  /// Its result.
  case result(JSONValue)
  /// Its own no.
  case refusal(DropboxRefusal)
}

/// Makes calls: adds the token, renews it once when it is refused, and reads what comes back.
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

  /// Makes a call whose result is JSON.
  /// - Throws: everything but the route's own no: see `DropboxFault`.
  func answer(_ call: DropboxCall) async throws(StoreError) -> DropboxAnswer {
    let (response, body) = try await exchange(call, handingOut: false) { (_, _) throws(StoreError) in }
    if response.isSuccess {
      guard let value = JSONValue.answer(body) else { throw fault.nonsense("incomplete JSON", call) }
      return .result(value)
    }
    return .refusal(try refusal(response, body, call))
  }

  /// Makes a call whose result is JSON, and throws its own no as an error, too.
  func result(_ call: DropboxCall) async throws(StoreError) -> JSONValue {
    switch try await answer(call) {
    case .result(let value): return value
    case .refusal(let refusal): throw refusal.error(call.path, server)
    }
  }

  /// Makes a call whose result is bytes. `begin` is called once, before the first chunk, with the head and the
  /// result in it, also when there is no chunk. What it and `receive` throw is thrown on as it is.
  /// - Returns: nil when there are bytes, or the route's own no. 416 has no such; it is `outside` then.
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

  /// Sends a call. The body of a success goes to `receive` when `handingOut`; any other is returned.
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

/// How a download went.
enum DropboxDownload: Sendable {
  /// All bytes came.
  case complete
  /// The range begins at or past the end.
  case outside
  /// The route's own no.
  case refusal(DropboxRefusal)
}
