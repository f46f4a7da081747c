internal import FileStores
internal import JSON

enum DropboxV1Answer: Sendable {
  case result(JSONValue)
  case refusal(DropboxV1Refusal)
}

/// Makes calls: signs them, renews a token once after a rejection, and parses the response.
struct DropboxV1Client: Sendable {
  let server: DropboxServer
  /// `auto`, `dropbox` or `sandbox`.
  let root: String
  let signIn: DropboxV1SignIn
  let tuning: DropboxTuning
  let fault: DropboxV1Fault
  let connections: Int
  private let exchange: TokenExchange

  init(
    server: DropboxServer, root: String, transport: any HTTPTransport, signIn: DropboxV1SignIn, tuning: DropboxTuning
  ) {
    (self.server, self.root, self.signIn, self.tuning) = (server, root, signIn, tuning)
    connections = transport.connectionsPerHost
    // 25,000 entries, each with a long path.
    exchange = TokenExchange(transport: transport, longestAnswer: 64 << 20)
    let now = tuning.now
    fault = DropboxV1Fault(server: server, now: { now() / 1_000_000_000 })
  }

  /// - Throws: every error that is not a `DropboxV1Refusal`.
  func answer(_ call: DropboxV1Call) async throws(StoreError) -> DropboxV1Answer {
    let (response, body) = try await exchange(call, handingOut: false) { (_, _) throws(StoreError) in }
    if response.isSuccess {
      guard let value = JSONValue.answer(body) else { throw fault.nonsense("incomplete JSON", call) }
      return .result(value)
    }
    return .refusal(try refusal(response, body, call))
  }

  /// Throws refusals, too.
  func result(
    _ call: DropboxV1Call, refused: (DropboxV1Refusal) -> StoreError = { $0.error }
  ) async throws(StoreError) -> JSONValue {
    switch try await answer(call) {
    case .result(let value): return value
    case .refusal(let refusal): throw refused(refusal)
    }
  }

  /// Makes a call whose result is bytes. Calls `begin` once before the first chunk with the head and the file's
  /// metadata (nil if the server sends none), even without a chunk.
  /// - Returns: nil if the bytes are complete.
  /// - Throws: errors of `begin` and `receive` unchanged.
  func download(
    _ call: DropboxV1Call, begin: (HTTPResponse, JSONValue?) throws(StoreError) -> Void,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> DropboxV1Refusal? {
    var hasBegun = false
    let (response, body) = try await exchange(call, handingOut: true) { (response, chunk) throws(StoreError) in
      if !hasBegun {
        hasBegun = true
        try begin(response, metadata(in: response, call))
      }
      try await receive(chunk)
    }
    if response.isSuccess {
      if !hasBegun { try begin(response, metadata(in: response, call)) }
      return nil
    }
    return try refusal(response, body, call)
  }

  private func metadata(in response: HTTPResponse, _ call: DropboxV1Call) throws(StoreError) -> JSONValue? {
    guard let text = response.headers["x-dropbox-metadata"] else { return nil }
    guard let value = JSONValue.answer(Array(text.utf8)) else {
      throw fault.nonsense("bytes and an incomplete description", call)
    }
    return value
  }

  private func refusal(
    _ response: HTTPResponse, _ body: [UInt8], _ call: DropboxV1Call
  ) throws(StoreError) -> DropboxV1Refusal {
    let isUnchanged = response.status == 304
    let error =
      isUnchanged ? fault.nonsense("an unexpected status 304", call) : fault.error(response, body, call)
    switch response.status {
    case 304, 400, 403, 404, 405, 406, 409, 415, 416, 501:
      if error.kind == .notSignedIn { throw error }
      return DropboxV1Refusal(status: response.status, body: JSONValue.answer(body), error: error)
    default: throw error
    }
  }

  private func exchange(
    _ call: DropboxV1Call, handingOut: Bool, _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    try await exchange.send(
      about: call.path, handingOut: handingOut, sent: call.requestSent, tooLong: { fault.nonsense($0, call) },
      { (refused) throws(StoreError) in try await signed(call, refusing: refused) }, receive)
  }

  private func signed(
    _ call: DropboxV1Call, refusing refused: String?
  ) async throws(StoreError) -> (HTTPRequest, token: String?) {
    guard call.route.needsSignIn else { return (call.request(server, root: root, authorization: nil), nil) }
    let token = try await signIn.tokens.token(refusing: refused)
    switch signIn {
    case .bearer: return (call.request(server, root: root) { _, _, _ in "Bearer " + token }, token)
    case .oauth1(let key, let secret, _, let method):
      let words = token.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2 else {
        throw StoreError(
          .notSignedIn, "The token for \(server.name) lacks its secret.",
          remedy: "Sign in again with: \(server.commands.login)", path: call.path)
      }
      let keys = OAuth1Keys(consumerKey: key, consumerSecret: secret, token: words[0], tokenSecret: words[1])
      let (now, random) = (tuning.now, tuning.random)
      let signer = OAuth1Signer(
        keys, method, now: { now() / 1_000_000_000 }, nonce: { String(random(), radix: 36) })
      var request = call.request(server, root: root, authorization: signer.authorization)
      // A nonce is valid once, so a repeated request would be rejected as a replay.
      if method == .hmacSHA1 { request.isRepeatable = false }
      return (request, token)
    }
  }
}
