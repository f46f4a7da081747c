/// Strings of the terminal (OSC, DCS, SOS, PM, APC), and what becomes of sequences that do not end.
extension InputDecoder {
  /// Answers hold printable bytes and end with `ESC \`, those of OSC also with BEL. Any other control is a key of
  /// somebody who types, and then what stands before it was typed, too.
  mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07 where held.first == 0x5D: reset()
    case 0..<0x20, 0x7F: giveBack(before: byte)
    case _ where held.count > Self.longestString: giveBack(before: byte)
    default: held.append(byte)
    }
  }

  /// Whether what is held begins as answers do: `]11;`, `P>|`, `P1+r`, `_G`.
  var beginsAnswer: Bool {
    guard let introducer = held.first, held.count > 1 else { return false }
    let rest = held[1...]
    switch introducer {
    case 0x5D: return rest.first.map(Self.isDigit) == true
    case 0x50: return rest.first { !Self.isDigit($0) && $0 != 0x3B }.map("+$>!|".utf8.contains) ?? true
    case 0x5F: return rest.first == 0x47
    default: return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Nothing ended the sequence: its introducer was typed with Alt, and what is held after that is input again.
  mutating func giveBack() {
    let typed = held
    let isAlt = alt
    reset()
    // ESC ESC [ was Escape, then Alt and a key.
    if isAlt { emit(.escape) }
    guard let introducer = typed.first else { return }
    emit(Key(.character(Unicode.Scalar(introducer)), .alt))
    for byte in typed.dropFirst() { take(byte) }
  }

  /// The same, and then a byte.
  mutating func giveBack(before byte: UInt8) {
    giveBack()
    take(byte)
  }
}
