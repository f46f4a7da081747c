internal import ClubServices
internal import FileStores
internal import TextUI

/// Typing: each edit goes to the draft's log at once.
extension NotesScreen {
  static func type(_ key: Key, _ state: inout NotesState) -> Commands {
    switch state.views.last {
    case nil: state.files.type(key)
    case .editor(var editor):
      // The state's copy goes first: two holders of one text would make each key copy it.
      state.views.removeLast()
      let outcome = editor.text.handle(key)
      return settle(outcome, editor, &state)
    case .form(var form):
      state.views.removeLast()
      if key.code == .enter, !form.isInText {
        form.isInText = true
        state.views.append(.form(form))
        return []
      }
      if form.isInText { return settle(form.text.handle(key), form, &state) }
      return settleName(form.name.handle(key), form, &state)
    default: break
    }
    return []
  }

  static func paste(_ bytes: [UInt8], _ state: inout NotesState) -> Commands {
    switch state.views.last {
    case nil: state.files.paste(bytes)
    case .editor(var editor):
      state.views.removeLast()
      return settle(editor.text.paste(bytes), editor, &state)
    case .form(var form):
      state.views.removeLast()
      if form.isInText { return settle(form.text.paste(bytes), form, &state) }
      return settleName(form.name.paste(bytes), form, &state)
    default: break
    }
    return []
  }

  /// An editing command with a key of its own.
  static func edit(_ command: CommandID, _ editor: NoteEditor, _ state: inout NotesState) -> Commands {
    var editor = editor
    state.views.removeLast()
    return settle(editor.text.perform(command) ?? .ignored, editor, &state)
  }

  private static func settle(_ outcome: EditOutcome, _ editor: NoteEditor, _ state: inout NotesState) -> Commands {
    var editor = editor
    var commands: Commands = []
    if case .edited(let edits) = outcome {
      if !editor.hasDraft {
        editor.hasDraft = true
        commands.append(
          .post(
            .beginDraft(
              session: editor.session, path: editor.path, title: editor.title, base: editor.base, text: editor.start)))
      }
      commands.append(.post(.recordEdits(session: editor.session, edits.map(DraftEdit.init))))
    }
    state.views.append(.editor(editor))
    return commands
  }

  private static func settle(_ outcome: EditOutcome, _ form: NewNoteForm, _ state: inout NotesState) -> Commands {
    var form = form
    var commands: Commands = []
    if case .edited(let edits) = outcome {
      if !form.hasDraft { commands.append(begin(&form)) }
      commands.append(.post(.recordEdits(session: form.session, edits.map(DraftEdit.init))))
    }
    state.views.append(.form(form))
    return commands
  }

  private static func settleName(_ outcome: EditOutcome, _ form: NewNoteForm, _ state: inout NotesState) -> Commands {
    var form = form
    var commands: Commands = []
    if case .edited = outcome {
      commands.append(
        form.hasDraft ? .post(.retitleDraft(session: form.session, form.name.string)) : begin(&form))
    }
    state.views.append(.form(form))
    return commands
  }

  private static func begin(_ form: inout NewNoteForm) -> Command<NotesEffect, NotesAction> {
    form.hasDraft = true
    return .post(
      .beginDraft(
        session: form.session, path: nil, title: form.name.string, base: nil, text: []))
  }
}

extension DraftEdit {
  init(_ edit: TextEdit) {
    self.init(offset: edit.offset, removed: edit.removed, inserted: edit.inserted)
  }
}
