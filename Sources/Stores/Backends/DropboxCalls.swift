internal import FileStores
internal import JSON

/// The calls of one version of the Dropbox API. A version adds its requests, and what its refusals mean.
protocol DropboxCalls: Sendable {
  associatedtype Call: DropboxCalling
  associatedtype Refusal: DropboxRefusing
  /// The end of a remedy: "Check that … is the address of".
  static var address: String { get }
  var server: DropboxServer { get }
  var tuning: DropboxTuning { get }
  var exchange: TokenExchange { get }
  /// The request with a sign-in, and its token.
  func signed(_ call: Call, refusing refused: String?) async throws(StoreError) -> (HTTPRequest, token: String?)
  /// - Throws: every error that is not a refusal.
  func refusal(_ response: HTTPResponse, _ body: [UInt8], _ call: Call) throws(StoreError) -> Refusal
  func error(of refusal: Refusal, _ call: Call) -> StoreError
  /// The error of a status that means another thing than elsewhere; nil for any other.
  func ownError(_ json: JSONValue?, _ body: [UInt8], _ call: Call, _ fault: StatusFault) -> StoreError?
  /// True if the body of a 401 means that a new token may help.
  static func isAboutToken(_ body: [UInt8]) -> Bool
}

protocol DropboxCalling: Sendable {
  associatedtype Route: RawRepresentable<String>
  var route: Route { get }
  var path: StorePath { get }
  var isLongPoll: Bool { get }
  /// Gets the number of body bytes that the server can have.
  var requestSent: (@Sendable (UInt64) -> Void)? { get }
}

protocol DropboxRefusing: Sendable {
  /// True if the server has lost a cursor.
  var isReset: Bool { get }
}

enum DropboxAnswer<Refusal: Sendable>: Sendable {
  case result(JSONValue)
  case refusal(Refusal)
}

extension DropboxCalls {
  static func isAboutToken(_ body: [UInt8]) -> Bool { true }

  /// - Throws: every error that is not a refusal.
  func answer(_ call: Call) async throws(StoreError) -> DropboxAnswer<Refusal> {
    let (response, body) = try await send(call, handingOut: false) { (_, _) throws(StoreError) in }
    if response.isSuccess {
      guard let value = JSONValue.answer(body) else { throw nonsense("incomplete JSON", call) }
      return .result(value)
    }
    return .refusal(try refusal(response, body, call))
  }

  /// Throws refusals, too.
  func result(
    _ call: Call, refused: (Refusal) -> StoreError? = { _ in nil }
  ) async throws(StoreError) -> JSONValue {
    switch try await answer(call) {
    case .result(let value): return value
    case .refusal(let refusal): throw refused(refusal) ?? error(of: refusal, call)
    }
  }

  /// With `handingOut`, `receive` gets the body of a successful response; other bodies are returned.
  func send(
    _ call: Call, handingOut: Bool, begin: (HTTPResponse) throws(StoreError) -> Void = { _ in },
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    try await exchange.send(
      about: call.path, handingOut: handingOut, sent: call.requestSent, isAboutToken: Self.isAboutToken,
      tooLong: { nonsense($0, call) },
      { (refused) throws(StoreError) in try await signed(call, refusing: refused) }, begin: begin, receive)
  }

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: Call) -> StoreError {
    let json = JSONValue.answer(body)
    let (status, name) = (response.status, call.route.rawValue)
    let fault = StatusFault(
      server: server.name, request: name, path: call.path, status: status,
      wait: response.retryAfter(now: tuning.now() / 1_000_000_000) ?? json?["error"]?["retry_after"]?.seconds,
      commands: server.commands, setting: "server")
    // A longpoll needs no sign-in, so these statuses come from a proxy.
    if call.isLongPoll, 300...399 ~= status || 403...405 ~= status || status == 501 {
      return fault.error(.unsupported, "\(server.name) does not answer the change request (\(status)).")
    }
    if let own = ownError(json, body, call, fault) { return own }
    guard [404, 405, 501].contains(status) else { return fault.common }
    return fault.error(
      .unsupported, "\(server.name) does not know \(name) (status \(status)).",
      "Check that \"server\" in the config is the address of \(Self.address).")
  }

  func nonsense(_ what: String, _ call: Call) -> StoreError {
    .nonsense("\(server.name) answered \(call.route.rawValue) with \(what)", call.path)
  }
}
