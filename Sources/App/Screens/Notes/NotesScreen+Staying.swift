internal import ClubServices
internal import FileStores
internal import TextUI

/// Editors and forms that stayed open while their text was saved.
extension NotesScreen {
  /// The form of a note that was made closes, or becomes the note's editor.
  static func settleForm(
    _ path: StorePath?, _ outcome: SaveOutcome, _ session: Int?, _ state: inout NotesState, _ frame: Frame
  ) -> Commands {
    guard let session, let index = formIndex(of: session, state), let form = state.views[index] as? NewNoteForm,
      let saving = form.saving
    else { return [] }
    var made = path
    var base: Revision?
    if case .saved(let entry) = outcome { (made, base) = (entry.path, entry.revision) }
    guard let made, !saving.closes || form.text.isModified else {
      state.views.remove(at: index)
      return form.dropping(isKept: true)
    }
    var editor = NoteEditor(form, path: made, base: base, size: frame.viewSize)
    if case .kept = outcome { editor.isKept = true }
    // The draft of a form belongs to no note.
    let commands =
      editor.hasDraft ? editor.beginAnew(from: editor.start, over: base, session: takeSession(&state)) : []
    state.views[index] = editor
    return commands
  }

  /// The form of a note that was not made can be saved again.
  static func reopenForm(_ session: Int?, _ state: inout NotesState) -> Commands {
    guard let session, let index = formIndex(of: session, state), var form = state.views[index] as? NewNoteForm else {
      return []
    }
    let commands = form.endSaving()
    state.views[index] = form
    return commands
  }

  private static func formIndex(of session: Int, _ state: NotesState) -> Int? {
    state.views.lastIndex { ($0 as? NewNoteForm)?.saving?.session == session }
  }

  /// The open editor whose latest save has this session.
  private static func editorIndex(of session: Int?, _ state: NotesState) -> Int? {
    guard let session else { return nil }
    return state.views.lastIndex { ($0 as? NoteEditor)?.saved.last == session }
  }

  static func isOpen(_ session: Int?, _ state: NotesState) -> Bool { editorIndex(of: session, state) != nil }

  /// The editor's text is made from the revision that the store has now.
  static func continueOver(_ entry: FileEntry, _ session: Int?, _ state: inout NotesState) {
    guard let index = editorIndex(of: session, state), var editor = state.views[index] as? NoteEditor,
      editor.path == entry.path
    else { return }
    (editor.base, editor.isKept, editor.baseText) = (entry.revision, false, editor.start)
    editor.newer.settle(entry.revision)
    state.views[index] = editor
  }

  /// True while the member's choice in the conflict of a session is being carried out.
  static func isResolving(_ session: Int?, _ state: NotesState) -> Bool {
    session != nil && state.resolving.contains { $0.session == session }
  }

  /// The club has a text that the editor has not seen: the member has chosen it elsewhere.
  static func lookAgain(_ session: Int?, _ state: inout NotesState) {
    guard let index = editorIndex(of: session, state), var editor = state.views[index] as? NoteEditor else { return }
    (editor.isKept, editor.newer.mayExist) = (false, true)
    state.views[index] = editor
  }

  /// The outbox has sent a text: its editor meets the text that the club has now, unless a later save still waits.
  static func noteSent(_ path: StorePath, _ outcome: SaveOutcome, _ state: inout NotesState) -> Commands {
    guard state.texts.count(where: { $0.isSaved && !$0.isName && $0.path == path }) <= 1 else { return [] }
    var merged: MergedNote?
    switch outcome {
    case .saved: break
    case .merged(let note): merged = note
    default: return []
    }
    var commands: Commands = []
    for index in state.views.indices {
      guard let editor = state.views[index] as? NoteEditor, editor.path == path, editor.isKept else { continue }
      lookAgain(editor.saved.last, &state)
      if let merged, merged.sides.mine == editor.start {
        commands += take(merged, over: editor.start, editor.saved.last, &state)
      }
    }
    return commands
  }

  static func noteKept(_ session: Int?, _ state: inout NotesState) {
    guard let index = editorIndex(of: session, state), var editor = state.views[index] as? NoteEditor else { return }
    editor.isKept = true
    state.views[index] = editor
  }

  /// An open editor takes the changes that its save was merged with. Where something else was typed at their place, the
  /// saved text stays its base, so that the next save merges it or shows both texts.
  static func take(
    _ merged: MergedNote, over saved: [UInt8], _ session: Int?, _ state: inout NotesState
  ) -> Commands {
    guard let index = editorIndex(of: session, state), var editor = state.views[index] as? NoteEditor,
      editor.path == merged.entry.path,
      let changes = IncomingChanges(to: editor.text.bytes, from: saved, newer: merged.text)
    else { return [] }
    let next = editor.hasDraft || editor.isChanged ? takeSession(&state) : editor.session
    let commands = take(changes, of: merged.entry.revision, in: &editor, next)
    editor.newer.settle(merged.entry.revision, apart: changes.conflicts)
    editor.isKept = false
    state.views[index] = editor
    return commands
  }
}

extension TextEdit {
  init(_ edit: DraftEdit) { self.init(offset: edit.offset, removed: edit.removed, inserted: edit.inserted) }
}
