internal import Basics

/// A text wrapped at words and scrolled by rows. It reads only the visible part, so any text opens at once.
public struct TextReader: Sendable {
  public let text: TextBuffer
  public private(set) var size = Size(80, 24)
  public internal(set) var search: TextSearch?
  private(set) var top = 0

  public init(_ bytes: [UInt8]) { text = TextBuffer(bytes) }

  public init(_ text: TextBuffer) { self.text = text }

  public var topOffset: Int { top }

  public var rowOffsets: [Int] {
    wrap(for: size).rows(from: firstRow(for: size), count: size.height, in: text).map(\.start)
  }

  /// Stops at the last page.
  public mutating func scroll(to offset: Int) {
    let offset = min(max(0, offset), text.count)
    top = min(wrap(for: size).row(at: offset, in: text).start, lastTop(for: size))
  }

  public enum Scroll: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom

    /// Negative upwards; nil for the two ends.
    public func rows(height: Int) -> Int? {
      switch self {
      case .up: -1
      case .down: 1
      case .pageUp: -max(1, height - 1)
      case .pageDown: max(1, height - 1)
      case .halfPageUp: -max(1, height / 2)
      case .halfPageDown: max(1, height / 2)
      case .top, .bottom: nil
      }
    }
  }

  /// The first visible row stays.
  public mutating func resize(_ size: Size) {
    self.size = size
    top = firstRow(for: size)
  }

  /// Stops at the last page.
  public mutating func scroll(_ scroll: Scroll) {
    if let rows = scroll.rows(height: size.height) {
      self.scroll(by: rows)
    } else {
      top = scroll == .top ? 0 : lastTop(for: size)
    }
  }

  /// Negative is up.
  public mutating func scroll(by rows: Int) {
    if rows < 0 {
      top = wrap(for: size).start(-rows, rowsAbove: top, in: text)
    } else {
      let start = wrap(for: size).rows(from: top, count: rows + 1, in: text).last?.start ?? top
      top = min(start, lastTop(for: size))
    }
  }

  /// A visible offset moves nothing; another one's row moves to a third of the height.
  public mutating func show(_ offset: Int) {
    let wrap = wrap(for: size)
    let rows = wrap.rows(from: firstRow(for: size), count: max(1, size.height), in: text)
    if let first = rows.first, let last = rows.last, offset >= first.start, offset < last.next ?? .max { return }
    top = min(wrap.start(size.height / 3, rowsAbove: offset, in: text), lastTop(for: size))
  }

  /// 0 at the start, 100 if the end is visible.
  public var percent: Int {
    let last = lastTop(for: size)
    let first = min(firstRow(for: size), last)
    guard first < last else { return 100 }
    return min(99, Int(Double(first) / Double(max(1, last)) * 100))
  }

  public var fits: Bool { lastTop(for: size) == 0 }

  /// Matches are underlined, the current one is in reverse; `marking` are places to mark instead.
  public func draw(
    on canvas: inout Canvas, style: Style = .plain, marking: (places: [Range<Int>], found: Range<Int>)? = nil
  ) {
    let size = canvas.size
    guard size.width > 0, size.height > 0 else { return }
    let wrap = wrap(for: size)
    let (match, found) = (canvas[.match], canvas[.found])
    for (y, row) in wrap.rows(from: firstRow(for: size), count: size.height, in: text).enumerated() {
      // A final line end does not begin a row.
      if row.start == text.count, row.next == nil, text.count > 0, text[text.count - 1] == 0x0A { break }
      var bytes = text.bytes(in: row.start..<row.end)
      if row.isBroken, bytes.last == 0x20 { bytes.removeLast() }
      // A byte order mark is no text.
      let mark = row.start == 0 && bytes.starts(with: TextEncoding.byteOrderMark) ? 3 : 0
      bytes.removeFirst(mark)
      let places = marking?.places ?? search?.places(in: row.start..<row.end) ?? []
      let chosen = marking?.found ?? search?.found
      canvas.row(bytes, y: y, tabWidth: wrap.tabWidth) { offset in
        guard let place = places.first(where: { $0.contains(row.start + mark + offset) }) else { return style }
        return place == chosen ? found : match
      }
    }
  }

  private func wrap(for size: Size) -> SoftWrap { SoftWrap(width: size.width) }

  private func firstRow(for size: Size) -> Int { wrap(for: size).row(at: top, in: text).start }

  private func lastTop(for size: Size) -> Int {
    var end = text.count
    if end > 0, text[end - 1] == 0x0A { end -= 1 }
    return wrap(for: size).start(max(1, size.height) - 1, rowsAbove: end, in: text)
  }
}

extension Canvas {
  /// Cuts a wrapped row at the right border. `style` gets the index of a glyph's first byte.
  public mutating func row(_ bytes: [UInt8], y: Int, tabWidth: Int = 4, style: (Int) -> Style) {
    var reader = GlyphReader(bytes[...], tabWidth: tabWidth)
    var x = 0
    while x < size.width, let glyph = reader.next() {
      x += self.glyph(glyph, x: x, y: y, style: style(glyph.range.lowerBound))
    }
  }
}
