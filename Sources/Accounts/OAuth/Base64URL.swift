/// base64url without padding (RFC 4648, section 5).
enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The text of bytes.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(piece.count)))
      for place in 0...piece.count { text.append(digits[Int(bits >> (18 - 6 * UInt32(place)) & 63)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of random bytes.
  static func random(bytes count: Int, from source: inout some RandomNumberGenerator) -> String {
    text((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) })
  }
}
