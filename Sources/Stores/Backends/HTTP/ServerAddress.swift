public import FileStores

/// The address by which members reach a server of byteclub's own kind, as it stands in an invitation.
public struct ServerAddress: Sendable, Hashable {
  private let server: HTTPOrigin

  /// Scheme, host and, unless it is the usual one, port: `https://club.example:8443`.
  public var origin: String { server.description }

  /// Lower case, without brackets.
  public var host: String { server.host.filter { !"[]".contains($0) } }

  /// - Throws: `badInput` for anything else than scheme, host and port.
  public init(_ text: String) throws(StoreError) {
    guard let server = HTTPOrigin(server: text) else {
      throw StoreError(
        .badInput, "\"\(text)\" is no address of a server: that is a scheme, a host in ASCII and perhaps a port.",
        remedy: "Write it as https://HOST or https://HOST:PORT, as members reach the server.")
    }
    self.server = server
  }

  /// The line of an invitation. What stands behind `#` is never sent in a request's address.
  public func invitation(code: String, pin: KeyPin?) -> String {
    "\(origin)/join#\(code)" + (server.isEncrypted ? pin.map { "." + $0.base64url } ?? "" : "")
  }

  /// Sentences about reasons why a friend may not reach this address, or not safely.
  public var warnings: [String] {
    var warnings: [String] = []
    let isAddress = host.contains(":") || host.last?.isNumber == true
    if server.isLoopback {
      warnings.append("\(origin) leads to this machine alone: nobody can join from another one.")
    } else if isAddress ? !IPAddress.isPublic(host) : ServerAddress.isLocal(host) {
      warnings.append("\(origin) is known in your own network alone: nobody can join from outside of it.")
    }
    if !server.isEncrypted {
      warnings.append("Without https anyone on the way can read the invitation, the club's files and its tokens.")
    }
    return warnings
  }

  /// Names of a home's network (RFC 6762, RFC 8375, and ICANN's "internal"), and those without a dot.
  private static func isLocal(_ name: String) -> Bool {
    !name.contains(".") || [".local", ".lan", ".home", ".home.arpa", ".internal"].contains { name.hasSuffix($0) }
  }
}
