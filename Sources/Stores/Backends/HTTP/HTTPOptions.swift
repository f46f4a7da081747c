internal import FileStores

public struct HTTPOptions: Sendable, Hashable {
  /// The origins of the service. Only they receive `headers` and requests with credentials in the header.
  public var origins: Set<HTTPOrigin>
  public var headers: HTTPHeaders
  public var userAgent: String
  /// The timeouts of requests without their own. Long polls get ten minutes more, calls end after half an hour.
  public var timeouts: HTTPTimeouts
  /// The limit per origin for calls, and separately for content transfers; further ones wait. HTTP/2 calls share a
  /// connection and are limited less, long polls not at all. Short files may have four times as many.
  public var connectionsPerHost: Int
  /// A PEM file of certificates to trust instead of the system's.
  public var caFile: String?
  /// The only keys that the origins of the service may have; empty to trust authorities. Other origins are never trusted
  /// by these.
  public var pins: [KeyPin]
  public var proxies: HTTPProxies
  public var allowPlainHTTP: Bool
  /// True to send requests to public IP addresses only, whatever a name resolves to. For addresses that others chose.
  public var onlyPublicAddresses = false
  /// The time that a server has to refuse a large body, or to ask for it, before the body is sent unasked.
  var askingTime = Duration.seconds(1)

  public init(
    origins: Set<HTTPOrigin>, headers: HTTPHeaders = [:], userAgent: String = "byteclub",
    timeouts: HTTPTimeouts = HTTPTimeouts(), connectionsPerHost: Int = 4, caFile: String? = nil,
    pins: [KeyPin] = [], proxies: HTTPProxies = .fromEnvironment(), allowPlainHTTP: Bool = false
  ) {
    self.origins = origins
    self.headers = headers
    self.userAgent = userAgent
    self.timeouts = timeouts
    self.connectionsPerHost = max(1, connectionsPerHost)
    self.caFile = caFile
    self.pins = pins
    self.proxies = proxies
    self.allowPlainHTTP = allowPlainHTTP
  }

  /// Requests for short files at once, for each connection of longer ones.
  static let shortContents = 4

  private static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]
  private static let ownFields = ["Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "TE"]

  /// - Throws: `badInput` for an invalid address, forbidden plain HTTP, and a credential to a foreign origin.
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

  func lines(for request: HTTPRequest, to origin: HTTPOrigin) -> [String] {
    var all = request.headers
    if origins.contains(origin) {
      for field in headers.fields where all[field.name] == nil { all.append(field.name, field.value) }
    }
    // libcurl's syntax for a field without a value is the name and a semicolon.
    return all.fields.filter { field in !HTTPOptions.ownFields.contains { HTTPHeaders.same($0, field.name) } }
      .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
  }

  func pins(for origin: HTTPOrigin) -> [KeyPin] { origins.contains(origin) ? pins : [] }

  func timeouts(for request: HTTPRequest) -> HTTPTimeouts {
    if let own = request.timeouts { return own }
    var usual = timeouts
    switch request.kind {
    case .content, .shortContent: break
    case .call: usual.whole = min(usual.whole ?? HTTPTimeouts.longestCall, HTTPTimeouts.longestCall)
    case .longPoll:
      usual.idle += .seconds(600)
      usual.whole = usual.whole.map { $0 + .seconds(600) }
    }
    return usual
  }
}

public struct HTTPTimeouts: Sendable, Hashable {
  /// From the start to a connection: name lookup, TCP and TLS.
  public var connect: Duration
  /// The longest time without a byte in either direction. Paused while the receiver or the source is the slow part.
  /// Over twice that time, the transfer needs 128 bytes a second.
  public var idle: Duration
  public var whole: Duration?
  /// True for an answer that goes on for hours with a few bytes now and then: no rate is asked of it.
  var isTrickle = false

  /// At 2 KiB/s it brings 3.5 MiB, a page of several thousand entries.
  static let longestCall = Duration.seconds(1800)

  public init(connect: Duration = .seconds(20), idle: Duration = .seconds(30), whole: Duration? = nil) {
    self.connect = connect
    self.idle = idle
    self.whole = whole
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
