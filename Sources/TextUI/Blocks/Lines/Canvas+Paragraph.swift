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
