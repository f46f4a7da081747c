/// The line that says what happened last.
public struct NoticeLine: Hashable, Sendable {
  /// How much it matters.
  public enum Kind: Hashable, Sendable {
    /// Something was done.
    case information
    /// Something was not done. It stays until a key is pressed.
    case error
  }

  /// The sentence; any bytes.
  public var text: [UInt8]
  /// How much it matters.
  public var kind: Kind

  /// Makes a line.
  public init(_ text: String, _ kind: Kind = .information) {
    self.text = Array(text.utf8)
    self.kind = kind
  }

  /// How many rows it needs at a width, up to 4: an error is wrapped, anything else is cut.
  public func height(for width: Int) -> Int {
    kind == .error ? min(4, max(1, Paragraph(marked).rows(width: width - 2).count)) : 1
  }

  /// Draws on the whole canvas. An error is bold and begins with an exclamation mark, so that it is known without
  /// colour.
  public func draw(on canvas: inout Canvas) {
    canvas.line(of: hashValue, drawText)
  }

  private func drawText(on canvas: inout Canvas) {
    let size = canvas.size
    let style: Style = kind == .error ? .bold : .plain
    if kind == .error, size.height > 1 {
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
