internal import ClubServices
internal import FileStores
internal import TextUI

/// A closed editor whose text is not in the club or the outbox yet.
struct DepartedEditor: Sendable {
  let editor: NoteEditor
  /// The note as the reader below the editor had it, and the marks of its changed lines.
  var note: OpenNote?
  var changes: LineDiff?
}

/// Editors return if neither the club nor the outbox has their text.
extension NotesScreen {
  /// Forgets the editor of a session, whose text is safe or no longer wanted.
  static func forget(_ session: Int?, _ state: inout NotesState) {
    if let session { state.departed[session] = nil }
  }

  /// Puts the editor of a session on the screen again, with its text and all that can be undone in it.
  static func bringBack(_ session: Int?, _ state: inout NotesState, _ frame: Frame) -> Commands {
    guard let session, let departed = state.departed.removeValue(forKey: session) else { return [] }
    // The text of a later save that was made from this one includes it.
    if let later = state.departed.values.first(where: { $0.editor.isMade(from: departed.editor) }) {
      let drops = later.editor.hasDraft ? departed.editor.dropping(isKept: false) : []
      guard departed.note != nil else { return drops }
      state.departed[later.editor.session]?.note = departed.note
      state.departed[later.editor.session]?.changes = departed.changes
      return drops
    }
    // An editor that stayed open, or was opened over this text meanwhile, includes it.
    for index in state.views.indices {
      guard var editor = state.views[index] as? NoteEditor, editor.isMade(from: departed.editor) else { continue }
      let stayed = editor.saved.last == session
      let drops = editor.takeBack(departed.editor)
      state.views[index] = editor
      guard stayed else { return drops }
      if let note = departed.note { show(note, changes: departed.changes, &state, frame) }
      return drops
    }
    if let note = departed.note { show(note, changes: departed.changes, &state, frame) }
    // The newest one is shown first.
    state.waiting.insert(departed.editor, at: 0)
    return []
  }

  /// Shows this text of a note in all its readers, which keep their look.
  static func show(_ note: OpenNote, changes: LineDiff?, _ state: inout NotesState, _ frame: Frame) {
    for index in state.views.indices {
      guard let old = state.views[index] as? NoteReader, old.note.entry.path == note.entry.path else { continue }
      state.views[index] = NoteReader(note, changes: changes, as: old, frame)
    }
  }
}

extension NoteEditor {
  /// True if this editor began with the other one's last text of the same note.
  fileprivate func isMade(from other: NoteEditor) -> Bool {
    path == other.path && (saved.last == other.session || start == other.text.bytes)
  }

  /// Includes the text of a save that failed. The session of the save goes on, because its draft begins with a text that
  /// the store had.
  fileprivate mutating func takeBack(_ other: NoteEditor) -> NotesScreen.Commands {
    isChangedFromStart = true
    guard saved.last == other.session else {
      baseText = other.baseText
      return []
    }
    saved = other.saved
    let drops = dropping(isKept: false)
    let edit = TextEdit(from: other.hasDraft ? other.text.bytes : other.start, to: text.bytes)
    (session, start, hasDraft) = (other.session, other.start, other.hasDraft)
    guard !drops.isEmpty else { return [] }
    return record(.edited([edit])) + drops
  }
}
