import Backends
import ManualPages

struct NetworkSettings: Sendable, Hashable {
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  /// The longest silence of a connection.
  var requestTimeoutSeconds = 30
  /// The longest time of a request.
  var resourceTimeoutSeconds = 86_400
  /// The most requests at once, and the most transfers of content.
  var connectionsPerHost = 4
  /// Sent to the club's server only, and only for a club of the config (`ConfigReport.network`).
  var headers: [Field] = []

  /// Set by byteclub or the protocol.
  private static let taken: Set<String> = [
    "authorization", "connection", "content-length", "content-type", "dropbox-api-arg", "expect", "host",
    "if-match", "if-none-match", "keep-alive", "proxy-authorization", "range", "te", "trailer", "transfer-encoding",
    "upgrade", "user-agent",
  ]

  /// nil if a header may have the name, otherwise the reason as the end of a sentence.
  static func fault(inName name: String) -> String? {
    let isName = name.utf8.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard isName, !name.isEmpty else { return "is not the name of a header field; use letters, digits, - and _" }
    return taken.contains(name.lowercased()) ? "is a field that byteclub sets itself; use another" : nil
  }

  func apply(to options: inout HTTPOptions) {
    options.userAgent = "byteclub/\(BuildVersion.number)"
    options.timeouts.idle = .seconds(requestTimeoutSeconds)
    // An unreachable server times out no later than a silent one.
    options.timeouts.connect = min(options.timeouts.connect, .seconds(requestTimeoutSeconds))
    options.timeouts.whole = .seconds(resourceTimeoutSeconds)
    options.connectionsPerHost = connectionsPerHost
    for field in headers { options.headers.append(field.name, field.value) }
  }
}
