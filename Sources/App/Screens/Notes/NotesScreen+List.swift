internal import ClubServices
internal import FileStores
internal import TextUI

/// The parts of the list that only notes have: opening, editing, and sizes and ages that arrive late.
extension NotesScreen {
  static func update(_ state: inout NotesState, _ action: FileListAction, _ frame: inout Frame) -> Commands {
    let isFirst = !state.files.hasBegun
    if let chosen = state.files.selected, state.hasUnsent(chosen), state.files.wanted == nil, isOfStore(action) {
      state.files.wanted = chosen
    }
    let pins = state.files.pins
    let commands = list(state.files.update(action, &frame)) + (pins == state.files.pins ? [] : [keepPins(state)])
    if case .sought = action { return commands + leaveReading(&state) }
    let back = followTags(action, &state, &frame)
    if !back.isEmpty { return commands + back }
    switch action {
    case .listed:
      state.newRows.removeAll()
      showNew(&state)
      mayBeBehind(&state)
    case .changed(let set):
      for case .present(let entry) in set.changes { state.newRows.remove(entry.path) }
      showNew(&state)
    default: break
    }
    if case .linksFound(let plan) = action {
      FileList.question(plan).map(NotesAction.files)
        .queue(behind: &state.questions, now: &state.question, isAsked: plan.linkCount > 0)
    }
    if case .trashed(let files, _) = action { closeReaders(of: Set(files.map(\.origin)), &state) }
    if isFirst, state.files.hasBegun {
      let watching: Commands = frame.connection == nil ? [] : [.run(.watchCopy, key: "notes.copy")]
      return commands + [.run(.findWaiting), .run(.watchKeeping, key: "notes.keeping")] + watching
    }
    // A change of a name may wait to be sent.
    switch action {
    case .renamed, .moved, .trashed, .undone, .mended, .folderMoved, .folderTrashed:
      if frame.connection != nil { return commands + [lookWaiting] }
    default: break
    }
    if case .changed(let set) = action { return commands + follow(set, &state, &frame) }
    return commands
  }

  /// True for the store's own list, which may lack the selected note.
  private static func isOfStore(_ action: FileListAction) -> Bool {
    switch action {
    case .listed, .changed: true
    default: false
    }
  }

  /// Closes readers over the list, because the results of a search are in the list.
  private static func leaveReading(_ state: inout NotesState) -> Commands {
    let count = state.views.count
    state.views.removeAll { $0.closesForSearch }
    guard state.views.count < count else { return [] }
    return ["notes.open", "notes.history", "notes.backlinks"].map { .cancel(key: $0) }
  }

  /// Closes the readers of notes that are in the trash now.
  private static func closeReaders(of paths: Set<StorePath>, _ state: inout NotesState) {
    let count = state.views.count
    state.removeViews { view in (view as? NoteReader).map { paths.contains($0.note.entry.path) } ?? false }
    if state.views.count < count { state.question = nil }
  }

  /// A note that is read is read anew when it has changed.
  private static func follow(_ set: ChangeSet, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    follow(edited: set, &state, &frame)
    switch state.views.last {
    // A text of the member that is not in the club yet stays visible.
    case let reader as NoteReader where state.word(of: reader.note.entry.path).isEmpty:
      for case .present(let entry) in set.changes
      where entry.path == reader.note.entry.path && entry.revision != reader.note.entry.revision {
        return [.run(.open(entry.path, .reread), key: "notes.open")]
      }
    default: break
    }
    return []
  }

  /// Requests the missing sizes and ages of the rows in view.
  static func visibleDetails(_ state: NotesState) -> Commands {
    // Those of names that were known last are on their way.
    guard let table = state.files.table, !state.files.hasNamesAlone else { return [] }
    let missing = state.files.rows.visible.compactMap(state.files.fileRow).filter { !table.hasDetails(at: $0) }
      .map { table.path(at: $0) }
    return missing.isEmpty ? [] : [.run(.details(missing), key: "notes.details")]
  }

  static func runInList(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .listOpen where state.files.selectedAlbum != nil: state.files.open(state.files.selectedAlbum?.path)
    case .notesFlat: return list(state.files.switchFlat(&frame))
    case .notesMove: state.views.append(MovePrompt<NotesState>(state.files, frame))
    case .notesBack where state.tagSteps.isEmpty && state.files.isInAlbum: state.files.leaveAlbum()
    case .listOpen: return state.files.selected.map { open($0, &state, sought: state.files.sought(at: $0)) } ?? []
    case .notesExternal: return state.files.selected.map { [.run(.beginEdit($0))] } ?? []
    case .notesHistory: return state.files.selected.map { openHistory($0, &state, frame) } ?? []
    case .notesNew: return beginNew(&state, frame)
    case .notesTags: return openTags(&state, frame)
    case .notesPin: return state.files.togglePin(&frame) ? [keepPins(state)] : []
    case .notesBroken:
      state.views.append(NoteBacklinks(.root, height: frame.bodyHeight))
      return [.run(.backlinks(.root), key: "notes.backlinks")]
    case .notesTrashView: return openTrash(&state, frame)
    case .notesBack: return goBack(&state, &frame)
    case .notesTrash: state.question = state.files.trashQuestion()?.map(NotesAction.files)
    case .listLink: state.question = state.files.linkQuestion()?.map(NotesAction.files)
    case .refresh:
      state.asksRemoval = !state.held.isEmpty
      return list(state.files.run(command, &frame)) + sendNow(&state, frame)
    default: return list(state.files.run(command, &frame))
    }
    return []
  }

  private static func keepPins(_ state: NotesState) -> Commands.Element {
    .run(.keepPins(state.files.pins.sorted()))
  }

  /// Opens a note. A text of the member that is not in the club yet takes precedence.
  static func open(
    _ path: StorePath, _ state: inout NotesState, sought: SoughtPlace? = nil, heading: String? = nil,
    to purpose: NotesEffect.OpenPurpose = .read
  ) -> Commands {
    state.files.find.keepChoice()
    if let text = state.texts.first(where: { $0.isOf(path) && $0.isSaved && !$0.isName }) {
      guard text.kind == .toSend else { return open(text, &state) }
      return begin(
        OpeningText(path: path, effect: .readWaiting(text), key: "notes.open", sought: sought, heading: heading), &state
      )
    }
    return begin(
      OpeningText(path: path, effect: .open(path, purpose), key: "notes.open", sought: sought, heading: heading), &state
    )
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if let commands = state.pointInView(mouse, &frame) { return commands }
    return state.files.point(mouse) ? runInList(.listOpen, &state, &frame) : []
  }

  static func takeSession(_ state: inout NotesState) -> Int {
    defer { state.nextSession += 1 }
    return state.nextSession
  }
}
