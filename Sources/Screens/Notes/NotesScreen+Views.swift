internal import ClubServices
internal import FileStores
internal import TextUI

/// What keys do in the views over the list.
extension NotesScreen {
  static func run(_ command: CommandID, _ state: inout NotesState) -> Commands {
    switch state.views.last {
    case nil: return runInList(command, &state)
    case .opening(let opening): return run(command, opening, &state)
    case .reader(var reader):
      switch command {
      case .readerEdit: return beginEditing(reader, &state)
      case .readerExternal: return [.run(.beginEdit(reader.note.entry.path))]
      case .close where reader.text.search != nil || reader.isFinding: changeReader(&state) { $0.endFind() }
      case .close, .quit:
        state.views.removeLast()
        return reader.isBehind ? [.cancel(key: "notes.open")] : []
      default:
        run(command, inTextOf: &reader, &state.frame)
        replaceTop(.reader(reader), &state)
      }
    case .editor(let editor): return run(command, editor, &state)
    case .form(let form): return run(command, form, &state)
    case .conflict(let view): return run(command, view, &state)
    case .draft(let offer): return run(command, offer, &state)
    case .waiting(let list): return run(command, list, &state)
    case .history(let history): return run(command, history, &state)
    case .version(let version): return run(command, version, &state)
    }
    return []
  }

  private static func run(_ command: CommandID, _ opening: OpeningText, _ state: inout NotesState) -> Commands {
    var opening = opening
    switch command {
    case .close, .quit, .interrupt:
      state.views.removeLast()
      return [.cancel(key: opening.key)]
    case .refresh:
      opening.problem?.tryNow()
      replaceTop(.opening(opening), &state)
      return [opening.command]
    default: return []
    }
  }

  /// Shows that a text is being opened, and opens it.
  static func begin(_ opening: OpeningText, _ state: inout NotesState) -> Commands {
    state.views.append(.opening(opening))
    return [opening.command]
  }

  static func replaceTop(_ view: NotesView, _ state: inout NotesState) {
    guard !state.views.isEmpty else { return }
    state.views[state.views.count - 1] = view
  }

  private static func beginEditing(_ reader: NoteReader, _ state: inout NotesState) -> Commands {
    guard reader.note.content == .text else {
      state.frame.complain(
        "\"\(reader.note.entry.path)\" is not UTF-8 text: read-only. Its bytes stay as they are.")
      return []
    }
    state.views.append(.editor(NoteEditor(reader, session: takeSession(&state))))
    return []
  }

