internal import ClubServices
internal import FileStores
internal import TextUI

/// A closed editor whose text is not in the club or the outbox yet.
struct DepartedEditor: Sendable {
  let editor: NoteEditor
  /// The note as the reader below the editor had it, and the marks of its changed lines.
  var note: OpenNote?
  var changes: LineDiff?
  /// The editor of the first save of those in a row that failed before this one.
  var failed: NoteEditor?

  /// About the draft of a failed save, for a notice about the next one that may lack its words.
  var draftSentence: String {
    guard let failed, failed.hasDraft, let path = failed.path else { return "" }
    return " Your text of \"\(path)\" from the save that failed stays in :waiting for a week."
  }
}

/// Editors return if neither the club nor the outbox has their text.
extension NotesScreen {
  /// Forgets the editor of a session, whose text is safe or no longer wanted.
  static func forget(_ session: Int?, isSaved: Bool, _ state: inout NotesState) -> Commands {
    // A merge of this text, now or later, may lack the words of the save that failed before it.
    session.flatMap { state.departed.removeValue(forKey: $0)?.failed?.dropping(isKept: !isSaved) } ?? []
  }

  /// Puts the editor of a session on the screen again, with its text and all that can be undone in it.
  static func bringBack(_ session: Int?, _ state: inout NotesState, _ frame: Frame) -> Commands {
    guard let session, let departed = state.departed.removeValue(forKey: session) else { return [] }
    // The text of the next save that was made from this one includes it.
    let made = state.departed.values.filter { $0.editor.isMade(from: departed.editor) }
    if let later = made.min(by: { $0.editor.session < $1.editor.session }) {
      var next = later
      // Its draft begins with a text that the store never had. A merge needs one that begins with the store's.
      next.failed = departed.failed ?? departed.editor
      if departed.note != nil { (next.note, next.changes) = (departed.note, departed.changes) }
      state.departed[later.editor.session] = next
      return departed.failed != nil && later.editor.hasDraft ? departed.editor.dropping(isKept: true) : []
    }
    // An editor that stayed open, or was opened over this text meanwhile, includes it.
    for index in state.views.indices {
      guard var editor = state.views[index] as? NoteEditor, editor.isMade(from: departed.editor) else { continue }
      let stayed = editor.saved.last == session
      let commands = editor.takeBack(departed.editor) + (departed.failed.map { editor.takeBack($0) } ?? [])
      state.views[index] = editor
      guard stayed else { return commands }
      if let note = departed.note { show(note, changes: departed.changes, &state, frame) }
      return commands
    }
    if let note = departed.note { show(note, changes: departed.changes, &state, frame) }
    var editor = departed.editor
    let commands = departed.failed.map { editor.takeBack($0) } ?? []
    // The newest one is shown first.
    state.waiting.insert(editor, at: 0)
    return commands
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
  /// the store had: a merge takes whatever an earlier text lacks for removed.
  fileprivate mutating func takeBack(_ other: NoteEditor) -> NotesScreen.Commands {
    isChangedFromStart = true
    guard saved.last == other.session || base == other.base else { return [] }
    (saved, baseText) = (other.saved, other.baseText)
    let drops = dropping(isKept: false)
    let edit = TextEdit(from: other.hasDraft ? other.text.bytes : other.start, to: text.bytes)
    (session, start, hasDraft) = (other.session, other.start, other.hasDraft)
    guard !drops.isEmpty else { return [] }
    return record(.edited([edit])) + drops
  }
}
