internal import ClubServices
internal import FileStores
internal import TextUI

/// Commands of the editor and of the form for a new note: saving, with the text open or closed, and leaving.
extension NotesScreen {
  /// Saves the text of an editor that stays open. Its next keys belong to a new session, so that they are kept whatever
  /// becomes of the save.
  fileprivate static func saveOn(_ editor: NoteEditor, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
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
    state.views.append(next)
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
    state.waiting.removeAll { ($0 as? ConflictView)?.session.map(editor.saved.contains) ?? false }
    var before: NoteReader?
    if let reader = state.views.last as? NoteReader, reader.note.entry.path == path { before = reader }
    state.departed[editor.session] = DepartedEditor(
      editor: editor, note: before?.note, changes: before?.changes)
    if let before {
      show(OpenNote(entry: before.note.entry, bytes: text, draft: nil), changes: changes, &state, frame)
      changeReader(&state) { $0.scroll(to: editor.text.topOffset) }
    }
    return [.run(.save(path, base: editor.base, text: text, session: editor.session))]
  }

  /// A click on a row of the list of names takes the name; nil elsewhere. The list is where a drawing puts the cursor.
  fileprivate static func takeRow(
    _ mouse: InputEvent.Mouse, in view: any NotesView, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands? {
    guard mouse.kind == .press, var completion = state.shownCompletion, completion.chosen != nil else { return nil }
    var canvas = Canvas(Size(frame.size.width, max(1, frame.bodyHeight)))
    view.draw(state, frame, on: &canvas)
    let row = canvas.grid.cursor.flatMap { completion.row(at: mouse.point, cursor: $0, in: canvas.size) }
    guard let row else { return nil }
    completion.selection = row
    return show(completion, &state) + (runInList(.completionTake, &state, &frame) ?? [])
  }

  static func leaveEditor(_ state: inout NotesState) -> Commands {
    if let view = state.views.last as? ConflictView { return endPart(view, isTaken: false, &state) }
    switch state.views.last {
    case let editor as NoteEditor:
      state.views.removeLast()
      if !editor.isChanged { goBack(from: editor, &state) }
      return editor.dropping(isKept: editor.isChanged && state.unkept == nil)
    case let form as NewNoteForm:
      state.views.removeLast()
      return form.dropping(isKept: state.unkept == nil)
    default: return []
    }
  }

  /// The reader below shows the part of its text that the editor showed.
  private static func goBack(from editor: NoteEditor, _ state: inout NotesState) {
    guard let reader = state.views.last as? NoteReader, reader.note.entry.path == editor.path,
      editor.text.topOffset != editor.openedAt
    else { return }
    changeReader(&state) { $0.scroll(to: editor.text.topOffset) }
  }

  fileprivate static func dropQuestion(_ state: NotesState, _ frame: Frame) -> String {
    if state.unkept != nil { return "Discard the text for good? It cannot be kept here." }
    return frame.isNarrow
      ? "Discard the text? Kept for a week." : "Discard the text? It stays in :waiting for a week."
  }
}

extension NotesState {
  private static let mostNaming = 4096

  /// The name that a new note gets from its first line if none is typed; nil for a text without words.
  func name(for form: NewNoteForm) -> String? {
    let buffer = form.text.text.buffer
    return NotesService.name(ofText: buffer.bytes(in: 0..<min(buffer.count, Self.mostNaming))) { path in
      let path = form.folder.descending(path.bytes[...])
      return files.table?.contains(path) == true || texts.contains { $0.isOf(path) }
    }
  }
}

extension NoteEditor: NotesView {
  var places: [KeyCommand.Place] {
    bar.field != nil ? [.editorFind] : completion?.chosen != nil ? [.completion, .editor] : [.editor]
  }
  var footer: [CommandID] {
    switch bar.field {
    case nil where completion?.chosen != nil: [.completionTake, .completionClose, .editorSave, .help]
    case nil: [.editorSave, .editorDone, .editorCancel, .editorUndo, .editorFind, .editorInsert, .editorRedo, .help]
    case .line: [.editorFindNext, .editorFindClose]
    default: [.editorFindNext, .editorFindPrevious, .editorFindField, .editorFindAll, .editorFindClose]
    }
  }
  var takesText: Bool { true }
  var vi: ViKeys? { bar.field == nil ? text.vi : nil }
  var hasUnsavedText: Bool { isChanged }
  var closesForSearch: Bool { false }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if completion != nil {
      if let commands = NotesScreen.runInList(command, &state, &frame) { return commands }
      var editor = self
      editor.completion = nil
      state.replaceTop(editor)
      return editor.handle(command, &state, &frame)
    }
    switch command {
    case .editorSave: return NotesScreen.saveOn(self, &state, &frame)
    case .editorDone:
      state.views.removeLast()
      return NotesScreen.save(self, &state, &frame)
    case .interrupt where bar.field != nil: return NotesScreen.edit(.editorFindClose, &state, &frame)
    case .interrupt where NotesScreen.endVi(&state, &frame): return []
    case .interrupt where text.text.selection != nil: return NotesScreen.copy(&state, &frame)
    case .editorCancel, .close, .interrupt:
      guard isChanged else { return NotesScreen.leaveEditor(&state) }
      state.question = Question(
        NotesScreen.dropQuestion(state, frame),
        answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on editing", nil)])
      return []
    default: return NotesScreen.edit(command, &state, &frame)
    }
  }

