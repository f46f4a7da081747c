internal import CCurl
internal import FileStores
internal import POSIX

struct CurlFault {
  let code: Int32
  let words: String
  let proxyStatus: Int
  var systemError: Int32 = 0
  let hasAnswer: Bool

  private static let isOnline = "Check the network of this machine and the server's address."

  func error(_ origin: HTTPOrigin, _ timeouts: HTTPTimeouts) -> StoreError {
    if proxyStatus >= 300 {
      return StoreError(
        .offline, "The proxy refused the connection to \(origin) (status \(proxyStatus)).",
        remedy: proxyStatus == 407
          ? "Give it a name and a password: HTTPS_PROXY=http://name:password@host:port"
          : "Check the variable HTTPS_PROXY.")
    }
    switch Int(code) {
    case CC_NO_HOST:
      return StoreError(.offline, "DNS does not know the name \"\(origin.host)\".", remedy: CurlFault.isOnline)
    case CC_NO_CONNECTION where !isAboutProxy:
      return unreachable(origin)
    case CC_NO_PROXY_HOST, CC_PROXY_FAILED, CC_NO_CONNECTION:
      return StoreError(
        .offline, "The proxy on the way to \(origin) does not work\(proxyWords).",
        remedy: "Check the variable HTTPS_PROXY.")
    case CC_TIMED_OUT:
      return StoreError(
        .offline, "\(origin.place) did not answer within \(CurlFault.seconds(timeouts.connect)).",
        remedy: CurlFault.isOnline
      ).ofSilence(timeouts.connect)
    case CC_TLS_PIN: return CurlFault.otherKey(origin)
    case CC_TLS_CONNECT where wasBroken: return CurlFault.cut(origin, "before it answered")
    case CC_TLS_PEER, CC_TLS_CONNECT, CC_TLS_CIPHER, CC_TLS_CA_FILE, CC_TLS_ISSUER: return untrusted(origin)
    case CC_UNSUPPORTED_PROTOCOL, CC_WEIRD_REPLY: return CurlFault.notHTTP(origin)
    case CC_GOT_NOTHING where !origin.isEncrypted && !hasAnswer:
      return StoreError(
        .offline, "The connection to \(origin.place) was cut before it answered.",
        remedy: "Try again. If the server uses encryption, write https:// instead of http:// in the config.")
    case CC_URL_MALFORMED:
      return StoreError(.badInput, "The address of \(origin) is invalid (\(words)).")
    case CC_OUT_OF_MEMORY:
      // libcurl uses the same code for a header line above its limit.
      return StoreError(
        .server, "The header of \(origin)'s answer is too long, or this machine is short of memory.")
    // The response ended properly, but shorter than announced. Many broken connections look the same.
    case CC_PARTIAL_FILE:
      let cut = CurlFault.cut(origin, "during its answer")
      return StoreError(cut.kind, cut.message, remedy: cut.remedy, isWrongAnswer: true)
    default:
      return CurlFault.cut(origin, hasAnswer ? "during its answer" : "before it answered")
    }
  }

  private func unreachable(_ origin: HTTPOrigin) -> StoreError {
    switch systemError {
    case ECONNREFUSED:
      StoreError(
        .offline, "\(origin.place) refuses connections.", remedy: "Ask the club's owner whether the server runs.")
    case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL:
      StoreError(.offline, "This machine has no route to \(origin.place).", remedy: CurlFault.isOnline)
    default: StoreError(.offline, "byteclub cannot reach \(origin.place).", remedy: CurlFault.isOnline)
    }
  }

  /// True if the connection broke during the TLS handshake; libcurl has one code for all handshake errors.
  private var wasBroken: Bool {
    ["reset", "SYSCALL", "unexpected eof", "Broken pipe", "timed out"].contains { words.contains($0) }
  }

  /// True if libcurl could not parse the proxy variable. Its error text then contains the variable, password included.
  private var isAboutProxy: Bool { words.hasPrefix("Unsupported proxy") }

  private var proxyWords: String { isAboutProxy ? ": its address is invalid" : " (\(words))" }

