/// Leaves out application strings (APC): libvterm 0.1.4 prints them, which terminals do not.
struct StringFilter {
  private enum State { case text, escape, string, stringEscape }

  private var state = State.text

  /// An ESC at the end waits for the next byte.
  mutating func text(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
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
    return text
  }
}
