/// All keys and what they do, in as many columns as fit; scrolls when it is longer than the screen.
public struct HelpTable: Hashable, Sendable {
  /// Keys that work in one place.
  public struct Section: Hashable, Sendable {
    /// Where they work.
    public var title: String
    /// Keys and what they do.
    public var rows: [FooterKeys.Item]
    /// Makes a section.
    public init(_ title: String, _ rows: [FooterKeys.Item]) {
      self.title = title
      self.rows = rows
    }
  }

  /// In order.
  public let sections: [Section]
  /// Columns and rows that it is drawn on.
  public private(set) var size = Size(80, 24)
  private var top = 0

  private enum Line { case blank, title(String), row(FooterKeys.Item), more(String) }

  /// A table of sections.
  public init(_ sections: [Section]) { self.sections = sections }

  /// The canvas has another size.
  public mutating func resize(_ size: Size) {
    self.size = size
    scroll(by: 0)
  }

  /// Scrolls by rows; negative is up.
  public mutating func scroll(by rows: Int) { top = min(max(0, top + rows), lastTop(size)) }

  /// Arrows, `j` `k`, pages, half pages, `g` `G`, Home, End; false for other keys.
  public mutating func handle(_ key: Key) -> Bool {
    let page = max(1, size.height - 1)
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): scroll(by: -1)
    case (.down, []), (.character("j"), []): scroll(by: 1)
    case (.pageUp, _), (.character("b"), .control): scroll(by: -page)
    case (.pageDown, _), (.character(" "), []), (.character("f"), .control): scroll(by: page)
    case (.character("u"), .control): scroll(by: -max(1, size.height / 2))
    case (.character("d"), .control): scroll(by: max(1, size.height / 2))
    case (.home, _), (.character("g"), []): top = 0
    case (.end, _), (.character("G"), []): top = lastTop(size)
    default: return false
    }
    return true
  }

  /// Draws on the whole canvas.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    let layout = layout(size.width)
    let top = min(top, lastTop(size))
    for (number, column) in layout.columns.enumerated() {
      let x = 1 + number * (layout.width + 3)
      for (y, line) in column.dropFirst(top).prefix(size.height).enumerated() {
        switch line {
        case .blank: break
        case .title(let title): canvas.text(title, x: x, y: y, style: style.with(.bold), width: layout.width)
        case .row(let row):
          canvas.text(row.key, x: x, y: y, style: style.with(.bold), width: layout.keys)
          canvas.text(row.label, x: x + layout.keys + 2, y: y, style: style, width: layout.width - layout.keys - 2)
        case .more(let text):
          canvas.text(text, x: x + layout.keys + 2, y: y, style: style, width: layout.width - layout.keys - 2)
        }
      }
    }
  }

  private func lastTop(_ size: Size) -> Int {
    max(0, (layout(size.width).columns.map(\.count).max() ?? 0) - max(1, size.height))
  }

  /// The lines of each column. Sections stay whole; a description that is too long goes on in the next line.
  private func layout(_ width: Int) -> (columns: [[Line]], width: Int, keys: Int) {
    let rows = sections.flatMap(\.rows)
    let available = max(1, width - 2)
    let keys = min(rows.map { GlyphReader.columns(of: $0.key) }.max() ?? 0, max(1, available / 2))
    let labels = rows.map { GlyphReader.columns(of: $0.label) }.max() ?? 0
    let titles = sections.map { GlyphReader.columns(of: $0.title) }.max() ?? 0
    let column = min(available, max(keys + 2 + labels, titles))
    let count = max(1, (available + 3) / (column + 3))
    let blocks = sections.map { section in
      [.title(section.title)] + section.rows.flatMap { lines($0, width: column - keys - 2) } + [Line.blank]
    }
    let goal = (blocks.reduce(0) { $0 + $1.count } + count - 1) / count
    var columns: [[Line]] = [[]]
    for block in blocks {
      let last = columns.count - 1
      if !columns[last].isEmpty, columns[last].count + block.count / 2 > goal, columns.count < count {
        columns.append(block)
      } else {
        columns[last] += block
      }
    }
    return (columns, column, keys)
  }

  private func lines(_ row: FooterKeys.Item, width: Int) -> [Line] {
    let texts = Paragraph(Array(row.label.utf8)).rows(width: width).map { String(decoding: $0, as: UTF8.self) }
    return [.row(FooterKeys.Item(row.key, texts.first ?? ""))] + texts.dropFirst().map { .more($0) }
  }
}