  /// The TLS connection failed. A retry fixes neither a wrong config nor an untrusted server.
  private func untrusted(_ origin: HTTPOrigin) -> StoreError {
    switch Int(code) {
    case CC_TLS_CA_FILE:
      StoreError(
        .badInput, "byteclub cannot read the certificates for \(origin).",
        remedy: "Check that \"caFile\" in the config is a readable PEM file of certificates.")
    case _ where words.contains("expired"):
      StoreError(
        .notPermitted, "The certificate of \(origin) has expired.",
        remedy: "Check the clock of this machine, or renew the server's certificate.")
    case _ where words.contains("not yet valid"):
      StoreError(
        .notPermitted, "The certificate of \(origin) is not valid yet.",
        remedy: "Check the clock of this machine, or renew the server's certificate.")
    case _ where words.contains("subject name") || words.contains("mismatch"):
      StoreError(
        .notPermitted, "The certificate of \(origin) is for another name.",
        remedy: "The address needs the certificate's name: ask the club's owner, or set \"server\" in the config.")
    case CC_TLS_PEER:
      StoreError(
        .notPermitted, "byteclub does not trust the certificate of \(origin)\(certificateWords).",
        remedy: "If it is your club's own server, ask its owner for a line with the server's key, or set \"caFile\" or "
          + "\"pin\" in the config.")
    default:
      StoreError(
        .badInput, "\(origin) did not set up an encrypted connection.",
        remedy: "Check that the server uses encryption (https) on this port.")
    }
  }

  /// OpenSSL's reason for rejecting a certificate, such as ": self-signed certificate".
  private var certificateWords: String {
    let mark = "certificate problem: "
    return words.firstRange(of: mark).map { ": \(words[$0.upperBound...])" } ?? ""
  }

  /// The server proved another key than the club's pin. A retry cannot help: it is another server, or it has a new key.
  private static func otherKey(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .notPermitted, "The server at \(origin) has another key than the club's invitation says. Nothing was sent to it.",
      remedy: "Ask the club's owner for a new line. If the server's key was not changed, somebody else answers for it.")
  }

  /// Without its pin a server would be trusted blindly, so no connection is made.
  static func unpinned(_ origin: HTTPOrigin, _ code: Int32) -> StoreError {
    StoreError(
      .unsupported,
      "byteclub did not connect to \(origin): libcurl did not take the pin of the server's key (error \(code)).",
      remedy:
        "Install a libcurl that checks pins, such as libcurl4 of Debian and Ubuntu, and check \"pin\" in the config."
    )
  }

  static func unstarted(_ request: HTTPRequest) -> StoreError {
    StoreError(.offline, "byteclub could not start the request \(request.name).", remedy: "Try again.")
  }

  static func cut(_ origin: HTTPOrigin, _ moment: String) -> StoreError {
    StoreError(.offline, "The connection to \(origin.place) was cut \(moment).", remedy: "Try again.")
  }

  static func notHTTP(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .server, "The server at \(origin) does not speak HTTP.",
      remedy: origin.isEncrypted
        ? "Check the server's address."
        : "If the server uses encryption, write https:// instead of http:// in the config.", isWrongAnswer: true)
  }

  /// The server confirmed bytes that it cannot have.
  static func early(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .server, "\(origin.place) answered that all is done before it had all bytes.",
      remedy: "Try again. If it happens again, ask the server's owner.", isWrongAnswer: true)
  }

  /// The server compressed its answer without a request for that. libcurl would unpack it without a limit.
  static func encoded(_ origin: HTTPOrigin, _ encoding: String) -> StoreError {
    StoreError(
      .server, "\(origin.place) sent an answer in the encoding \"\(encoding)\", which byteclub did not ask for.",
      remedy: "Ask the server's owner to send answers without compression.", isWrongAnswer: true)
  }

  static func unclearLength(_ origin: HTTPOrigin) -> StoreError {
    StoreError(
      .server, "\(origin.place) sent an answer with several lengths, or with one that is no number.",
      remedy: "Try again. If it happens again, ask the server's owner.", isWrongAnswer: true)
  }

  static func endlessHead(_ origin: HTTPOrigin, _ limit: Duration) -> StoreError {
    StoreError(
      .offline, "\(origin.place) sent only headers for \(seconds(limit)), and no answer.",
      remedy: "Try again. If it happens again, ask the server's owner."
    ).ofSilence(limit)
  }

  static func expired(_ expiry: TransferClock.Expiry, _ origin: HTTPOrigin) -> StoreError {
    switch expiry {
    case .idle(let limit):
      StoreError(
        .offline, "No data moved between this machine and \(origin) for \(seconds(limit)).",
        remedy: "Try again."
      ).ofSilence(limit)
    case .slow(let window):
      StoreError(
        .offline,
        "Fewer than \(TransferClock.leastRate) bytes a second moved between this machine and \(origin) for "
          + "\(seconds(window)).", remedy: "Try again."
      ).ofSilence(window)
    case .whole(let limit):
      StoreError(
        .offline, "\(origin) did not finish within \(seconds(limit)).",
        remedy: "The network may be too slow. Try again."
      ).ofSilence(limit)
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let parts = duration.components
    let tenths = parts.seconds * 10 + parts.attoseconds / 100_000_000_000_000_000
    if tenths == 10 { return "1 second" }
    return tenths % 10 == 0 ? "\(tenths / 10) seconds" : "\(tenths / 10).\(tenths % 10) seconds"
  }
}
