internal import ClubServices
internal import FileStores
internal import TextUI

/// What the list of notes has of its own: notes are opened, written and edited, and their sizes and ages come late.
extension NotesScreen {
  static func update(_ state: inout NotesState, _ action: FileListAction) -> Commands {
    let isFirst = !state.files.hasBegun
    let commands = list(state.files.update(action, &state.frame))
    if isFirst, state.files.hasBegun { return commands + [.run(.findDrafts)] }
    if case .changed(let set) = action { return commands + reread(set, state) }
    return commands
  }

  /// A note that is being read is read anew when it has changed.
  private static func reread(_ set: ChangeSet, _ state: NotesState) -> Commands {
    guard case .reader(let reader) = state.views.last else { return [] }
    for case .present(let entry) in set.changes
    where entry.path == reader.note.entry.path && entry.revision != reader.note.entry.revision {
      return [.run(.open(entry.path, .reread), key: "notes.open")]
    }
    return []
  }

  /// Asks for sizes and ages of the rows on the screen that have none.
  static func visibleDetails(_ state: NotesState) -> Commands {
    guard let table = state.files.table else { return [] }
    let missing = state.files.rows.visible.filter { !table.hasDetails(at: $0) }.map { table.path(at: $0) }
    return missing.isEmpty ? [] : [.run(.details(missing), key: "notes.details")]
  }

  static func runInList(_ command: CommandID, _ state: inout NotesState) -> Commands {
    switch command {
    case .listOpen: return open(.read, &state)
    case .notesExternal: return state.files.selected.map { [.run(.beginEdit($0))] } ?? []
    case .notesNew:
      state.views.append(.form(NewNoteForm(session: takeSession(&state))))
      fit(&state)
    case .notesTrash: state.question = state.files.trashQuestion()?.map(NotesAction.files)
    default: return list(state.files.run(command, &state.frame))
    }
    return []
  }

  static func open(_ purpose: NotesEffect.OpenPurpose, _ state: inout NotesState) -> Commands {
    guard let path = state.files.selected else { return [] }
    state.views.append(.opening(path, purpose))
    return [.run(.open(path, purpose), key: "notes.open")]
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState) -> Commands {
    let distance = mouse.kind == .wheelUp ? -3 : 3
    switch (mouse.kind, state.views.last) {
    case (_, nil): return state.files.point(mouse) ? open(.read, &state) : []
    case (.wheelUp, .reader(var reader)), (.wheelDown, .reader(var reader)):
      reader.text.scroll(by: distance)
      replaceTop(.reader(reader), &state)
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
