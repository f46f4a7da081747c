import HTTPTypes

/// The two ends of a request: the server as the client addresses it, and the client.
struct Address: Sendable {
  /// Scheme and host as the client knows them.
  let origin: String
  let query: [String: String]
  /// The client's IP address. Failures are counted by it.
  let peer: String

  /// - Parameters:
  ///   - peer: the other end of the connection.
  ///   - isSecure: true if the connection is encrypted.
  init(_ head: HTTPRequest, peer: String, isSecure: Bool, proxies: TrustedProxies) {
    let client = proxies.client(of: head, peer: peer, isSecure: isSecure)
    let host = head.authority ?? "localhost"
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"): true
      default: false
      }
    }
    origin = (client.isSecure ? "https://" : "http://") + (isPlain ? host : "localhost")
    query = FormText.query(of: head)
    self.peer = client.peer
  }
}
