internal import CCurl
internal import FileStores
internal import Glibc

/// What libcurl ended with, in words for people.
struct CurlFault {
  let code: Int32
  /// libcurl's own words.
  let words: String
  /// What a proxy answered to CONNECT; 0 without one.
  let proxyStatus: Int
  /// The number (errno) of a connection that failed; 0 when none did.
  var systemError: Int32 = 0
  /// Whether the head of an answer had come.
  let hasAnswer: Bool

  private static let isOnline = "Is this machine online, and is the address of the server right?"

  /// The error that the call throws.
  func error(_ origin: HTTPOrigin, _ timeouts: HTTPTimeouts) -> StoreError {
    if proxyStatus >= 300 {
      return StoreError(
        .offline, "The proxy on the way to \(origin) refused with status \(proxyStatus).",
        remedy: proxyStatus == 407
          ? "It wants a name and a password: HTTPS_PROXY=http://name:password@host:port" : "See HTTPS_PROXY.")
    }
    switch Int(code) {
    case CC_NO_HOST:
      return StoreError(.offline, "The name \"\(origin.host)\" cannot be found.", remedy: CurlFault.isOnline)
    case CC_NO_CONNECTION where !isAboutProxy:
      return unreachable(origin)
    case CC_NO_PROXY_HOST, CC_PROXY_FAILED, CC_NO_CONNECTION:
      return StoreError(
        .offline, "The proxy on the way to \(origin) cannot be used\(proxyWords).", remedy: "See HTTPS_PROXY.")
    case CC_TIMED_OUT:
      return StoreError(
        .offline, "\(origin.place) did not answer within \(CurlFault.seconds(timeouts.connect)).",
        remedy: CurlFault.isOnline)
    // A connection that broke while both sides agreed on keys.
    case CC_TLS_CONNECT where wasBroken: return CurlFault.cut(origin, "before it answered")
    case CC_TLS_PEER, CC_TLS_CONNECT, CC_TLS_CIPHER, CC_TLS_CA_FILE, CC_TLS_ISSUER: return untrusted(origin)
    case CC_UNSUPPORTED_PROTOCOL, CC_WEIRD_REPLY: return CurlFault.notHTTP(origin)
    case CC_GOT_NOTHING where !origin.isEncrypted && !hasAnswer:
      return StoreError(
        .offline, "The connection to \(origin.place) was cut before it answered.",
        remedy: "Try again. If the server uses encryption, write https:// instead of http:// in the config.")
    case CC_URL_MALFORMED:
      return StoreError(.badInput, "libcurl does not take the address of \(origin) (\(words)).")
    case CC_OUT_OF_MEMORY:
      // The same code for a line of the header that is longer than libcurl takes.
      return StoreError(
        .server, "The answer of \(origin) is not usable: its header is too long, or memory is short.")
    default:
      return CurlFault.cut(origin, hasAnswer ? "in the middle of its answer" : "before it answered")
    }
  }

  /// Nobody takes the connection.
  private func unreachable(_ origin: HTTPOrigin) -> StoreError {
    switch systemError {
    case ECONNREFUSED:
      StoreError(.offline, "\(origin.place) refuses connections.", remedy: "Is the server running?")
    case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL:
      StoreError(.offline, "There is no way to \(origin.place) from here.", remedy: CurlFault.isOnline)
    default: StoreError(.offline, "\(origin.place) cannot be reached.", remedy: CurlFault.isOnline)
    }
  }

  /// Whether the connection ended during the agreement on keys: libcurl has one code for all that goes wrong then.
  private var wasBroken: Bool {
    ["reset", "SYSCALL", "unexpected eof", "Broken pipe", "timed out"].contains { words.contains($0) }
  }

  /// Whether libcurl could not read the variable for the proxy. Its words then repeat that, a password included.
  private var isAboutProxy: Bool { words.hasPrefix("Unsupported proxy") }

  private var proxyWords: String { isAboutProxy ? ": its address cannot be read" : " (\(words))" }

  private func untrusted(_ origin: HTTPOrigin) -> StoreError {
    let remedy: String
    // The config is wrong, or else the server is not to be trusted: trying again mends neither.
    var kind = StoreError.Kind.notPermitted
    if Int(code) == CC_TLS_CA_FILE {
      kind = .badInput
      remedy = "Is \"caFile\" in the config a file of certificates (PEM) that can be read?"
    } else if words.contains("expired") || words.contains("not yet valid") {
      remedy = "Is the clock of this machine right? If it is, the server needs a new certificate."
    } else if words.contains("subject name") || words.contains("mismatch") {
      remedy = "The certificate was made for another name: use that one as \"server\" in the config."
    } else if Int(code) == CC_TLS_PEER {
      remedy = "If it is your club's own server, name its certificate as \"caFile\" in the config."
    } else {
      kind = .badInput
      remedy = "Does the server use encryption (https) on this port?"
    }
    return StoreError(kind, "The secure connection to \(origin) was refused: \(words).", remedy: remedy)
  }

  /// The connection ended too early.
  static func cut(_ origin: HTTPOrigin, _ moment: String) -> StoreError {
    StoreError(.offline, "The connection to \(origin.place) was cut \(moment).", remedy: "Try again.")
  }

  /// What answered is no web server.
  static func notHTTP(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .server, "The server at \(origin) does not speak HTTP.",
      remedy: origin.isEncrypted
        ? "Is the address of the server right?"
        : "If the server uses encryption, write https:// instead of http:// in the config.")
  }

  /// One of our own clocks ran out.
  static func expired(_ expiry: TransferClock.Expiry, _ origin: HTTPOrigin) -> StoreError {
    switch expiry {
    case .idle(let limit):
      StoreError(
        .offline, "Nothing moved between here and \(origin) for \(seconds(limit)).",
        remedy: "The network or the server is stuck: try again.")
    case .whole(let limit):
      StoreError(
        .offline, "\(origin) was not done within \(seconds(limit)).", remedy: "The network may be too slow: try again.")
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let parts = duration.components
    let tenths = parts.seconds * 10 + parts.attoseconds / 100_000_000_000_000_000
    if tenths == 10 { return "1 second" }
    return tenths % 10 == 0 ? "\(tenths / 10) seconds" : "\(tenths / 10).\(tenths % 10) seconds"
  }
}
