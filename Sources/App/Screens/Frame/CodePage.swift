internal import FileStores
internal import TextUI

/// The lines of a view from top to bottom, and a QR code where it is seen whole.
struct CodePage {
  enum Line {
    case text(ArraySlice<UInt8>, Role, x: Int)
    case field(Int)
  }

  private(set) var lines: [Line] = []
  private let size: Size
  /// Blank lines stand between the parts.
  private let isRoomy: Bool
  /// Narrower beside a QR code.
  private(set) var width: Int
  private var code: (blocks: QRBlocks, place: Point)?

  private static let leastBesideCode = 30

  init(_ frame: Frame, _ size: Size) {
    self.size = size
    (width, isRoomy) = (size.width, frame.isRoomy)
  }

  /// `rest` stands below `head`, and the code below or beside `rest`.
  init(
    _ frame: Frame, _ size: Size, code blocks: QRBlocks?, head: (inout CodePage) -> Void,
    rest: (inout CodePage) -> Void = { _ in }
  ) {
    self.init(frame, size)
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

  /// From a line on. `field` draws one of the fields in a row.
  func draw(from top: Int = 0, on canvas: inout Canvas, field: (Int, Int, inout Canvas) -> Void = { _, _, _ in }) {
    for (y, line) in lines.dropFirst(top).prefix(canvas.size.height).enumerated() {
      switch line {
      case .text(let text, let role, let x): canvas.text(text, x: x, y: y, style: canvas[role])
      case .field(let index): field(index, y, &canvas)
      }
    }
    guard let code else { return }
    code.blocks.draw(at: code.place, on: &canvas)
  }
}

extension QRBlocks {
  func draw(at place: Point, on canvas: inout Canvas) {
    // Phones want dark on light, whatever the theme.
    let reversed = canvas[canvas.theme.base == .light ? .text : .selection]
    let style = canvas.theme.colors == .none ? reversed : Style.pixels(0x000000, over: 0xFFFFFF)
    for (y, line) in lines.enumerated() { canvas.text(line, x: place.x, y: place.y + y, style: style) }
  }
}
