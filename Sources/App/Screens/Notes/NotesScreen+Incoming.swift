internal import ClubServices
internal import FileStores
internal import TextUI

/// An editor's knowledge of newer texts of its note.
struct NewerTexts: Sendable {
  /// The club may have a text that the editor has not met.
  var mayExist = false
  /// The session that has asked for the newer text and waits for it.
  var asked: Int?
  /// The last revision that the store has reported.
  var reported: Revision?
  /// The last revision whose changes came in, as far as they could.
  var met: Revision?
  /// The places that both members changed, which stay as they are until the next save.
  var apart = 0

  /// `base` is the revision of the editor's text.
  mutating func report(_ revision: Revision?, base: Revision?) {
    reported = revision
    mayExist = revision != met ?? base
  }

  /// The text is made from the revision that the club has now.
  mutating func settle(_ revision: Revision?, apart: Int = 0) {
    (mayExist, met, self.apart) = (mayExist && reported != revision, apart > 0 ? revision : nil, apart)
  }
}

/// Another member's save comes into the open text at once, or after a question, a search or a save that is open.
extension NotesScreen {
  /// Notes changes of the notes that are being edited.
  static func follow(edited set: ChangeSet, _ state: inout NotesState, _ frame: inout Frame) {
    for index in state.views.indices {
      guard var editor = state.views[index] as? NoteEditor else { continue }
      for change in set.changes {
        switch change {
        case .present(let entry) where entry.path == editor.path:
          editor.newer.report(entry.revision, base: editor.base)
          state.views[index] = editor
        // The member's own pending save changes the note as well.
        case .absent(editor.path) where state.savesUnderway == 0 && !editor.isKept: sayGone(editor, &frame)
        default: break
        }
      }
    }
  }

  /// After a new list, or when the store answers again.
  static func mayBeBehind(_ state: inout NotesState) {
    for index in state.views.indices {
      guard var editor = state.views[index] as? NoteEditor, editor.base != nil else { continue }
      editor.newer.mayExist = true
      state.views[index] = editor
    }
  }

  /// Asks for the newer text of the topmost editor's note, once it can come in.
  static func askForNewer(_ state: inout NotesState) -> Commands {
    guard var editor = state.views.last as? NoteEditor, let path = editor.path, editor.newer.mayExist,
      editor.newer.asked == nil, canComeIn(editor, state)
    else { return [] }
    (editor.newer.mayExist, editor.newer.asked) = (false, editor.session)
    state.replaceTop(editor)
    return [.run(.readNewer(path, over: editor.base, from: editor.baseText, session: editor.session))]
  }

  /// Nobody answers a question, looks for something or chooses a name, and no save of the note is on its way or waits.
  private static func canComeIn(_ editor: NoteEditor, _ state: NotesState) -> Bool {
    guard !state.isBelow, state.question == nil, state.savesUnderway == 0, editor.bar.field == nil,
      editor.completion?.isOpen != true, editor.text.canTakeIn, !editor.isKept
    else { return false }
    let isInConflict = state.waiting.contains { ($0 as? ConflictView)?.session.map(editor.saved.contains) ?? false }
    return !isInConflict && !(editor.path.map(state.hasUnsent) ?? false)
  }

  /// `base` is the revision of the text for which it was asked, and `session` the one that asked.
  static func came(
    _ newer: NewerNote, over base: Revision?, _ session: Int, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    guard var editor = endAsking(session, &state) else { return [] }
    let isTop = (state.views.last as? NoteEditor)?.session == editor.session
    guard isTop, editor.base == base, canComeIn(editor, state) else {
      // It is read again when it can come in.
      editor.newer.mayExist = true
      replace(editor, &state)
      return []
    }
    let revision = newer.entry.revision
    guard revision != editor.newer.met ?? base else { return [] }
    editor.newer.met = revision
    replace(editor, &state)
    guard newer.content == .text else {
      sayApart(newer.writer, "\"\(editor.title)\" is no UTF-8 text any more. Yours stays", &frame)
      return []
    }
    // The club may have this session's first text, which the outbox has sent.
    guard let known = newer.text == editor.start ? editor.start : newer.base,
      let changes = IncomingChanges(to: editor.text.bytes, from: known, newer: newer.text)
    else {
      let reason = newer.base == nil ? "its text from before is not on this machine" : "the texts are long"
      sayApart(newer.writer, "Yours stays, because \(reason)", &frame)
      return []
    }
    let next = editor.hasDraft || editor.isChanged ? takeSession(&state) : editor.session
    let commands = changeEditor(&state) { take(changes, of: revision, in: &$0, next) }
    show(newer, over: known, &state, frame)
    say(changes, newer.writer, &frame)
    return commands + list(state.files.look(at: newer.entry.path)) + looking(state)
  }

