internal import ClubServices
internal import FileStores
internal import TextUI

/// The writer and the age of each line of a note.
struct BlameView: Sendable {
  let path: StorePath
  /// Nil until the versions have been compared.
  private(set) var blame: NoteBlame?
  var rows = ListState()
  private let line: Int

  /// Begins at a line of the note.
  init(_ path: StorePath, line: Int, height: Int) {
    (self.path, self.line) = (path, line)
    resize(height: height)
  }

  mutating func take(_ blame: NoteBlame) {
    self.blame = blame
    rows.setCount(blame.lines.count)
    rows.select(min(line, max(0, blame.lines.count - 1)))
  }

  /// The version of the chosen line, and the one before it.
  var chosen: (version: FileEntry, before: FileEntry?)? {
    guard let blame, let row = rows.selected, row < blame.origins.count else { return nil }
    let place = blame.origins[row]
    return (blame.versions[place], blame.versions.dropFirst(place + 1).first)
  }

  /// The list has a heading above it.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text("\(path): who wrote each line", x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2))
    guard let blame else { return NotesScreen.drawLoading(frame, on: &canvas) }
    guard !blame.lines.isEmpty else {
      canvas.text("The note is empty.", x: 1, y: 2, style: canvas[.dim], width: max(0, size.width - 2))
      return
    }
    canvas.inside(Rect(0, 1, size.width, size.height - 1)) { part in
      rows.draw(
        on: &part, content: { row in row < blame.lines.count ? content(row, blame, frame) : nil },
        row: { line, row, _ in if row < blame.lines.count { draw(row, blame, frame, on: &line) } })
    }
  }

  private func content(_ row: Int, _ blame: NoteBlame, _ frame: Frame) -> Int {
    var hasher = Hasher()
    hasher.combine(blame.lines[row])
    hasher.combine(label(row, blame, frame).map { [$0.who, $0.age] })
    hasher.combine(rows.visible.lowerBound == row)
    return hasher.finalize()
  }

  /// Empty for a line of the same version as the line above it.
  private func label(_ row: Int, _ blame: NoteBlame, _ frame: Frame) -> (who: String, age: String)? {
    let origin = blame.origins[row]
    guard row == 0 || blame.origins[row - 1] != origin || rows.visible.lowerBound == row else { return nil }
    let version = blame.versions[origin]
    let age = version.modified.map { Age.text(of: Int($0.seconds), now: Int(frame.now)) } ?? ""
    let isOlder = blame.isCut && origin == blame.versions.count - 1
    return (version.member ?? "", isOlder ? "or older" : age)
  }

  private func draw(_ row: Int, _ blame: NoteBlame, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    let names = width >= 60 ? 14 : 8
    if let label = label(row, blame, frame) {
      canvas.text(label.who, x: 2, y: 0, style: canvas[.accent], width: names)
      canvas.text(label.age, x: 3 + names, y: 0, style: canvas[.dim], width: 10)
    }
    let x = names + 14
    canvas.text(canvas.symbol(.rule), x: x - 1, y: 0, style: canvas[.border])
    canvas.text(blame.lines[row][...], x: x + 1, y: 0, width: max(0, width - x - 2), tabWidth: 4)
  }
}

extension NotesScreen {
  static func openBlame(_ reader: NoteReader, _ state: inout NotesState, _ frame: Frame) -> Commands {
    let path = reader.note.entry.path
    let line = reader.text.text.line(at: reader.topOffset)
    state.views.append(.blame(BlameView(path, line: line, height: frame.bodyHeight)))
    return [.run(.blame(path), key: "notes.history")]
  }

  static func run(_ command: CommandID, _ view: BlameView, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    var view = view
    switch command {
    case .blameOpen:
      guard let chosen = view.chosen else { return [] }
      return begin(
        OpeningText(
          path: view.path, effect: .difference(view.path, chosen.version, before: chosen.before), key: "notes.history",
          newest: view.blame?.versions.first?.revision), &state)
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.history")]
    default: if view.rows.move(command) { replaceTop(.blame(view), &state) }
    }
    return []
  }

  static func show(_ blame: NoteBlame, _ state: inout NotesState) {
    guard case .blame(var view) = state.views.last, view.path == blame.path else { return }
    view.take(blame)
    replaceTop(.blame(view), &state)
  }
}
