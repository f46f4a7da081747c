internal import ClubServices
internal import FileStores
internal import TextUI

/// What the list of notes has of its own: notes are opened, written and edited, and their sizes and ages come late.
extension NotesScreen {
  static func update(_ state: inout NotesState, _ action: FileListAction) -> Commands {
    let isFirst = !state.files.hasBegun
    let commands = list(state.files.update(action, &state.frame))
    if case .sought = action { return commands + leaveReading(&state) }
    if case .listed = action { showNew(&state) }
    if isFirst, state.files.hasBegun {
      return commands + [.run(.findWaiting), .run(.watchKeeping, key: "notes.keeping")]
    }
    if case .changed(let set) = action { return commands + follow(set, &state) }
    return commands
  }

  /// What a search finds is in the list: what is read over that goes.
  private static func leaveReading(_ state: inout NotesState) -> Commands {
    let count = state.views.count
    state.views.removeAll { view in
      switch view {
      case .opening, .reader, .history, .version, .waiting: true
      case .editor, .form, .conflict, .draft: false
      }
    }
    return state.views.count == count ? [] : [.cancel(key: "notes.open"), .cancel(key: "notes.history")]
  }

  /// A note that is being read is read anew when it has changed; who is editing it is told.
  private static func follow(_ set: ChangeSet, _ state: inout NotesState) -> Commands {
    switch state.views.last {
    // My own text of it that is not in the club yet stays on the screen.
    case .reader(let reader) where state.word(of: reader.note.entry.path).isEmpty:
      for case .present(let entry) in set.changes
      where entry.path == reader.note.entry.path && entry.revision != reader.note.entry.revision {
        return [.run(.open(entry.path, .reread), key: "notes.open")]
      }
    // A save of the member's own that is still on its way changes the note as well.
    case .editor(let editor) where state.savesUnderway == 0:
      if let what = set.changes.lazy.compactMap({ happened(to: editor, $0) }).first {
        let save = state.frame.keys.name(of: .editorDone)
        state.frame.complain("\(what) by someone else in the meantime. \(save) shows both texts; yours is kept.")
      }
    default: break
    }
    return []
  }

  private static func happened(to editor: NoteEditor, _ change: ChangeSet.Change) -> String? {
    switch change {
    case .absent(editor.path): "\"\(editor.title)\" was deleted or renamed"
    case .present(let entry) where entry.path == editor.path && entry.revision != editor.base:
      "\"\(editor.title)\" was changed"
    default: nil
    }
  }

  /// Asks for sizes and ages of the rows on the screen that have none.
  static func visibleDetails(_ state: NotesState) -> Commands {
    guard let table = state.files.table else { return [] }
    let missing = state.files.rows.visible.filter { !table.hasDetails(at: $0) }.map { table.path(at: $0) }
    return missing.isEmpty ? [] : [.run(.details(missing), key: "notes.details")]
  }

  static func runInList(_ command: CommandID, _ state: inout NotesState) -> Commands {
    switch command {
    case .listOpen: return state.files.selected.map { open($0, &state, sought: state.files.sought(at: $0)) } ?? []
    case .notesExternal: return state.files.selected.map { [.run(.beginEdit($0))] } ?? []
    case .notesHistory: return state.files.selected.map { openHistory($0, &state) } ?? []
    case .notesNew:
      state.views.append(.form(NewNoteForm(session: takeSession(&state))))
      fit(&state)
    case .notesTrash: state.question = state.files.trashQuestion()?.map(NotesAction.files)
    case .refresh: return list(state.files.run(command, &state.frame)) + sendNow(&state)
    default: return list(state.files.run(command, &state.frame))
    }
    return []
  }

  /// Opens a note; my own text of it comes first while that is not in the club.
  static func open(_ path: StorePath, _ state: inout NotesState, sought: SoughtPlace? = nil) -> Commands {
    state.files.find.before = nil
    if let text = state.texts.first(where: { $0.isOf(path) && $0.isSaved }) {
      guard text.kind == .toSend else { return open(text, &state) }
      return begin(OpeningText(path: path, effect: .readWaiting(text), key: "notes.open", sought: sought), &state)
    }
    return begin(OpeningText(path: path, effect: .open(path, .read), key: "notes.open", sought: sought), &state)
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState) -> Commands {
    let distance = mouse.kind == .wheelUp ? -3 : 3
    switch (mouse.kind, state.views.last) {
    case (_, nil): return state.files.point(mouse) ? runInList(.listOpen, &state) : []
    case (.wheelUp, .reader), (.wheelDown, .reader), (.wheelUp, .version), (.wheelDown, .version):
      changeReader(&state) { reader in
        reader.text.scroll(by: distance)
        reader.before = nil
      }
    case (.wheelUp, .conflict(var view)), (.wheelDown, .conflict(var view)):
      view.mine.scroll(by: distance)
      view.theirs.scroll(by: distance)
      replaceTop(.conflict(view), &state)
    case (.wheelUp, .history(var history)), (.wheelDown, .history(var history)):
      history.rows.scroll(by: distance)
      replaceTop(.history(history), &state)
    case (.wheelUp, .editor(var editor)), (.wheelDown, .editor(var editor)):
      editor.text.scroll(by: distance)
      replaceTop(.editor(editor), &state)
    case (.press, .editor(var editor)):
      editor.text.click(Point(mouse.point.x, mouse.point.y - 1))
      replaceTop(.editor(editor), &state)
    default: break
    }
    return []
  }

  static func takeSession(_ state: inout NotesState) -> Int {
    defer { state.nextSession += 1 }
    return state.nextSession
  }
}
