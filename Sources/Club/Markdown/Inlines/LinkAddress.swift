internal import Basics

/// An address that a link of a note may lead to, in the app and on a page: `http` and `https` with a host, and `mailto`
/// with a recipient.
public struct LinkAddress: Sendable, Hashable {
  /// The address as the desktop or a browser gets it.
  public let text: String
  public let isMail: Bool

  /// The headers of `mailto` that go on; others may attach files.
  private static let mailHeaders: Set<String> = ["subject", "body", "cc"]

  /// Nil for any other address, for one with control characters, and for one of the web with a user's name: a name
  /// before the host can pass for the host.
  public init?(_ address: String) {
    guard !address.unicodeScalars.contains(where: Self.isControl), let colon = address.firstIndex(of: ":") else {
      return nil
    }
    let rest = address[address.index(after: colon)...]
    switch address[..<colon].lowercased() {
    case "http", "https":
      guard rest.hasPrefix("//") else { return nil }
      let host = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
      guard !host.isEmpty, !host.contains("@") else { return nil }
      (text, isMail) = (address, false)
    case "mailto":
      let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard let recipient = parts.first, !recipient.isEmpty else { return nil }
      let headers = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter(Self.isHarmless)
      text = "mailto:\(recipient)" + (headers.isEmpty ? "" : "?" + headers.joined(separator: "&"))
      isMail = true
    default: return nil
    }
  }

  private static func isHarmless(_ header: Substring) -> Bool {
    let name = String(header.prefix { $0 != "=" })
    return mailHeaders.contains((PercentEncoding.decoded(name, plusIsSpace: false) ?? name).lowercased())
  }

  public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }
}
