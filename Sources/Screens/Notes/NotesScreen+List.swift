internal import ClubServices
internal import FileStores
internal import TextUI

/// The list of notes: filling it, moving in it, and what its keys do.
extension NotesScreen {
  static func fill(_ state: inout NotesState, _ action: NotesAction) -> Commands {
    switch action {
    case .listed(var table):
      let chosen = state.wanted ?? state.selected
      if let old = state.table {
        table.adoptDetails(of: old)
        table.sort(old.order)
      }
      table.find(state.find.field.string)
      state.table = table
      state.isListing = false
      state.listError = nil
      choose(chosen, &state)
      return visibleDetails(state) + begin(&state)
    case .detailed(let entries):
      state.table?.merge(entries)
    case .allDetailed(let entries, let isLast):
      let chosen = state.selected
      state.table?.merge(entries)
      if isLast {
        state.table?.resort()
        choose(chosen, &state)
      }
    case .changed(let set):
      guard !set.mustRelist else { return [.run(.list, key: "notes.list")] }
      return absorb(set, &state)
    case .listFailed(let error):
      state.isListing = false
      if state.table == nil { state.listError = error }
      state.frame.complain("The notes could not be listed. \(error)")
      return begin(&state)
    case .watchEnded(let error):
      if error.kind != .unsupported, error.kind != .cancelled {
        state.frame.complain(
          "Changes by others are not seen any more: \(error) Press \(state.frame.keys.name(of: .refresh)) to refresh.")
      }
    default: break
    }
    return []
  }

  /// What can wait until the list is on the screen. The watching goes back to where the listing began.
  private static func begin(_ state: inout NotesState) -> Commands {
    guard !state.hasBegun else { return [] }
    state.hasBegun = true
    return [.run(.watch, key: "notes.watch"), .run(.findDrafts)]
  }

  private static func absorb(_ set: ChangeSet, _ state: inout NotesState) -> Commands {
    let chosen = state.wanted ?? state.selected
    state.table?.apply(set.changes)
    for case .absent(let path) in set.changes { state.marks.remove(path) }
    choose(chosen, &state)
    guard case .reader(let reader) = state.views.last else { return [] }
    for case .present(let entry) in set.changes
    where entry.path == reader.note.entry.path && entry.revision != reader.note.entry.revision {
      return [.run(.open(entry.path, .reread), key: "notes.open")]
    }
    return []
  }

  /// Keeps the choice on a note when rows move.
  static func choose(_ path: StorePath?, _ state: inout NotesState) {
    guard let table = state.table else { return }
    state.list.setCount(table.count)
    guard let path, let row = table.row(of: path) else { return }
    state.list.select(row)
    if path == state.wanted { state.wanted = nil }
  }

  /// Asks for sizes and ages of the rows on the screen that have none.
  static func visibleDetails(_ state: NotesState) -> Commands {
    guard let table = state.table else { return [] }
    let missing = state.list.visible.filter { !table.hasDetails(at: $0) }.map { table.path(at: $0) }
    return missing.isEmpty ? [] : [.run(.details(missing), key: "notes.details")]
  }

  static func runInList(_ command: CommandID, _ state: inout NotesState) -> Commands {
    if state.list.move(command) { return visibleDetails(state) }
    switch command {
    case .listOpen: return open(.read, &state)
    case .notesExternal: return state.selected.map { [.run(.beginEdit($0))] } ?? []
    case .notesNew:
      state.views.append(.form(NewNoteForm(session: takeSession(&state))))
      fit(&state)
    case .notesRename:
      guard let path = state.selected else { return [] }
      state.views.append(.rename(RenameField(path: path, name: TextField(bytes: Array(path.name)))))
    case .notesTrash: askTrash(&state)
    case .listMark:
      guard let path = state.selected else { return [] }
      if state.marks.remove(path) == nil { state.marks.insert(path) }
      state.list.move(.down)
    case .listSort:
      let chosen = state.selected
      let order = state.table?.order.next ?? .name
      state.table?.sort(order)
      choose(chosen, &state)
      state.frame.say("Sorted by \(order.word).")
      return visibleDetails(state)
    case .listOpenOutside: return state.selected.map { [.run(.openOutside($0))] } ?? []
    case .listCopyName:
      guard let path = state.selected else { return [] }
      state.frame.say("Copied \"\(path)\".")
      return [.copy("\(path)")]
    case .find:
      state.find.isTyping = true
    case .refresh:
      state.isListing = true
      state.frame.say("Refreshing.")
      return [.run(.list, key: "notes.list"), .run(.watch, key: "notes.watch")]
    case .undo:
      guard let step = state.frame.undo else {
        state.frame.say("There is nothing to undo.")
        return []
      }
      state.frame.undo = nil
      return [.run(.undo(step))]
    case .close:
      if !state.find.field.string.isEmpty { return find(FindField(), &state) }
      state.marks.removeAll()
    default: break
    }
    return []
  }

  static func open(_ purpose: NotesEffect.OpenPurpose, _ state: inout NotesState) -> Commands {
    guard let path = state.selected else { return [] }
    state.views.append(.opening(path, purpose))
    return [.run(.open(path, purpose), key: "notes.open")]
  }

  private static func askTrash(_ state: inout NotesState) {
    let targets = state.targets
    guard let first = targets.first else { return }
    let what = targets.count == 1 ? "\"\(first)\"" : "\(targets.count) notes"
    state.question = Question(
      text: "Move \(what) to the trash?",
      answers: [.init("y", "yes", .confirmedTrash(targets)), .init("n", "no", nil)])
  }

  /// The find field changed.
  static func find(_ field: FindField, _ state: inout NotesState) -> Commands {
    let chosen = state.selected
    state.find = field
    state.table?.find(field.field.string)
    choose(chosen, &state)
    return visibleDetails(state)
  }

  static func typeFind(_ key: Key, _ state: inout NotesState) -> Commands {
    var field = state.find
    switch key.code {
    case .escape: field.clear()
    case .enter: field.isTyping = false
    case .up, .down, .pageUp, .pageDown:
      _ = state.list.handle(key)
      return visibleDetails(state)
    default:
      guard field.field.handle(key) != .ignored else { return [] }
    }
    return find(field, &state)
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState) -> Commands {
    let distance = mouse.kind == .wheelUp ? -3 : 3
    switch (mouse.kind, state.views.last) {
    case (.wheelUp, nil), (.wheelDown, nil):
      state.list.scroll(by: distance)
      return visibleDetails(state)
    case (.wheelUp, .reader(var reader)), (.wheelDown, .reader(var reader)):
      reader.text.scroll(by: distance)
      replaceTop(.reader(reader), &state)
    case (.wheelUp, .editor(var editor)), (.wheelDown, .editor(var editor)):
      editor.text.scroll(by: distance)
      replaceTop(.editor(editor), &state)
    case (.press, .editor(var editor)):
      editor.text.click(Point(mouse.point.x, mouse.point.y - 1))
      replaceTop(.editor(editor), &state)
    case (.press, nil):
      guard let row = state.list.row(atLine: mouse.point.y) else { return [] }
      if state.list.selected == row { return runInList(.listOpen, &state) }
      state.list.select(row)
    default: break
    }
    return []
  }

  static func takeSession(_ state: inout NotesState) -> Int {
    defer { state.nextSession += 1 }
    return state.nextSession
  }
}
