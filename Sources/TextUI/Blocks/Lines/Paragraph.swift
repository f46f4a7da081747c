/// A short text wrapped at words, for messages and descriptions.
struct Paragraph: Sendable {
  let text: TextBuffer

  init(_ bytes: [UInt8]) { text = TextBuffer(bytes) }

  /// At most 100 rows, without the spaces at which they were broken.
  func rows(width: Int) -> [ArraySlice<UInt8>] {
    SoftWrap(width: width).rows(from: 0, count: 100, in: text).map { row in
      var bytes = text.bytes(in: row.start..<row.end)[...]
      while bytes.last == 0x20 { bytes.removeLast() }
      return bytes
    }
  }
}
