/// The number of words in a text, counted a slice at a time and kept through edits. Words are separated by white space.
struct WordCount: Sendable {
  /// In the counted part.
  private(set) var count = 0
  /// The end of the counted part, in bytes.
  private(set) var counted = 0

  /// Bytes; counting a slice takes about a millisecond.
  static let slice = 1 << 20

  mutating func countOn(in text: TextBuffer) {
    let end = min(text.count, counted + Self.slice)
    guard counted < end else { return }
    let isAfterSpace = counted == 0 || Self.isSpace(text[counted - 1])
    count += Self.starts(in: text.bytes(in: counted..<end), afterSpace: isAfterSpace)
    counted = end
  }

  /// `text` already has the new bytes.
  mutating func replaced(_ old: [UInt8], at offset: Int, with new: [UInt8], in text: TextBuffer) {
    // A text that was counted stays so.
    let wasWhole = counted == text.count - new.count + old.count
    defer { if wasWhole { while counted < text.count { countOn(in: text) } } }
    guard offset < counted else { return }
    let isAfterSpace = offset == 0 || Self.isSpace(text[offset - 1])
    guard offset + old.count < counted else {
      count -= Self.starts(in: Array(old.prefix(counted - offset)), afterSpace: isAfterSpace)
      counted = offset
      return
    }
    // The byte behind the edit may begin a word, or no longer.
    let next = [text[offset + new.count]]
    count += Self.starts(in: new + next, afterSpace: isAfterSpace)
    count -= Self.starts(in: old + next, afterSpace: isAfterSpace)
    counted += new.count - old.count
  }

  private static func starts(in bytes: [UInt8], afterSpace: Bool) -> Int {
    var wasSpace = afterSpace
    var count = 0
    for byte in bytes {
      let isSpace = isSpace(byte)
      if wasSpace, !isSpace { count += 1 }
      wasSpace = isSpace
    }
    return count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
