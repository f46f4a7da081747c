internal import CCurl
internal import FileStores

/// What libcurl ended with, in words for people.
struct CurlFault {
  let code: Int32
  /// libcurl's own words.
  let words: String
  /// What a proxy answered to CONNECT; 0 without one.
  let proxyStatus: Int
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
      return StoreError(.offline, "\(origin) cannot be reached (\(words)).", remedy: CurlFault.isOnline)
    case CC_NO_PROXY_HOST, CC_PROXY_FAILED, CC_NO_CONNECTION:
      return StoreError(
        .offline, "The proxy on the way to \(origin) cannot be used\(proxyWords).", remedy: "See HTTPS_PROXY.")
    case CC_TIMED_OUT:
      return StoreError(
        .offline, "No connection to \(origin) came about within \(CurlFault.seconds(timeouts.connect)).",
        remedy: CurlFault.isOnline)
    case CC_TLS_PEER, CC_TLS_CONNECT, CC_TLS_CIPHER, CC_TLS_CA_FILE, CC_TLS_ISSUER: return untrusted(origin)
    case CC_UNSUPPORTED_PROTOCOL, CC_WEIRD_REPLY: return CurlFault.notHTTP(origin)
    case CC_URL_MALFORMED:
      return StoreError(.badInput, "libcurl does not take the address of \(origin) (\(words)).")
    case CC_OUT_OF_MEMORY:
      // The same code for a line of the header that is longer than libcurl takes.
      return StoreError(
        .server, "The answer of \(origin) cannot be taken: its header is too long, or memory is short.")
    default:
      return CurlFault.cut(origin, hasAnswer ? "in the middle of its answer" : "before it answered", words)
    }
  }

  /// Whether libcurl could not read the variable for the proxy. Its words then repeat that, a password included.
  private var isAboutProxy: Bool { words.hasPrefix("Unsupported proxy") }

  private var proxyWords: String { isAboutProxy ? ": its address cannot be read" : " (\(words))" }

  private func untrusted(_ origin: HTTPOrigin) -> StoreError {
    let remedy: String
    if Int(code) == CC_TLS_CA_FILE {
      remedy = "Is \"caFile\" in the config a file of certificates (PEM) that can be read?"
    } else if words.contains("expired") || words.contains("not yet valid") {
      remedy = "Is the clock of this machine right? If it is, the server needs a new certificate."
    } else if words.contains("subject name") || words.contains("mismatch") {
      remedy = "The certificate was made for another name: use that one as \"server\" in the config."
    } else if Int(code) == CC_TLS_PEER {
      remedy = "If it is your club's own server, name its certificate as \"caFile\" in the config."
    } else {
      remedy = "Does the server speak TLS on this port?"
    }
    return StoreError(.offline, "The secure connection to \(origin) was refused: \(words).", remedy: remedy)
  }

  /// The connection ended too early.
  static func cut(_ origin: HTTPOrigin, _ moment: String, _ words: String = "") -> StoreError {
    StoreError(
      .offline, "The connection to \(origin) was cut \(moment)\(words.isEmpty ? "" : " (\(words))").",
      remedy: "Try again.")
  }

  /// What answered is no web server.
  static func notHTTP(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .server, "What answers at \(origin) does not speak HTTP.", remedy: "Is the address of the server right?")
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
