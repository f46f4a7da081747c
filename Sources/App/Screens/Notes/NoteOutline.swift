internal import Markdown
internal import TextUI

/// The headings of a note; Enter goes to one.
struct NoteOutline: Sendable {
  let title: String
  var list: SideList<MarkdownHeading>

  /// The heading at or before `offset` is selected.
  init(_ title: String, _ headings: [MarkdownHeading], at offset: Int, height: Int) {
    self.title = title
    list = SideList(headings, height: height)
    list.rows.select(headings.lastIndex { $0.offset <= offset } ?? 0)
  }

  /// Beside the headings is the chosen one's part of the note.
  func draw(_ reader: NoteReader?, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(
      title: "\(title): outline", facts: list.items.map { "\($0.count.grouped)" } ?? "",
      columns: [SideColumn("Heading")], empty: "This note has no headings.")
    list.draw(face, frame, on: &canvas) { heading, part in
      guard var below = reader else { return }
      below.resize(part.size)
      below.scroll(to: heading.offset)
      below.draw(on: &part, isMissing: { _ in false })
    } row: { _, heading in
      let role: Role = heading.level == 1 ? .heading1 : heading.level == 2 ? .heading2 : .heading3
      return SideRow(cells: [SideCell(repeatElement(0x20, count: 2 * (heading.level - 1)) + heading.text, role)])
    }
  }
}

extension NotesScreen {
  static func run(_ command: CommandID, _ outline: NoteOutline, _ state: inout NotesState) {
    switch command {
    case .outlineOpen:
      guard let heading = outline.list.chosen else { return }
      state.views.removeLast()
      changeReader(&state) { $0.scroll(to: heading.offset) }
    case .close, .quit: state.views.removeLast()
    default: break
    }
  }
}

extension NotesState {
  /// The note below the topmost view.
  var readerBelow: NoteReader? {
    if case .reader(let reader)? = views.dropLast().last { reader } else { nil }
  }
}