  /// A click takes a row of the list of names, or puts the cursor; a second one selects the word, dragging selects.
  func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if let taking = NotesScreen.takeRow(mouse, in: self, &state, &frame) { return taking }
    let point = Point(mouse.point.x - 1, mouse.point.y - 1)
    return NotesScreen.changeEditor(&state) { editor in
      editor.completion = nil
      switch mouse.kind {
      case .press:
        let isSecond = editor.clicked.map { $0.point == point && frame.now - $0.at <= 1 } ?? false
        if isSecond { editor.text.clickWord(point) } else { editor.text.click(point) }
        editor.clicked = isSecond ? nil : (point, frame.now)
      case .drag: editor.text.drag(to: point)
      case .release, .wheelUp, .wheelDown: break
      }
      return []
    }
  }

  mutating func scroll(by rows: Int) { text.scroll(by: rows) }
  mutating func resize(_ frame: Frame) { text.resize(Self.textSize(frame.viewSize)) }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    guard [.editorFindField, .editorFindPrevious, .editorFindAll].contains(command) else { return nil }
    if bar.field == .line { return "Type the number of a line." }
    return command == .editorFindAll && text.search == nil ? "Type what to find first." : nil
  }
}

extension NewNoteForm: NotesView {
  private var hasList: Bool { completion?.chosen != nil }
  var places: [KeyCommand.Place] { (hasList ? [.completion] : []) + (isInText ? [.form, .editor] : [.form]) }
  var footer: [CommandID] {
    hasList
      ? [.completionTake, .completionClose, .formSave, .help]
      : [.formSave, .formDone, .formNext, .formCancel, .help]
  }
  var takesText: Bool { true }
  var vi: ViKeys? { isInText ? text.vi : nil }
  var hasUnsavedText: Bool { hasDraft || saving != nil }
  var closesForSearch: Bool { false }

  mutating func resize(_ frame: Frame) {
    text.resize(NoteEditor.textSize(Size(frame.size.width, max(1, frame.bodyHeight - 2))))
  }

  /// A click takes a row of the list of names.
  func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    NotesScreen.takeRow(mouse, in: self, &state, &frame) ?? []
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var form = self
    if completion != nil {
      if let commands = NotesScreen.runInList(command, &state, &frame) { return commands }
      form.completion = nil
      state.replaceTop(form)
      return form.handle(command, &state, &frame)
    }
    switch command {
    case .formNext:
      form.isInText.toggle()
      form.completion = nil
      state.replaceTop(form)
      return NotesScreen.fillForm(&state, frame.now)
    case .formSave where template != nil, .formDone where template != nil:
      form.isInText = true
      state.replaceTop(form)
      let filled = NotesScreen.fillForm(&state, frame.now)
      guard let form = state.views.last as? NewNoteForm else { return filled }
      return filled + form.handle(command, &state, &frame)
    case .formSave, .formDone:
      guard form.saving == nil else { return [] }
      var naming: Commands = []
      if form.name.isEmpty, let name = state.name(for: form) {
        form.name = TextField(name, placeholder: form.name.placeholder)
        naming = form.recordName()
      }
      guard !form.name.isEmpty else {
        form.isInText = false
        state.replaceTop(form)
        frame.complain("The note needs a name. Type it in the first field.")
        return []
      }
      let session = form.session
      let text = form.beginSaving(closes: command == .formDone, next: NotesScreen.takeSession(&state))
      state.replaceTop(form)
      state.savesUnderway += 1
      frame.say("Saving \"\(form.fullName)\".")
      return naming + [.run(.create(name: form.fullName, text: text, session: session))]
    case .interrupt where NotesScreen.endVi(&state, &frame): return []
    case .formCancel, .close, .interrupt:
      guard form.hasDraft else { return NotesScreen.leaveEditor(&state) }
      state.question = Question(
        NotesScreen.dropQuestion(state, frame),
        answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on", nil)])
    default: return NotesScreen.edit(command, &state, &frame)
    }
    return []
  }
}
