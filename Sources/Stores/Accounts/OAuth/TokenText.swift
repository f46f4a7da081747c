/// A header can carry tokens, and nothing in them could end it (RFC 6750, section 2.1).
enum TokenText {
  /// Longer than the tokens of any service.
  static let mostBytes = 16_384

  static func isToken(_ text: String) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= mostBytes else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F, 0x3D, 0x3A, 0x7C, 0x21: true
      default: false
      }
    }
  }

  /// Replaces secrets, and cuts to 2,000 characters.
  static func safe(_ text: String, without secrets: [String]) -> String {
    var result = text
    for secret in secrets where secret.utf8.count >= 4 {
      result = result.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "[secret]")
    }
    return result.utf8.count > 2000 ? result.prefix(2000) + "..." : result
  }

  /// The time does not depend on the place of a difference.
  static func matches(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
