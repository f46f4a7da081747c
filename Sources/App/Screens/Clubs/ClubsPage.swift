internal import TextUI

/// The pages of the screen of clubs, with fields.
typealias ClubsPage = CodePage

extension CodePage {
  init(_ frame: Frame) { self.init(frame, ClubsScreen.bodySize(of: frame)) }

  init(
    _ frame: Frame, code: QRBlocks?, head: (inout ClubsPage) -> Void, rest: (inout ClubsPage) -> Void = { _ in }
  ) {
    self.init(frame, ClubsScreen.bodySize(of: frame), code: code, head: head, rest: rest)
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
    let (x, width) = span(typed.fields)
    draw(from: top(typed, height: canvas.size.height), on: &canvas) { index, y, canvas in
      let isFocused = index == typed.focus
      canvas.text(typed.fields[index].label, x: 1, y: y, style: canvas[isFocused ? .label : .dim], width: x - 3)
      canvas.inside(Rect(x, y, width, 1)) { typed.fields[index].draw(isFocused: isFocused, on: &$0) }
    }
  }
}
