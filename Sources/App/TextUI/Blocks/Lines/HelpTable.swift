/// A palette of keys and actions: typing filters the rows, Enter runs the selected one.
public struct HelpTable: Sendable {
  public struct Row: Hashable, Sendable {
    public var key: String
    public var label: String
    /// The command's name, returned when the row is chosen.
    public var id: String

    public init(_ key: String, _ label: String, id: String = "") { (self.key, self.label, self.id) = (key, label, id) }
  }

  public struct Section: Hashable, Sendable {
    public var title: String
    public var rows: [Row]

    public init(_ title: String, _ rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  public enum Response: Hashable, Sendable {
    case stays
    case closes
    case chose(String)
  }

  public let sections: [Section]
  /// The first row is the field.
  public private(set) var size = Size(80, 24)
  private var field = TextField(placeholder: "Type to find a key or an action.")
  private var shown: [Section]
  private var selection = 0
  private var top = 0

  private enum Line {
    case blank
    case title(String)
    /// A row and the first part of its label.
    case row(Int, key: String, label: String)
    case more(Int, String)

    var row: Int? {
      switch self {
      case .row(let number, _, _), .more(let number, _): number
      case .blank, .title: nil
      }
    }
  }

  public init(_ sections: [Section]) { (self.sections, shown) = (sections, sections) }

  public mutating func resize(_ size: Size) {
    self.size = size
    scroll(by: 0)
  }

  /// Negative is up.
  public mutating func scroll(by rows: Int) { top = min(max(0, top + rows), lastTop(size)) }

  /// Esc clears the filter, then closes.
  public mutating func handle(_ key: Key) -> Response {
    let page = max(1, size.height - 3)
    let rows = shown.flatMap(\.rows)
    switch (key.code, key.modifiers) {
    case (.up, []): select(selection - 1)
    case (.down, []): select(selection + 1)
    case (.pageUp, _), (.character("b"), .control): select(selection - page)
    case (.pageDown, _), (.character("f"), .control): select(selection + page)
    case (.home, _): select(0)
    case (.end, _): select(rows.count - 1)
    case (.enter, _): return rows.indices.contains(selection) ? .chose(rows[selection].id) : .stays
    case (.escape, _), (.character("c"), .control):
      if field.isEmpty { return .closes }
      field = TextField(placeholder: field.placeholder)
      filter()
    case (.function, _): return .closes
    default:
      if field.isEmpty, key == Key(.character("?")) { return .closes }
      let before = field.bytes
      _ = field.handle(key)
      if field.bytes != before { filter() }
    }
    return .stays
  }

  private mutating func filter() {
    let words = NameQuery(field.bytes)
    shown = sections.compactMap { section in
      let rows = section.rows.filter { row in
        words.isMatch(of: Array("\(row.key) \(row.label) \(section.title)".utf8))
      }
      return rows.isEmpty ? nil : Section(section.title, rows)
    }
    (selection, top) = (0, 0)
  }

  private mutating func select(_ row: Int) {
    selection = max(0, min(row, shown.reduce(0) { $0 + $1.rows.count } - 1))
    let place = layout(size.width).columns.lazy.compactMap { [selection] column in
      column.firstIndex { $0.row == selection }
    }.first
    guard let place else { return }
    let height = max(1, size.height - 2)
    top = min(max(top, place - height + 1), selection == 0 ? 0 : max(0, place - 1))
    scroll(by: 0)
  }

  public func draw(on canvas: inout Canvas) {
    let size = canvas.size
    let used = 1 + canvas.text("Keys: ", x: 1, y: 0, style: canvas[.label])
    canvas.inside(Rect(used, 0, size.width - used - 1, 1)) { field.draw(on: &$0) }
    canvas.inside(Rect(0, 2, size.width, size.height - 2)) { drawRows(on: &$0) }
  }

  private func drawRows(on canvas: inout Canvas) {
    let height = canvas.size.height
    guard height > 0 else { return }
    guard !shown.isEmpty else {
      canvas.text("No key and no action has these words.", x: 1, y: 0, style: canvas[.dim])
      return
    }
    let layout = layout(canvas.size.width)
    let top = min(top, lastTop(Size(canvas.size.width, height + 2)))
    for (number, column) in layout.columns.enumerated() {
      let part = Rect(number * (layout.width + 3), 0, layout.width + 2, height)
      canvas.inside(part) { part in
        for (y, line) in column.dropFirst(top).prefix(height).enumerated() {
          draw(line, y, keys: layout.keys, on: &part)
        }
      }
    }
  }

  private func draw(_ line: Line, _ y: Int, keys: Int, on canvas: inout Canvas) {
    let width = canvas.size.width
    let isSelected = line.row == selection
    func style(_ role: Role) -> Style { isSelected ? canvas.bar(role) : canvas[role] }
    if isSelected { canvas.fill(Rect(0, y, width, 1), style: style(.text)) }
    switch line {
    case .blank: break
    case .title(let title): canvas.text(title, x: 1, y: y, style: canvas[.title], width: width - 1)
    case .row(_, let key, let label):
      canvas.text(key, x: 1, y: y, style: style(.key), width: keys)
      canvas.text(label, x: keys + 3, y: y, style: style(.text), width: width - keys - 3)
      if isSelected { canvas.text(">", x: 0, y: y, style: style(.text)) }
    case .more(_, let text): canvas.text(text, x: keys + 3, y: y, style: style(.text), width: width - keys - 3)
    }
  }

  private func lastTop(_ size: Size) -> Int {
    max(0, (layout(size.width).columns.map(\.count).max() ?? 0) - max(1, size.height - 2))
  }

  /// The lines of each column. Sections stay whole; a long description continues on the next line.
  private func layout(_ width: Int) -> (columns: [[Line]], width: Int, keys: Int) {
    // All rows decide the columns, so typing moves nothing sideways.
    let rows = sections.flatMap(\.rows)
    let available = max(1, width - 2)
    let keys = min(rows.map { GlyphReader.columns(of: $0.key) }.max() ?? 0, max(1, available / 2))
    let labels = rows.map { GlyphReader.columns(of: $0.label) }.max() ?? 0
    let titles = sections.map { GlyphReader.columns(of: $0.title) }.max() ?? 0
    let least = min(keys + 2 + labels, 56)
    let column = min(available, max(least, titles))
    let count = max(1, (available + 3) / (column + 3))
    var number = 0
    let blocks = shown.map { section in
      let lines = section.rows.flatMap { row in
        defer { number += 1 }
        return Self.lines(row, number, width: column - keys - 2)
      }
      return [.title(section.title)] + lines + [Line.blank]
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

  private static func lines(_ row: Row, _ number: Int, width: Int) -> [Line] {
    let texts = Paragraph(Array(row.label.utf8)).rows(width: width).map { String(decoding: $0, as: UTF8.self) }
    return [.row(number, key: row.key, label: texts.first ?? "")] + texts.dropFirst().map { .more(number, $0) }
  }
}
