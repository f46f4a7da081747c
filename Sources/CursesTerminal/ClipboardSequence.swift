/// The bytes that offer text to a terminal's clipboard (OSC 52, xterm's `ctlseqs`). Pure.
enum ClipboardSequence {
  /// Longer text is not offered: terminals cut or drop what is longer, xterm at some 75,000 bytes.
  static let longestText = 74_000

  /// The bytes for `text`, without its controls other than line ends and tabs. Nil when it is too long.
  ///
  /// tmux takes the plain form when its `set-clipboard` is `on`, and hands the wrapped one on when `allow-passthrough`
  /// is: both are sent, they mean the same.
  static func bytes(offering text: String, isInTmux: Bool) -> [UInt8]? {
    var kept: [UInt8] = []
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      if !isControl || scalar == "\n" || scalar == "\t", let units = UTF8.encode(scalar) { kept += units }
    }
    guard kept.count <= longestText else { return nil }
    let offer = Array("\u{1B}]52;c;".utf8) + base64(kept) + Array("\u{7}".utf8)
    guard isInTmux else { return offer }
    return offer + Array("\u{1B}Ptmux;\u{1B}".utf8) + offer + Array("\u{1B}\\".utf8)
  }

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let left = bytes.count - start
      let group =
        UInt32(bytes[start]) << 16 | (left > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[start + 2]) : 0)
      encoded.append(digits[Int(group >> 18)])
      encoded.append(digits[Int(group >> 12 & 63)])
      encoded.append(left > 1 ? digits[Int(group >> 6 & 63)] : 0x3D)
      encoded.append(left > 2 ? digits[Int(group & 63)] : 0x3D)
    }
    return encoded
  }
}
