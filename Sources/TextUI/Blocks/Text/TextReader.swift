/// Shows a text: wrapped at words, scrolled by rows. A text of any size opens at once; only what is in view is looked
/// at.
public struct TextReader: Sendable {
  /// The text.
  public let text: TextBuffer
  /// Columns and rows that it is drawn on.
  public private(set) var size = Size(80, 24)
  /// What is sought, and where it was found.
  public internal(set) var search: TextSearch?
  /// Where the first visible row begins.
  private(set) var top = 0

  /// A reader of these bytes.
  public init(_ bytes: [UInt8]) { text = TextBuffer(bytes) }

  /// A reader of this text.
  public init(_ text: TextBuffer) { self.text = text }

  /// The offset of the first row in view.
  public var topOffset: Int { top }

  /// Puts the row of an offset on top; not beyond the last page.
  public mutating func scroll(to offset: Int) {
    let offset = min(max(0, offset), text.count)
    top = min(wrap(for: size).row(at: offset, in: text).start, lastTop(for: size))
  }

  /// A way to scroll.
  public enum Scroll: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  }

  /// The canvas has another size. The first row in view stays.
  public mutating func resize(_ size: Size) {
    self.size = size
    top = firstRow(for: size)
  }

  /// Scrolls; not beyond the last page.
  public mutating func scroll(_ scroll: Scroll) {
    let page = max(1, size.height - 1)
    let half = max(1, size.height / 2)
    switch scroll {
    case .up: self.scroll(by: -1)
    case .down: self.scroll(by: 1)
    case .pageUp: self.scroll(by: -page)
    case .pageDown: self.scroll(by: page)
    case .halfPageUp: self.scroll(by: -half)
    case .halfPageDown: self.scroll(by: half)
    case .top: top = 0
    case .bottom: top = lastTop(for: size)
    }
  }

  /// Scrolls by rows; negative is up.
  public mutating func scroll(by rows: Int) {
    if rows < 0 {
      top = wrap(for: size).start(-rows, rowsAbove: top, in: text)
    } else {
      let start = wrap(for: size).rows(from: top, count: rows + 1, in: text).last?.start ?? top
      top = min(start, lastTop(for: size))
    }
  }

  /// Does what a key says: arrows, pages, Home, End, `j` `k`, Space, `g` `G`, Ctrl-D, Ctrl-U. False for other keys.
  public mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): scroll(.up)
    case (.down, []), (.character("j"), []): scroll(.down)
    case (.pageUp, _): scroll(.pageUp)
    case (.pageDown, _), (.character(" "), []): scroll(.pageDown)
    case (.character("u"), .control): scroll(.halfPageUp)
    case (.character("d"), .control): scroll(.halfPageDown)
    case (.home, _), (.character("g"), []): scroll(.top)
    case (.end, _), (.character("G"), []): scroll(.bottom)
    default: return false
    }
    return true
  }

  /// Shows an offset: leaves the view where it is when the offset is in it, else puts its row at a third of the view.
  public mutating func show(_ offset: Int) {
    let wrap = wrap(for: size)
    let rows = wrap.rows(from: firstRow(for: size), count: max(1, size.height), in: text)
    if let first = rows.first, let last = rows.last, offset >= first.start, offset < last.next ?? .max { return }
    top = min(wrap.start(size.height / 3, rowsAbove: offset, in: text), lastTop(for: size))
  }

  /// Where the view stands: 0 at the start, 100 when the end is in view.
  public var percent: Int {
    let last = lastTop(for: size)
    let first = min(firstRow(for: size), last)
    guard first < last else { return 100 }
    return min(99, Int(Double(first) / Double(max(1, last)) * 100))
  }

  /// Whether all of the text is in view.
  public var fits: Bool { lastTop(for: size) == 0 }

  /// Draws the rows in view on the whole canvas. Places that were found are underlined, the one that is shown is in
  /// reverse.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    guard size.width > 0, size.height > 0 else { return }
    let wrap = wrap(for: size)
    for (y, row) in wrap.rows(from: firstRow(for: size), count: size.height, in: text).enumerated() {
      // A final line end begins no row.
      if row.start == text.count, row.next == nil, text.count > 0, text[text.count - 1] == 0x0A { break }
      var bytes = text.bytes(in: row.start..<row.end)
      if row.isBroken, bytes.last == 0x20 { bytes.removeLast() }
      let places = search?.places(in: row.start..<row.end) ?? []
      canvas.row(bytes, y: y, tabWidth: wrap.tabWidth) { offset in
        guard let place = places.first(where: { $0.contains(row.start + offset) }) else { return style }
        return style.with(place == search?.found ? [.reverse, .bold] : [.underline, .bold])
      }
    }
  }

  private func wrap(for size: Size) -> SoftWrap { SoftWrap(width: size.width) }

  private func firstRow(for size: Size) -> Int { wrap(for: size).row(at: top, in: text).start }

  /// The first row when the last one is at the bottom.
  private func lastTop(for size: Size) -> Int {
    var end = text.count
    if end > 0, text[end - 1] == 0x0A { end -= 1 }
    return wrap(for: size).start(max(1, size.height) - 1, rowsAbove: end, in: text)
  }
}
