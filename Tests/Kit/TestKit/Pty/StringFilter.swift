/// Leaves out application strings (APC): libvterm 0.1.4 prints them, which terminals do not. It also loses a character whose
/// bytes come in two pieces, so those wait for the rest.
struct StringFilter {
  private enum State { case text, escape, string, stringEscape }

  private var state = State.text
  /// The beginning of a character.
  private var rest: [UInt8] = []

  /// An ESC at the end waits for the next byte, and the beginning of a character for its end.
  mutating func text(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var text = rest
    rest = []
    for byte in bytes {
      switch (state, byte) {
      case (.text, 0x1B): state = .escape
      case (.text, _): text.append(byte)
      case (.escape, 0x5F): state = .string
      case (.escape, 0x1B): text.append(0x1B)
      case (.escape, _):
        text += [0x1B, byte]
        state = .text
      case (.string, 0x1B): state = .stringEscape
      case (.stringEscape, 0x5C): state = .text
      case (.stringEscape, 0x1B), (.string, _): break
      case (.stringEscape, _): state = .string
      }
    }
    for count in 1...3 where count <= text.count {
      let byte = text[text.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      if length > count {
        rest = Array(text.suffix(count))
        text.removeLast(count)
      }
      break
    }
    return text
  }
}
