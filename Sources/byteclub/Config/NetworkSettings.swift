import Backends

/// What the config says about requests to any server.
struct NetworkSettings: Sendable, Hashable {
  /// A field of a request's header.
  struct Field: Sendable, Hashable {
    /// Its name.
    let name: String
    /// What it says.
    let value: String
  }

  /// So long nothing may come or go.
  var requestTimeoutSeconds = 30
  /// So long a request may take in all.
  var resourceTimeoutSeconds = 86_400
  /// So many requests, and so many transfers of content, at the same time.
  var connectionsPerHost = 4
  /// For the club's server alone.
  var headers: [Field] = []

  /// What byteclub or the protocol says itself.
  private static let taken: Set<String> = [
    "authorization", "connection", "content-length", "content-type", "dropbox-api-arg", "expect", "host",
    "if-match", "if-none-match", "keep-alive", "proxy-authorization", "range", "te", "trailer", "transfer-encoding",
    "upgrade", "user-agent",
  ]

  /// Why a field cannot have this name, as the end of a sentence; nil when it can.
  static func fault(inName name: String) -> String? {
    let isName = name.utf8.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard isName, !name.isEmpty else { return "is not the name of a header field; use letters, digits, - and _" }
    return taken.contains(name.lowercased()) ? "is a field that byteclub sets itself; use another" : nil
  }

  /// Puts all of it into the options of a transport, with the name and version of this program.
  func apply(to options: inout HTTPOptions) {
    options.userAgent = "byteclub/\(BuildVersion.number)"
    options.timeouts.idle = .seconds(requestTimeoutSeconds)
    // A server that cannot be reached at all is waited for no longer than one that is silent.
    options.timeouts.connect = min(options.timeouts.connect, .seconds(requestTimeoutSeconds))
    options.timeouts.whole = .seconds(resourceTimeoutSeconds)
    options.connectionsPerHost = connectionsPerHost
    for field in headers { options.headers.append(field.name, field.value) }
  }
}
