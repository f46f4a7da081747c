internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// New notes from templates, and the day's note.
extension NotesScreen {
  /// Offers the templates, if there are any; else opens the form.
  static func beginNew(_ state: inout NotesState, _ frame: Frame) -> Commands {
    let templates = state.files.table?.allNames.filter { NoteTemplate.isTemplate($0) } ?? []
    guard !templates.isEmpty else {
      openForm(nil, &state, frame)
      return []
    }
    let items = templates.map { name in
      NoteChoice.Item(
        name.dropFirst(NoteTemplate.folder.utf8.count + 1), "template", .template(StorePath.root.descending(name)))
    }
    state.views.append(
      NoteChoice("New note from: ", [.init("blank".utf8, "", .template(nil))] + items, empty: "", frame))
    fit(&state, frame)
    return []
  }

  private static func openForm(_ template: NoteTemplate?, _ state: inout NotesState, _ frame: Frame) {
    var form = NewNoteForm(session: takeSession(&state), folder: state.files.albumFolder ?? .root)
    form.template = template
    state.views.append(form)
    fit(&state, frame)
  }

  /// Takes a row of a list over the notes.
  static func take(_ taken: NoteChoice.Taken, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if case .template(let path?) = taken {
      guard var choice = state.views.last as? NoteChoice else { return [] }
      choice.waiting = taken
      state.replaceTop(choice)
      return [.run(.readTemplate(path), key: "notes.template")]
    }
    state.views.removeLast()
    fit(&state, frame)
    switch taken {
    case .template: openForm(nil, &state, frame)
    case .tag(let tag): return follow(tag: tag, &state, &frame)
    case .insertion(let insertion): return begin(insertion, &state, &frame)
    case .picture(let path): return insertLink(to: path, isPicture: true, &state, &frame)
    case .note(let path): return insertLink(to: path, isPicture: false, &state, &frame)
    case .table(let columns, let rows): return insert(NoteLink.table(columns: columns, rows: rows), &state, frame.now)
    }
    return []
  }

  /// A template was read: it fills a form once the title is typed. Without a path, its date is inserted.
  static func templateRead(
    _ path: StorePath?, _ template: NoteTemplate, _ state: inout NotesState, _ frame: Frame
  ) -> Commands {
    guard let path else { return insert(Array(template.path(ofDay: "{date}").utf8), &state, frame.now) }
    guard let choice = state.views.last as? NoteChoice, choice.waiting == .template(path) else { return [] }
    state.views.removeLast()
    openForm(template, &state, frame)
    return []
  }

  static func templateFailed(_ error: StoreError, _ state: inout NotesState, _ frame: inout Frame) {
    guard error.kind != .cancelled else { return }
    if var choice = state.views.last as? NoteChoice {
      choice.waiting = nil
      state.replaceTop(choice)
    }
    frame.complain(error)
  }

  /// Fills the form's template, once its text has the focus.
  static func fillForm(_ state: inout NotesState, _ now: Int64) -> Commands {
    guard var form = state.views.last as? NewNoteForm, form.isInText, let template = form.template else { return [] }
    form.template = nil
    state.replaceTop(form)
    let name = form.name.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    return fill(template, title: MarkdownDocument.stem(of: name), &state, now)
  }

  private static func fill(
    _ template: NoteTemplate, title: String, _ state: inout NotesState, _ now: Int64
  ) -> Commands {
    let filled = template.filled(title: title)
    guard !filled.text.isEmpty else { return [] }
    return write(
      &state, now,
      { text in
        let outcome = text.apply([TextEdit(offset: 0, removed: 0, inserted: filled.text)])
        text.move(to: filled.cursor)
        return outcome
      }, inName: { _ in .ignored })
  }

  /// The day's note was looked for: it opens, or its editor does.
  static func todayFound(
    _ path: StorePath, _ template: NoteTemplate?, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    // Keys that the member types meanwhile belong to that text.
    guard state.writingSession == nil else {
      frame.say("\"\(path)\" is the day's note. Close this text, then :today opens it.")
      return []
    }
    guard let template else { return open(path, &state) }
    guard !frame.refusesChange() else { return [] }
    state.day = (path, template)
    frame.say("\"\(path)\" is new. \(frame.keys.name(of: .editorDone)) saves it.")
    return open(path, &state, to: .write)
  }

  /// Fills the template of the day's note, whose editor has opened.
  static func beginDay(_ note: OpenNote, _ state: inout NotesState, _ now: Int64) -> Commands {
    guard let day = state.day, day.path == note.entry.path else { return [] }
    state.day = nil
    guard note.entry.revision == nil, note.bytes.isEmpty, note.draft == nil, state.views.last is NoteEditor else {
      return []
    }
    return fill(day.template, title: MarkdownDocument.stem(of: day.path.name), &state, now)
  }
}
