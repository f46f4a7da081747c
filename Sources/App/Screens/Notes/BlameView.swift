internal import ClubServices
internal import FileStores
internal import TextUI

/// The writer and the age of each line of a note.
struct BlameView: NotesListView {
  let places: [KeyCommand.Place] = [.blame, .moves]
  let footer: [CommandID] = [.blameOpen, .help, .quit]
  let sentences = (row: "line", unread: "The versions are not read yet.", empty: "The note is empty.")
  let own: [CommandID] = [.blameOpen]
  let path: StorePath
  /// Nil until the versions have been compared.
  private(set) var blame: NoteBlame?
  var list: SideList<[UInt8]>
  private let line: Int

  /// Begins at a line of the note.
  init(_ path: StorePath, line: Int, height: Int) {
    (self.path, self.line, list) = (path, line, SideList(height: height))
  }

  mutating func take(_ blame: NoteBlame) {
    self.blame = blame
    list.take(blame.lines) { _, _ in false }
    list.rows.select(min(line, max(0, blame.lines.count - 1)))
  }

  /// The version of the chosen line, and the one before it.
  var chosen: (version: FileEntry, before: FileEntry?)? {
    guard let blame, let row = list.rows.selected, row < blame.origins.count else { return nil }
    let place = blame.origins[row]
    return (blame.versions[place], blame.versions.dropFirst(place + 1).first)
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(
      title: "\(path): who wrote each line",
      columns: [
        SideColumn("By", canvas.size.width < 60 ? 7 : 14), SideColumn("Age", 10), SideColumn("Line"),
      ], empty: sentences.empty)
    list.draw(face, frame, on: &canvas) { row, line in
      let version = blame.flatMap { label(row, $0, frame) }
      return SideRow(cells: [
        SideCell(version?.who ?? "", .accent), SideCell(version?.age ?? "", .dim),
        SideCell(line.flatMap { $0 == 0x09 ? [0x20, 0x20, 0x20, 0x20] : [$0] }),
      ])
    }
  }

  /// Nil for a line of the same version as the line above it.
  private func label(_ row: Int, _ blame: NoteBlame, _ frame: Frame) -> (who: String, age: String)? {
    let origin = blame.origins[row]
    guard row == 0 || blame.origins[row - 1] != origin || list.rows.visible.lowerBound == row else { return nil }
    let version = blame.versions[origin]
    let age = version.modified.map { Age.text(of: Int($0.seconds), now: Int(frame.now)) } ?? ""
    let isOlder = blame.isCut && origin == blame.versions.count - 1
    return (version.member ?? "", isOlder ? "or older" : age)
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .blameOpen:
      guard let chosen else { return [] }
      return NotesScreen.begin(
        OpeningText(
          path: path, effect: .difference(path, chosen.version, before: chosen.before), key: "notes.history",
          newest: blame?.versions.first?.revision), &state)
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.history")]
    default: return []
    }
  }
}

extension NotesScreen {
  static func openBlame(_ reader: NoteReader, _ state: inout NotesState, _ frame: Frame) -> Commands {
    let path = reader.note.entry.path
    let line = reader.text.text.line(at: reader.topOffset)
    state.views.append(BlameView(path, line: line, height: frame.bodyHeight))
    return [.run(.blame(path), key: "notes.history")]
  }

  static func show(_ blame: NoteBlame, _ state: inout NotesState) {
    guard var view = state.views.last as? BlameView, view.path == blame.path else { return }
    view.take(blame)
    state.replaceTop(view)
  }
}
