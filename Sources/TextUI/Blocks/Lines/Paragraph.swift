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

extension Canvas {
  /// Writes text wrapped at words, with a free column at the right, from row `y` down as far as there is room.
  /// - Returns: the row below it.
  @discardableResult
  public mutating func paragraph(_ text: String, x: Int, y: Int, style: Style = .plain) -> Int {
    let rows = Paragraph(Array(text.utf8)).rows(width: max(1, size.width - x - 1))
    for (offset, row) in rows.enumerated() { self.text(row, x: x, y: y + offset, style: style) }
    return y + rows.count
  }
}
