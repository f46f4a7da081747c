internal import FileStores

/// How a `CurlTransport` behaves.
public struct HTTPOptions: Sendable, Hashable {
  /// The service's own origins. No other is sent `headers`, or a request with a credential in its header.
  public var origins: Set<HTTPOrigin>
  /// Sent with each request to `origins`, after its own.
  public var headers: HTTPHeaders
  /// The field `User-Agent`: the name and version of the program.
  public var userAgent: String
  /// For requests that bring none of their own. Long polls are given ten minutes more.
  public var timeouts: HTTPTimeouts
  /// How many calls at once, and how many transfers of content at once, an origin is asked for; further ones wait.
  /// Calls by HTTP/2 share a connection, so more of them go at once. Long polls are not counted.
  public var connectionsPerHost: Int
  /// Certificates (PEM) to trust instead of the system's.
  public var caFile: String?
  /// What other machines are reached through.
  public var proxies: HTTPProxies
  /// Whether `http` may be used to other machines than this one.
  public var allowPlainHTTP: Bool

  /// Makes options; proxies are those of the environment.
  public init(
    origins: Set<HTTPOrigin>, headers: HTTPHeaders = [:], userAgent: String = "byteclub",
    timeouts: HTTPTimeouts = HTTPTimeouts(), connectionsPerHost: Int = 4, caFile: String? = nil,
    proxies: HTTPProxies = .fromEnvironment(), allowPlainHTTP: Bool = false
  ) {
    self.origins = origins
    self.headers = headers
    self.userAgent = userAgent
    self.timeouts = timeouts
    self.connectionsPerHost = max(1, connectionsPerHost)
    self.caFile = caFile
    self.proxies = proxies
    self.allowPlainHTTP = allowPlainHTTP
  }

  private static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]
  private static let ownFields = ["Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "TE"]

  /// The origin of a request that may be sent.
  /// - Throws: `badInput` for an address that is none, for plain HTTP that is not allowed, and for a credential to an
  ///   origin that is not the service's.
  func admit(_ request: HTTPRequest) throws(StoreError) -> HTTPOrigin {
    guard let origin = HTTPOrigin(request.url) else {
      throw StoreError(
        .badInput, "\"\(request.name)\" is not an address that byteclub can use.",
        remedy: "Write it as https://HOST/PATH, without a user name, and percent-encode other characters.")
    }
    guard origin.isEncrypted || origin.isLoopback || allowPlainHTTP else {
      throw StoreError(
        .badInput, "\(origin) is not encrypted: anyone on the way could read the club and the sign-in.",
        remedy:
          "Use https://, or set \"network.allowPlainHTTP\" to \"anywhere\" in the config if you trust the network.")
    }
    guard origins.contains(origin) || !HTTPOptions.credentials.contains(where: { request.headers[$0] != nil }) else {
      throw StoreError(
        .badInput, "byteclub did not send the sign-in: it belongs to another service than \(origin).",
        remedy: "Check \"server\" in the config. If it has changed, sign in again.")
    }
    return origin
  }

  /// The lines of a request's header that do not come from libcurl.
  func lines(for request: HTTPRequest, to origin: HTTPOrigin) -> [String] {
    var all = request.headers
    if origins.contains(origin) {
      for field in headers.fields where all[field.name] == nil { all.append(field.name, field.value) }
    }
    // A name with a semicolon is how libcurl is told of a field without a value.
    return all.fields.filter { field in !HTTPOptions.ownFields.contains { HTTPHeaders.same($0, field.name) } }
      .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
  }

  /// The timeouts that count for a request.
  func timeouts(for request: HTTPRequest) -> HTTPTimeouts {
    if let own = request.timeouts { return own }
    var usual = timeouts
    if request.kind == .longPoll {
      usual.idle += .seconds(600)
      usual.whole = usual.whole.map { $0 + .seconds(600) }
    }
    return usual
  }
}
