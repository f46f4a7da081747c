public import FileStores

/// The address by which members reach a server of byteclub's own kind, as it stands in an invitation.
public struct ServerAddress: Sendable, Hashable {
  /// Scheme, host and port: `https://club.example:8443`.
  public let origin: String
  private let isSecure: Bool
  /// Lower case, without brackets.
  public let host: String

  /// - Throws: `badInput` for anything else than scheme, host and port.
  public init(_ text: String) throws(StoreError) {
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else {
      throw ServerAddress.wrong(text, "it does not begin with https:// or http://")
    }
    var rest = lower.dropFirst(scheme.count)
    if rest.last == "/" { rest.removeLast() }
    let isBracketed = rest.first == "["
    let end = isBracketed ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
    let (name, port) = (rest[..<(end ?? rest.endIndex)], rest[(end ?? rest.endIndex)...])
    host = String(isBracketed ? name.dropFirst().dropLast() : name)
    let isPlain = host.allSatisfy { sign in
      sign.isASCII && (sign.isLetter || sign.isNumber || (isBracketed ? ":." : "-.").contains(sign))
    }
    guard isPlain, !host.isEmpty, !isBracketed || end != nil else {
      throw ServerAddress.wrong(
        text, "\"\(name)\" is no host in ASCII; a path, a name or a password does not belong there")
    }
    let digits = port.dropFirst()
    guard port.isEmpty || port.first == ":" && digits.allSatisfy(\.isNumber) && 1...65_535 ~= Int(digits) ?? 0 else {
      throw ServerAddress.wrong(text, "\"\(port)\" is no port")
    }
    isSecure = scheme == "https://"
    origin = scheme + rest
  }

  private static func wrong(_ text: String, _ reason: String) -> StoreError {
    StoreError(
      .badInput, "\"\(text)\" is no address of a server: \(reason).",
      remedy: "Write it as https://HOST or https://HOST:PORT, as members reach the server.")
  }

  /// The line of an invitation. What stands behind `#` is never sent in a request's address.
  public func invitation(code: String, pin: KeyPin?) -> String {
    "\(origin)/join#\(code)" + (isSecure ? pin.map { "." + $0.base64url } ?? "" : "")
  }

  /// Sentences about reasons why a friend may not reach this address, or not safely.
  public var warnings: [String] {
    var warnings: [String] = []
    let isAddress = host.contains(":") || host.last?.isNumber == true
    if host == "localhost" || host == "::1" || host.hasPrefix("127.") && isAddress {
      warnings.append("\(origin) leads to this machine alone: nobody can join from another one.")
    } else if isAddress ? !IPAddress.isPublic(host) : ServerAddress.isLocal(host) {
      warnings.append("\(origin) is known in your own network alone: nobody can join from outside of it.")
    }
    if !isSecure {
      warnings.append("Without https anyone on the way can read the invitation, the club's files and its tokens.")
    }
    return warnings
  }

  /// Names of a home's network (RFC 6762, RFC 8375, and ICANN's "internal"), and those without a dot.
  private static func isLocal(_ name: String) -> Bool {
    !name.contains(".") || [".local", ".lan", ".home", ".home.arpa", ".internal"].contains { name.hasSuffix($0) }
  }
}
