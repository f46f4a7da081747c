internal import ClubServices
internal import FileStores
internal import TextUI

/// An editor that was left by Done, until its text is in the club or in the outbox.
struct DepartedEditor: Sendable {
  let editor: NoteEditor
  /// The question that the text was written for.
  let conflict: ConflictView?
  /// The note as the reader below the editor had it before.
  let note: OpenNote?
}

/// Editors come back when their text is neither in the club nor in the outbox.
extension NotesScreen {
  /// The save of a session is safe, or not wanted any more.
  static func forget(_ session: Int?, _ state: inout NotesState) {
    if let session { state.departed[session] = nil }
  }

  /// Puts the editor of a session on the screen again, with its text and all that can be undone in it.
  static func bringBack(_ session: Int?, _ state: inout NotesState) {
    guard let session, let departed = state.departed.removeValue(forKey: session) else { return }
    if let path = departed.editor.path { state.unsent.remove(path) }
    // An editor that was opened over the text meanwhile has it, and more.
    for index in state.views.indices {
      guard case .editor(var editor) = state.views[index], editor.path == departed.editor.path else { continue }
      editor.isChangedFromStart = true
      state.views[index] = .editor(editor)
      return
    }
    if let note = departed.note {
      for index in state.views.indices {
        guard case .reader(let reader) = state.views[index], reader.note.entry.path == note.entry.path else { continue }
        state.views[index] = .reader(NoteReader(note, size: state.frame.viewSize))
      }
    }
    // The last of them is shown first.
    state.waiting.insert(.editor(departed.editor), at: 0)
    if let conflict = departed.conflict { state.waiting.insert(.conflict(conflict), at: 0) }
  }
}
