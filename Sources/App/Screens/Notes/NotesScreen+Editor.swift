internal import ClubServices
internal import FileStores
internal import TextUI

/// Commands of the editor and of the form for a new note: saving, with the text open or closed, and leaving.
extension NotesScreen {
  static func run(_ command: CommandID, _ editor: NoteEditor, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    switch command {
    case .editorSave: return saveOn(editor, &state, &frame)
    case .editorDone:
      state.views.removeLast()
      return save(editor, &state, &frame)
    case .interrupt where editor.bar.field != nil: return edit(.editorFindClose, &state, &frame)
    case .interrupt where endVi(&state, &frame): return []
    case .interrupt where editor.text.text.selection != nil: return copy(&state, &frame)
    case .editorCancel, .close, .interrupt:
      guard editor.isChanged else { return leaveEditor(&state) }
      state.question = Question(
        dropQuestion(state, frame),
        answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on editing", nil)])
      return []
    default: return edit(command, &state, &frame)
    }
  }

  /// Saves the text of an editor that stays open. Its next keys belong to a new session, so that they are kept whatever
  /// becomes of the save.
  private static func saveOn(_ editor: NoteEditor, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard editor.isChanged else {
      if let path = editor.path, state.texts.contains(where: { $0.isOf(path) && $0.kind == .toSend }) {
        frame.say("Sending \"\(editor.title)\".")
        return sendNow(&state, frame)
      }
      frame.say("\"\(editor.title)\" is saved.")
      return []
    }
    state.views.removeLast()
    let commands = save(editor, &state, &frame)
    var next = editor
    next.start = editor.text.bytes
    (next.session, next.hasDraft, next.isChangedFromStart) = (takeSession(&state), false, false)
    next.saved.append(editor.session)
    next.text.markSaved()
    state.views.append(.editor(next))
    return commands
  }

  /// Saves the text of an editor that has left the views. `changes` are the lines to mark in its readers.
  static func save(
    _ editor: NoteEditor, changes: LineDiff? = nil, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    guard editor.isChanged else {
      goBack(from: editor, &state)
      if let path = editor.path, state.texts.contains(where: { $0.isOf(path) && $0.kind == .toSend }) {
        frame.say("Sending \"\(editor.title)\".")
        return editor.dropping(isKept: false) + sendNow(&state, frame)
      }
      return editor.dropping(isKept: false)
    }
    let text = editor.text.bytes
    state.savesUnderway += 1
    frame.say("Saving \"\(editor.title)\".")
    guard let path = editor.path else {
      return [.run(.create(name: editor.title, text: text, session: editor.session))]
    }
    // The new save takes the place of an earlier one that is in conflict.
    state.waiting.removeAll {
      if case .conflict(let view) = $0, let session = view.session { editor.saved.contains(session) } else { false }
    }
    var before: NoteReader?
    if case .reader(let reader) = state.views.last, reader.note.entry.path == path { before = reader }
    state.departed[editor.session] = DepartedEditor(
      editor: editor, note: before?.note, changes: before?.changes)
    if let before {
      show(OpenNote(entry: before.note.entry, bytes: text, draft: nil), changes: changes, &state, frame)
      changeReader(&state) { $0.scroll(to: editor.text.topOffset) }
    }
    return [.run(.save(path, base: editor.base, text: text, session: editor.session))]
  }

  static func leaveEditor(_ state: inout NotesState) -> Commands {
    if case .conflict(let view) = state.views.last { return endPart(view, isTaken: false, &state) }
    switch state.views.last {
    case .editor(let editor):
      state.views.removeLast()
      if !editor.isChanged { goBack(from: editor, &state) }
      return editor.dropping(isKept: editor.isChanged && state.unkept == nil)
    case .form(let form):
      state.views.removeLast()
      return form.dropping(isKept: state.unkept == nil)
    default: return []
    }
  }

  /// The reader below shows the part of its text that the editor showed.
  private static func goBack(from editor: NoteEditor, _ state: inout NotesState) {
    guard case .reader(let reader) = state.views.last, reader.note.entry.path == editor.path,
      editor.text.topOffset != editor.openedAt
    else { return }
    changeReader(&state) { $0.scroll(to: editor.text.topOffset) }
  }

  private static func dropQuestion(_ state: NotesState, _ frame: Frame) -> String {
    if state.unkept != nil { return "Discard the text for good? It cannot be kept here." }
    return frame.isNarrow
      ? "Discard the text? Kept for a week." : "Discard the text? It stays in :waiting for a week."
  }

  static func run(_ command: CommandID, _ form: NewNoteForm, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    var form = form
    switch command {
    case .formNext:
      form.isInText.toggle()
      replaceTop(.form(form), &state)
    case .formSave, .formDone:
      guard form.saving == nil else { return [] }
      var naming: Commands = []
      if form.name.isEmpty, let name = state.name(for: form) {
        form.name = TextField(name, placeholder: form.name.placeholder)
        naming = form.recordName()
      }
      guard !form.name.isEmpty else {
        form.isInText = false
        replaceTop(.form(form), &state)
        frame.complain("The note needs a name. Type it in the first field.")
        return []
      }
      let session = form.session
      let text = form.beginSaving(closes: command == .formDone, next: takeSession(&state))
      replaceTop(.form(form), &state)
      state.savesUnderway += 1
      frame.say("Saving \"\(form.name.string)\".")
      return naming + [.run(.create(name: form.name.string, text: text, session: session))]
    case .interrupt where endVi(&state, &frame): return []
    case .formCancel, .close, .interrupt:
      guard form.hasDraft else { return leaveEditor(&state) }
      state.question = Question(
        dropQuestion(state, frame), answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on", nil)])
    default: return edit(command, &state, &frame)
    }
    return []
  }
}

extension NotesState {
  private static let mostNaming = 4096

  /// The name that a new note gets from its first line if none is typed; nil for a text without words.
  func name(for form: NewNoteForm) -> String? {
    let buffer = form.text.text.buffer
    return NotesService.name(ofText: buffer.bytes(in: 0..<min(buffer.count, Self.mostNaming))) { path in
      files.table?.contains(path) == true || texts.contains { $0.isOf(path) }
    }
  }
}
