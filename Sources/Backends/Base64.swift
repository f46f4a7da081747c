/// Bytes as text (RFC 4648, section 4).
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil for what is none. Padding may be left out.
  static func bytes(of text: String) -> [UInt8]? {
    var text = Array(text.utf8)
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    if text.count % 4 == 1 { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var bits = 0
    var count = 0
    for letter in text {
      guard let value = values[Int(letter)] else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }

  /// What each letter stands for.
  private static let values: [Int?] = {
    var values = [Int?](repeating: nil, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = value }
    return values
  }()
}
