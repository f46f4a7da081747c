internal import Markdown
internal import TextUI

/// The headings of a note; Enter goes to one.
struct NoteOutline: NotesListView {
  let places: [KeyCommand.Place] = [.outline, .moves]
  let footer: [CommandID] = [.outlineOpen, .help, .quit]
  let sentences = (row: "heading", unread: "", empty: "This note has no headings.")
  let own: [CommandID] = [.outlineOpen]
  let title: String
  var list: SideList<MarkdownHeading>

  /// The heading at or before `offset` is selected.
  init(_ title: String, _ headings: [MarkdownHeading], at offset: Int, height: Int) {
    self.title = title
    list = SideList(headings, height: height)
    list.rows.select(headings.lastIndex { $0.offset <= offset } ?? 0)
  }

  /// Beside the headings is the chosen one's part of the note.
  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(
      title: "\(title): outline", facts: list.items.map { "\($0.count.grouped)" } ?? "",
      columns: [SideColumn("Heading")], empty: sentences.empty)
    list.draw(face, frame, on: &canvas) { heading, part in
      guard var below = state.views.dropLast().last as? NoteReader else { return }
      below.resize(part.size)
      below.scroll(to: heading.offset)
      below.draw(on: &part, isMissing: { _ in false })
    } row: { _, heading in
      let role: Role = heading.level == 1 ? .heading1 : heading.level == 2 ? .heading2 : .heading3
      return SideRow(cells: [SideCell(repeatElement(0x20, count: 2 * (heading.level - 1)) + heading.text, role)])
    }
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard [.outlineOpen, .close, .quit].contains(command) else { return [] }
    state.views.removeLast()
    if command == .outlineOpen, let heading = list.chosen {
      NotesScreen.changeReader(&state) { $0.scroll(to: heading.offset) }
    }
    return []
  }
}
