internal import FileStores
internal import TextUI

/// The lines of a view from top to bottom, and a QR code where it is seen whole.
struct ClubsPage {
  enum Line {
    case text(ArraySlice<UInt8>, Role, x: Int)
    case field(Int)
  }

  private(set) var lines: [Line] = []
  private let size: Size
  /// Blank lines stand between the parts.
  private let isRoomy: Bool
  /// Narrower beside a QR code.
  private var width: Int
  private var code: (blocks: QRBlocks, place: Point)?

  private static let leastBesideCode = 30

  init(_ frame: Frame) {
    size = ClubsScreen.bodySize(of: frame)
    (width, isRoomy) = (size.width, frame.isRoomy)
  }

  /// `rest` stands below `head`, and the code below or beside `rest`.
  init(
    _ frame: Frame, code blocks: QRBlocks?, head: (inout ClubsPage) -> Void, rest: (inout ClubsPage) -> Void = { _ in }
  ) {
    self.init(frame)
    head(&self)
    var beside = self
    rest(&self)
    guard let blocks, !frame.abilities.asciiOnly else { return }
    let (top, columns) = (beside.lines.count, blocks.lines.first?.count ?? 0)
    if blocks.fits(columns: size.width - 2, rows: size.height - lines.count) {
      code = (blocks, Point(1, lines.count + 1))
    } else if blocks.fits(columns: size.width - 3 - Self.leastBesideCode, rows: size.height - top + 1) {
      beside.width = size.width - columns - 2
      rest(&beside)
      beside.code = (blocks, Point(size.width - columns - 1, top))
      if beside.lines.count <= size.height { self = beside }
    }
  }

  /// Between two parts, where there is room.
  mutating func gap() {
    if isRoomy, !lines.isEmpty { lines.append(.text([], .text, x: 0)) }
  }

  /// Wrapped at words.
  mutating func say(_ text: String, _ role: Role = .text) {
    let buffer = TextBuffer(Array(text.utf8))
    for row in SoftWrap(width: max(1, width - 2)).rows(from: 0, count: 100, in: buffer) {
      var bytes = buffer.bytes(in: row.start..<row.end)[...]
      while bytes.last == 0x20 { bytes.removeLast() }
      lines.append(.text(bytes, role, x: 1))
    }
  }

  mutating func complain(_ error: StoreError?) { if let error { say("! \(error)", .error) } }

  mutating func sayAsking() { say("Asking the server ...", .dim) }

  /// From the first column, and broken only at the border: selected with the mouse, it is whole.
  mutating func whole(_ text: String, _ role: Role) {
    let bytes = Array(text.utf8)
    var (start, columns) = (0, 0)
    for glyph in GlyphReader(bytes[...]) {
      if columns + glyph.width > size.width {
        lines.append(.text(bytes[start..<glyph.range.lowerBound], role, x: 0))
        (start, columns) = (glyph.range.lowerBound, 0)
      }
      columns += glyph.width
    }
    lines.append(.text(bytes[start...], role, x: 0))
  }

  mutating func field(_ index: Int) { lines.append(.field(index)) }

  func field(atLine line: Int) -> Int? {
    if lines.indices.contains(line), case .field(let field) = lines[line] { field } else { nil }
  }

  /// The first column and the columns of the fields.
  func span(_ fields: [ClubsField]) -> (x: Int, width: Int) {
    let label = fields.map { GlyphReader.columns(of: $0.label) }.max() ?? 0
    let x = 1 + min(label, width * 2 / 5) + 2
    return (x, max(1, width - x - 1))
  }

  /// The first line in view: the one to which the member has scrolled, else one that shows the field with the focus and
  /// the sentences below it.
  func top(_ typed: FieldSet, height: Int) -> Int {
    let last = max(0, lines.count - height)
    if let scroll = typed.scroll { return min(scroll, last) }
    guard let field = lines.firstIndex(where: { if case .field(typed.focus) = $0 { true } else { false } }) else {
      return 0
    }
    let end = lines[(field + 1)...].firstIndex { if case .field = $0 { true } else { false } } ?? lines.count
    return min(last, max(0, min(field, end - height)))
  }

  func draw(_ typed: FieldSet, on canvas: inout Canvas) {
    let top = top(typed, height: canvas.size.height)
    let (x, width) = span(typed.fields)
    for (y, line) in lines.dropFirst(top).prefix(canvas.size.height).enumerated() {
      switch line {
      case .text(let text, let role, let x): canvas.text(text, x: x, y: y, style: canvas[role])
      case .field(let index):
        let isFocused = index == typed.focus
        canvas.text(typed.fields[index].label, x: 1, y: y, style: canvas[isFocused ? .label : .dim], width: x - 3)
        canvas.inside(Rect(x, y, width, 1)) { typed.fields[index].draw(isFocused: isFocused, on: &$0) }
      }
    }
    guard let code else { return }
    // Phones want dark on light, whatever the theme.
    let reversed = canvas[canvas.theme.base == .light ? .text : .selection]
    let style = canvas.theme.colors == .none ? reversed : Style.pixels(0x000000, over: 0xFFFFFF)
    for (y, line) in code.blocks.lines.enumerated() {
      canvas.text(line, x: code.place.x, y: code.place.y + y, style: style)
    }
  }
}
