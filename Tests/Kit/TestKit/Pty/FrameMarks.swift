/// Finds the frames of a program: what it writes between the marks of a synchronized update (`CSI ? 2026 h` and `l`, after
/// https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036).
struct FrameMarks {
  /// True in a frame that has not ended.
  private(set) var isOpen = false
  /// The number of bytes of a mark that the last bytes were.
  private var matched = 0

  private static let mark = Array("\u{1B}[?2026".utf8)

  /// Parts of the output: each ends with the end of a frame, but for the last.
  mutating func parts(of output: [UInt8]) -> [Part] {
    var (parts, start): ([Part], Int) = ([], 0)
    for (index, byte) in output.enumerated() {
      let isMark = matched == Self.mark.count
      if !isMark, byte == Self.mark[matched] {
        matched += 1
        continue
      }
      matched = byte == Self.mark[0] ? 1 : 0
      guard isMark, byte == UInt8(ascii: "h") || byte == UInt8(ascii: "l") else { continue }
      isOpen = byte == UInt8(ascii: "h")
      guard !isOpen else { continue }
      parts.append(Part(bytes: output[start...index], isWhole: true))
      start = index + 1
    }
    if start < output.count { parts.append(Part(bytes: output[start...], isWhole: !isOpen)) }
    return parts
  }

  struct Part {
    var bytes: ArraySlice<UInt8>
    /// No frame is open after it.
    var isWhole: Bool
  }
}
