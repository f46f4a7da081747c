internal import FileStores
internal import JSON

typealias DropboxV1Answer = DropboxAnswer<DropboxV1Refusal>

/// Makes calls: signs them, renews a token once after a rejection, and parses the response.
struct DropboxV1Client: DropboxCalls {
  static let address = "a server for the Dropbox API, version 1"

  let server: DropboxServer
  /// `auto`, `dropbox` or `sandbox`.
  let root: String
  let signIn: DropboxV1SignIn
  let tuning: DropboxTuning
  let connections: Int
  let exchange: TokenExchange

  init(
    server: DropboxServer, root: String, transport: any HTTPTransport, signIn: DropboxV1SignIn, tuning: DropboxTuning
  ) {
    (self.server, self.root, self.signIn, self.tuning) = (server, root, signIn, tuning)
    connections = transport.connectionsPerHost
    // 25,000 entries, each with a long path.
    exchange = TokenExchange(transport: transport, longestAnswer: 64 << 20)
  }

  /// Makes a call whose result is bytes. Calls `begin` once before the first chunk with the head and the file's
  /// metadata (nil if the server sends none), even without a chunk.
  /// - Returns: nil if the bytes are complete.
  /// - Throws: errors of `begin` and `receive` unchanged.
  func download(
    _ call: DropboxV1Call, begin: (HTTPResponse, JSONValue?) throws(StoreError) -> Void,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> DropboxV1Refusal? {
    let (response, body) = try await send(call, handingOut: true) { (response) throws(StoreError) in
      let json = response.headers["x-dropbox-metadata"].map { JSONValue.answer(Array($0.utf8)) }
      if case .some(nil) = json { throw nonsense("bytes and an incomplete description", call) }
      try begin(response, json ?? nil)
    } _: { (_, chunk) throws(StoreError) in
      try await receive(chunk)
    }
    return response.isSuccess ? nil : try refusal(response, body, call)
  }

  func refusal(
    _ response: HTTPResponse, _ body: [UInt8], _ call: DropboxV1Call
  ) throws(StoreError) -> DropboxV1Refusal {
    let isUnchanged = response.status == 304
    let error =
      isUnchanged ? nonsense("an unexpected status 304", call) : error(response, body, call)
    switch response.status {
    case 304, 400, 403, 404, 405, 406, 409, 415, 416, 501:
      if error.kind == .notSignedIn { throw error }
      return DropboxV1Refusal(status: response.status, body: JSONValue.answer(body), error: error)
    default: throw error
    }
  }

  func error(of refusal: DropboxV1Refusal, _ call: DropboxV1Call) -> StoreError { refusal.error }

  func signed(
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
