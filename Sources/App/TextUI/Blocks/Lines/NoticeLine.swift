public struct NoticeLine: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case information
    /// Text that must be seen whole, such as an address.
    case whole
    /// Stays until a key is pressed.
    case error
  }

  public var text: [UInt8]
  public var kind: Kind

  public init(_ text: String, _ kind: Kind = .information) {
    self.text = Array(text.utf8)
    self.kind = kind
  }

  /// 1 to 4 rows: information is cut, other text is wrapped.
  public func height(for width: Int) -> Int {
    kind != .information ? min(4, max(1, Paragraph(marked).rows(width: width - 2).count)) : 1
  }

  /// An error is bold with an exclamation mark, which marks it without colour.
  public func draw(on canvas: inout Canvas) {
    canvas.line(of: hashValue, drawText)
  }

  private func drawText(on canvas: inout Canvas) {
    let size = canvas.size
    let style = canvas[kind == .error ? .error : .notice]
    if kind != .information, size.height > 1 {
      let rows = Paragraph(marked).rows(width: size.width - 2)
      for (y, row) in rows.prefix(size.height).enumerated() {
        let isCut = y == size.height - 1 && rows.count > size.height
        canvas.text(isCut ? row + [0x20, 0x7E] : row, x: 1, y: y, style: style)
      }
    } else {
      canvas.text(marked[...], x: 1, y: 0, style: style)
    }
  }

  private var marked: [UInt8] { kind == .error ? Array("! ".utf8) + text : text }
}

package struct Paragraph: Sendable {
  let text: TextBuffer

  package init(_ bytes: [UInt8]) { text = TextBuffer(bytes) }

  /// At most 100 rows, without trailing spaces.
  package func rows(width: Int) -> [ArraySlice<UInt8>] {
    SoftWrap(width: width).rows(from: 0, count: 100, in: text).map { row in
      var bytes = text.bytes(in: row.start..<row.end)[...]
      while bytes.last == 0x20 { bytes.removeLast() }
      return bytes
    }
  }
}

extension Canvas {
  /// Wraps text at words from row `y` down, with a free column at the right; cuts it at the bottom. Returns the row
  /// below it.
  @discardableResult
  public mutating func paragraph(_ text: String, x: Int, y: Int, style: Style = .plain) -> Int {
    let rows = Paragraph(Array(text.utf8)).rows(width: max(1, size.width - x - 1))
    for (offset, row) in rows.enumerated() { self.text(row, x: x, y: y + offset, style: style) }
    return y + rows.count
  }
}
