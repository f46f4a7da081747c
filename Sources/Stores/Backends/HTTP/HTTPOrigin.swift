public import FileStores

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

  /// An address of a server alone: nothing but scheme, host and port, and perhaps one slash behind them.
  /// - Throws: `wrong` for any other text; `badInput` for an unencrypted origin on another machine,
  ///   where anyone on the way could read `secrets`, unless `allowingPlain`.
  public init(
    server: String, secrets: String, allowingPlain: Bool, orThrow wrong: StoreError
  ) throws(StoreError) {
    guard let origin = HTTPOrigin(server: server) else { throw wrong }
    try origin.check(secrets: secrets, allowingPlain: allowingPlain)
    self = origin
  }

  /// nil for anything but scheme, host and port, and perhaps one slash behind them.
  init?(server: String) {
    let place = server.firstRange(of: "://").map { server[$0.upperBound...] } ?? ""
    if (place.hasSuffix("/") ? place.dropLast() : place).contains(where: { "/?#".contains($0) }) { return nil }
    self.init(server)
  }

  /// - Throws: `badInput` if anyone on the way could read `secrets`, unless `allowingPlain`.
  func check(secrets: String, allowingPlain: Bool) throws(StoreError) {
    guard isEncrypted || isLoopback || allowingPlain else {
      throw StoreError(
        .badInput, "\(self) is not encrypted: anyone on the way could read \(secrets).",
        remedy: "Use https, or set \"network.allowPlainHTTP\" to \"anywhere\" in the config if you trust the network.")
    }
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