  private static func run(_ command: CommandID, _ editor: NoteEditor, _ state: inout NotesState) -> Commands {
    switch command {
    case .editorDone:
      state.views.removeLast()
      return save(editor, &state)
    case .editorCancel, .close, .interrupt:
      guard editor.isChanged else { return leaveEditor(&state) }
      state.question = Question(
        dropQuestion(state),
        answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on editing", nil)])
      return []
    default: return edit(command, &state)
    }
  }

  private static func save(_ editor: NoteEditor, _ state: inout NotesState) -> Commands {
    guard editor.isChanged else {
      if let path = editor.path, state.texts.contains(where: { $0.isOf(path) && $0.kind == .toSend }) {
        state.frame.say("Sending \"\(editor.title)\".")
        return editor.dropping(isKept: false) + sendNow(&state)
      }
      return editor.dropping(isKept: false)
    }
    let text = editor.text.bytes
    state.savesUnderway += 1
    state.frame.say("Saving \"\(editor.title)\".")
    guard let path = editor.path else {
      return [.run(.create(name: editor.title, text: text, session: editor.session))]
    }
    var question: ConflictView?
    if let conflict = editor.conflict, case .conflict(let view) = state.views.last,
      view.conflict.save == conflict.save
    {
      question = view
      state.views.removeLast()
    }
    state.unsent.insert(path)
    var before: OpenNote?
    if case .reader(let reader) = state.views.last, reader.note.entry.path == path { before = reader.note }
    state.departed[editor.session] = DepartedEditor(editor: editor, conflict: question, note: before)
    if case .reader(let reader) = state.views.last, reader.note.entry.path == path {
      let note = OpenNote(entry: reader.note.entry, bytes: text, draft: nil)
      var renewed = NoteReader(note, size: state.frame.viewSize)
      renewed.text.scroll(to: editor.text.topOffset)
      renewed.find(as: reader)
      replaceTop(.reader(renewed), &state)
    }
    if let conflict = editor.conflict { return [.run(.resolve(conflict, .text(text), session: editor.session))] }
    return [.run(.save(path, base: editor.base, text: text, session: editor.session))]
  }

  static func leaveEditor(_ state: inout NotesState) -> Commands {
    switch state.views.popLast() {
    case .editor(let editor): editor.dropping(isKept: editor.isChanged && state.unkept == nil)
    case .form(let form): form.dropping(isKept: state.unkept == nil)
    default: []
    }
  }

  private static func dropQuestion(_ state: NotesState) -> String {
    if state.unkept != nil { return "Discard the text for good? It cannot be kept here." }
    return state.frame.isNarrow
      ? "Discard the text? Kept for a week." : "Discard the text? It stays in :waiting for a week."
  }

  private static func run(_ command: CommandID, _ form: NewNoteForm, _ state: inout NotesState) -> Commands {
    var form = form
    switch command {
    case .formNext:
      form.isInText.toggle()
      replaceTop(.form(form), &state)
    case .formDone:
      guard !form.name.isEmpty else {
        form.isInText = false
        replaceTop(.form(form), &state)
        state.frame.complain("The note needs a name. Type it in the first field.")
        return []
      }
      guard !form.isSaving else { return [] }
      form.isSaving = true
      replaceTop(.form(form), &state)
      state.savesUnderway += 1
      state.frame.say("Saving \"\(form.name.string)\".")
      return [.run(.create(name: form.name.string, text: form.text.bytes, session: form.session))]
    case .formCancel, .close, .interrupt:
      guard form.hasDraft else { return leaveEditor(&state) }
      state.question = Question(
        dropQuestion(state), answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on", nil)])
    default: break
    }
    return []
  }

  private static func run(_ command: CommandID, _ view: ConflictView, _ state: inout NotesState) -> Commands {
    var view = view
    switch command {
    case .conflictMine: return resolve(view, .mine, &state)
    case .conflictBoth: return resolve(view, .both, &state)
    case .conflictTheirs:
      state.question = Question(
        "Discard your text of \"", naming: "\(view.conflict.path)",
        state.frame.isNarrow ? "\"?" : "\"? It stays in :waiting for a week.",
        answers: [.init("y", "discard it", .confirmedTheirs(view.conflict)), .init("n", "no", nil)])
    case .conflictEdit:
      state.views.append(.editor(NoteEditor(view.conflict, session: takeSession(&state), size: state.frame.viewSize)))
    case .conflictLater, .close:
      state.views.removeLast()
      state.frame.say("Your text of \"\(view.conflict.path)\" is kept. Open the note or type :waiting to choose.")
    case .readerFindNext, .readerFindPrevious: state.frame.say("Find works in lists and notes.")
    default:
      view.mine.move(command)
      view.theirs.move(command)
      replaceTop(.conflict(view), &state)
    }
    return []
  }

  static func resolve(_ view: ConflictView, _ choice: ConflictChoice, _ state: inout NotesState) -> Commands {
    state.views.removeLast()
    state.savesUnderway += 1
    let resolve = Commands.Element.run(.resolve(view.conflict, choice, session: view.session))
    switch choice {
    // A reader below the question shows my text, which this file will not have.
    case .theirs, .both: return [resolve, .run(.open(view.conflict.path, .reread), key: "notes.open")]
    default: return [resolve]
    }
  }

  private static func run(_ command: CommandID, _ offer: DraftOffer, _ state: inout NotesState) -> Commands {
    switch command {
    case .draftOpen:
      return offer.drafts.first.map { open($0, &state) } ?? []
    case .draftDiscard: if let draft = offer.drafts.first { askToDiscard(draft, &state) }
    case .draftLater, .close: dropOffer(&state)
    default: break
    }
    return []
  }

  /// Takes the first draft off the offer, and the offer away when nothing is left.
  static func dropOffer(_ state: inout NotesState) {
    guard let index = state.views.lastIndex(where: { if case .draft = $0 { true } else { false } }),
      case .draft(var offer) = state.views[index]
    else { return }
    offer.drafts.removeFirst()
    if offer.drafts.isEmpty {
      state.views.remove(at: index)
    } else {
      state.views[index] = .draft(offer)
    }
  }
}
