internal import FileStores
internal import JSON

struct DropboxClient: DropboxCalls {
  static let address = "a Dropbox-style server"

  let server: DropboxServer
  let tokens: any AccessTokens
  let tuning: DropboxTuning
  let exchange: TokenExchange

  init(server: DropboxServer, transport: any HTTPTransport, tokens: any AccessTokens, tuning: DropboxTuning) {
    (self.server, self.tokens, self.tuning) = (server, tokens, tuning)
    exchange = TokenExchange(transport: transport, longestAnswer: 16 << 20)
  }

  func signed(
    _ call: DropboxCall, refusing refused: String?
  ) async throws(StoreError) -> (HTTPRequest, token: String?) {
    let token = call.route.needsToken ? try await tokens.token(refusing: refused) : nil
    return (call.request(server, token: token), token)
  }

  /// Makes a call whose result is bytes. Calls `begin` once before the first chunk with the head and the JSON result,
  /// even without a chunk.
  /// - Returns: `complete`, the route's own error, or `outside` for status 416.
  /// - Throws: errors of `begin` and `receive` unchanged.
  func download(
    _ call: DropboxCall, begin: (HTTPResponse, JSONValue) throws(StoreError) -> Void,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> DropboxDownload {
    let (response, body) = try await send(call, handingOut: true) { (response) throws(StoreError) in
      guard let text = response.headers["Dropbox-API-Result"], let value = JSONValue.answer(Array(text.utf8)) else {
        throw nonsense("bytes without a description", call)
      }
      try begin(response, value)
    } _: { (_, chunk) throws(StoreError) in
      try await receive(chunk)
    }
    if response.isSuccess { return .complete }
    if response.status == 416 { return .outside }
    let refusal = try refusal(response, body, call)
    return refusal.tags.first == "range" ? .outside : .refusal(refusal)
  }

  func refusal(_ response: HTTPResponse, _ body: [UInt8], _ call: DropboxCall) throws(StoreError) -> DropboxRefusal {
    guard response.status == 409 else { throw error(response, body, call) }
    return try refusal(JSONValue.answer(body), call)
  }

  /// The refusal of one of several files in one call.
  func failure(_ json: JSONValue, _ call: DropboxCall) throws(StoreError) -> DropboxRefusal {
    try refusal(.members(["error": json["failure"]]), call)
  }

  private func refusal(_ json: JSONValue?, _ call: DropboxCall) throws(StoreError) -> DropboxRefusal {
    if let refusal = json.flatMap({ DropboxRefusal($0, call.route) }) { return refusal }
    throw nonsense("a refusal that gives no reason", call)
  }

  func error(of refusal: DropboxRefusal, _ call: DropboxCall) -> StoreError { refusal.error(call.path, server) }
}

enum DropboxDownload: Sendable {
  case complete
  case outside
  case refusal(DropboxRefusal)
}
