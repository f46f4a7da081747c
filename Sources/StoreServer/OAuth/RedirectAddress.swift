/// Where a sign-in page may send a browser back to: this machine, and what is registered for the program's app key.
enum RedirectAddress {
  private static let mostBytes = 500
  private static let allowed = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/?=&%._~-[]".utf8)

  /// Whether a browser may be sent there.
  static func isAllowed(_ address: String, among registered: [String]) -> Bool {
    isLoopback(address) || registered.contains { $0.utf8.elementsEqual(address.utf8) }
  }

  /// An address on this machine (RFC 8252, section 7.3), of plain characters only.
  static func isLoopback(_ address: String) -> Bool {
    guard isPlain(address) else { return false }
    for host in ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"] where address.hasPrefix(host) {
      let rest = address.dropFirst(host.count)
      let port = rest.prefix { $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(port.count).first
      return (UInt16(port) ?? 0) > 0 && (after == nil || after == "/" || after == "?")
    }
    return false
  }

  /// An address that may be registered: at a host by HTTPS, or of a scheme that a program has for itself (RFC 8252,
  /// section 7.1), which holds a dot or, as Dropbox has it, a dash.
  static func mayBeRegistered(_ address: String) -> Bool {
    guard isPlain(address), let colon = address.firstIndex(of: ":") else { return false }
    let scheme = address[..<colon]
    let rest = address[address.index(after: colon)...]
    if scheme == "https" {
      let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != ":" }
      return rest.hasPrefix("//") && host.contains { $0.isLetter || $0.isNumber }
    }
    let isOwn = scheme.contains(".") || scheme.contains("-")
    return isOwn && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  private static func isPlain(_ address: String) -> Bool {
    address.utf8.count <= mostBytes && address.utf8.allSatisfy { allowed.contains($0) }
  }
}
