internal import ClubServices
internal import TextUI

/// Editors with vi's keys: their commands for saving and leaving, and searches that go on.
extension NotesScreen {
  /// Gives the topmost editor vi's keys.
  static func useVi(_ state: inout NotesState) {
    switch state.views.last {
    case let editor as NoteEditor where editor.text.vi == nil && editor.captionField == nil:
      changeText(&state) { $0.useVi() }
    case let form as NewNoteForm where form.text.vi == nil: changeText(&state) { $0.useVi() }
    case let view as ConflictView where view.editing != nil && view.editing?.text.vi == nil:
      changeText(&state) { $0.useVi() }
    default: break
    }
  }

  /// Carries out the request of the last key.
  static func meetRequest(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard state.vi?.request != nil else { return looking(state) }
    var request: ViKeys.Request?
    var copied: [UInt8] = []
    changeText(&state) { text in
      request = text.takeRequest()
      if request == .copied { copied = text.killed }
    }
    let isForm = state.views.last is NewNoteForm
    switch request {
    case .save: return run(isForm ? .formSave : .editorSave, &state, &frame)
    case .done: return run(isForm ? .formDone : .editorDone, &state, &frame)
    case .cancel: return run(isForm ? .formCancel : .editorCancel, &state, &frame)
    case .discard: return leaveEditor(&state)
    case .copied: return offer(copied, &frame)
    case .say(let sentence): frame.say(sentence)
    case .insert(let word): return insert(named: word, &state, &frame)
    case nil: break
    }
    return looking(state)
  }

  /// Ctrl-C ends what Escape ends. False if there is nothing to end.
  static func endVi(_ state: inout NotesState, _ frame: inout Frame) -> Bool {
    guard state.vi != nil else { return false }
    var hasEnded = false
    changeText(&state) { hasEnded = $0.endVi() }
    if !hasEnded { frame.say(":q leaves the editor, :wq saves and leaves.") }
    return true
  }

  /// Searches the next part of the topmost text for vi's words.
  static func seekOn(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard state.vi?.isSeeking == true else { return [] }
    return write(&state, frame.now, { $0.seekOn() }, inName: { _ in .ignored }) + meetRequest(&state, &frame)
  }

  /// Changes the topmost text other than by an edit. It leaves the state meanwhile.
  private static func changeText(_ state: inout NotesState, _ change: (inout TextEditor) -> Void) {
    switch state.views.popLast() {
    case var editor as NoteEditor:
      change(&editor.text)
      state.views.append(editor)
    case var form as NewNoteForm:
      change(&form.text)
      state.views.append(form)
    case var view as ConflictView:
      if var editor = view.editing {
        view.editing = nil
        change(&editor.text)
        view.editing = editor
      }
      state.views.append(view)
    case let view?: state.views.append(view)
    case nil: break
    }
  }
}
