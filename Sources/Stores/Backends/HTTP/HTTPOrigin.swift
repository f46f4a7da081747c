/// Scheme, host and port: the unit of trust (RFC 6454).
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
  public let isEncrypted: Bool
  /// Lowercase. An IPv6 address has its brackets.
  public let host: String
  public let port: UInt16

  /// nil for other schemes, a user or password, characters that need percent-encoding, and unusual hosts.
  public init?(_ url: String) {
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
      let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://")
    else { return nil }
    switch url[..<colon].lowercased() {
    case "https": isEncrypted = true
    case "http": isEncrypted = false
    default: return nil
    }
    let authority = url[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    var name = authority
    var number = Substring(isEncrypted ? "443" : "80")
    if let last = authority.lastIndex(of: ":"), !authority[last...].contains("]") {
      name = authority[..<last]
      number = authority[last...].dropFirst()
    }
    guard let port = UInt16(number), port > 0, number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      HTTPOrigin.isHost(name)
    else { return nil }
    host = name.lowercased()
    self.port = port
  }

  /// True for 127.0.0.0/8 and ::1 in any spelling, for `localhost` and names below it (RFC 6761), and for the names of ::1
  /// in Debian's /etc/hosts.
  public var isLoopback: Bool {
    ["localhost", "ip6-localhost", "ip6-loopback"].contains(host) || host.hasSuffix(".localhost")
      || IPAddress.isLoopback(host)
  }

  public var description: String {
    let usual = isEncrypted ? 443 : 80
    return (isEncrypted ? "https://" : "http://") + host + (port == usual ? "" : ":\(port)")
  }

  var place: String { String(description.drop { $0 != "/" }.dropFirst(2)) }

  private static func isHost(_ name: Substring) -> Bool {
    if name.hasPrefix("[") {
      return name.hasSuffix("]") && name.utf8.count > 3
        && name.dropFirst().dropLast().utf8.allSatisfy { isHex($0) || ":.".utf8.contains($0) }
    }
    return !name.isEmpty
      && name.utf8.allSatisfy {
        0x30...0x39 ~= $0 || 0x61...0x7A ~= HTTPHeaders.lower($0) || "-._".utf8.contains($0)
      }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= HTTPHeaders.lower(byte)
  }
}
