internal import Markdown
internal import TextUI

/// The headings of a note; Enter goes to one.
struct NoteOutline: Sendable {
  let title: String
  let headings: [MarkdownHeading]
  var rows = ListState()

  /// The heading at or before `offset` is selected.
  init(_ title: String, _ headings: [MarkdownHeading], at offset: Int, height: Int) {
    self.title = title
    self.headings = headings
    resize(height: height)
    rows.setCount(headings.count)
    rows.select(headings.lastIndex { $0.offset <= offset } ?? 0)
  }

  /// The list has a heading above it.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }

  func draw(on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text("\(title): headings", x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2))
    canvas.inside(Rect(0, 1, size.width, size.height - 1)) { part in
      rows.draw(
        on: &part, content: { row in row < headings.count ? headings[row].text.hashValue ^ row : nil },
        row: { line, row, _ in
          guard row < headings.count else { return }
          let heading = headings[row]
          let role: Role = heading.level == 1 ? .heading1 : heading.level == 2 ? .heading2 : .heading3
          let x = 3 + 2 * (heading.level - 1)
          line.text(heading.text[...], x: x, y: 0, style: line[role], width: max(0, line.size.width - x - 1))
        })
    }
  }
}

extension NotesScreen {
  static func run(_ command: CommandID, _ outline: NoteOutline, _ state: inout NotesState) {
    var outline = outline
    switch command {
    case .outlineOpen:
      guard let row = outline.rows.selected else { return }
      state.views.removeLast()
      changeReader(&state) { $0.scroll(to: outline.headings[row].offset) }
    case .close, .quit: state.views.removeLast()
    default: if outline.rows.move(command) { replaceTop(.outline(outline), &state) }
    }
  }
}