  /// The draft goes on from the newer text. Where both changed a place, the revision stays the one that both have seen.
  static func take(
    _ changes: IncomingChanges, of revision: Revision?, in editor: inout NoteEditor, _ session: Int
  ) -> Commands {
    editor.completion = nil
    editor.text.takeIn(changes.edits.map(TextEdit.init))
    (editor.newer.apart, editor.baseText) = (changes.conflicts, changes.base)
    let base = changes.conflicts == 0 ? revision : editor.base
    let commands = editor.beginAnew(from: changes.base, over: base, session: session)
    if editor.text.bytes == changes.base {
      editor.text.markSaved()
      editor.isChangedFromStart = false
    } else {
      editor.text.markUnsaved()
    }
    return commands
  }

  /// Readers below show the club's text, the base of their next edit.
  private static func show(_ newer: NewerNote, over base: [UInt8], _ state: inout NotesState, _ frame: Frame) {
    guard state.views.contains(where: { ($0 as? NoteReader)?.note.entry.path == newer.entry.path }) else { return }
    let note = OpenNote(entry: newer.entry, bytes: newer.text, draft: nil)
    show(note, changes: LineDiff(from: base, to: newer.text), &state, frame)
  }

  private static func say(_ changes: IncomingChanges, _ writer: NoteWriter, _ frame: inout Frame) {
    var sentences: [String] = []
    // The consequence comes first, because a narrow screen cuts the end.
    if changes.conflicts > 0 {
      sentences.append(
        changes.lines > 0
          ? "Both changed the same lines: your save will ask."
          : "\(writer.subject) changed the same lines. Yours stay; your save will ask.")
    }
    if changes.isClose, changes.lines > 0 { sentences.append("Both changed one sentence: read it again.") }
    if changes.lines > 0 {
      let whose = if case .own = writer { "Your" } else { writer.whose("Someone else's") }
      let lines = changes.lines == 1 ? "1 line" : "\(changes.lines.grouped) lines"
      let isRemoval = changes.edits.allSatisfy(\.inserted.isEmpty)
      sentences.append(
        isRemoval
          ? "\(writer.subject) changed \(lines) here." : "\(whose) words\(writer.place) came in: \(lines).")
    }
    if !sentences.isEmpty { frame.say(sentences.joined(separator: " ")) }
  }

  private static func sayApart(_ writer: NoteWriter, _ happening: String, _ frame: inout Frame) {
    frame.complain("\(writer.subject) changed the note. \(happening); your save merges the texts, or shows both.")
  }

  private static func sayGone(_ editor: NoteEditor, _ frame: inout Frame) {
    let save = frame.keys.name(of: .editorDone)
    let happening = "\"\(editor.title)\" was deleted or renamed in the meantime."
    frame.complain("\(happening) \(save) merges the texts, or shows both; yours is kept.")
  }

  static func newerFailed(
    _ path: StorePath, _ session: Int, _ error: StoreError, _ state: inout NotesState, _ frame: inout Frame
  ) {
    guard let editor = endAsking(session, &state), error.kind != .cancelled else { return }
    if error.kind == .notFound { return sayGone(editor, &frame) }
    guard let reported = editor.newer.reported, reported != editor.newer.met ?? editor.base else { return }
    frame.complain("\"\(path)\" has changed. byteclub could not read its new text. \(error) Yours is kept.")
  }

  /// nil if the editor that asked was closed meanwhile.
  private static func endAsking(_ session: Int, _ state: inout NotesState) -> NoteEditor? {
    let found = state.views.lazy.compactMap { $0 as? NoteEditor }.last { $0.newer.asked == session }
    guard var editor = found else { return nil }
    editor.newer.asked = nil
    replace(editor, &state)
    return editor
  }

  private static func replace(_ editor: NoteEditor, _ state: inout NotesState) {
    let index = state.views.lastIndex { ($0 as? NoteEditor)?.session == editor.session }
    if let index { state.views[index] = editor }
  }
}
