internal import ClubServices
internal import FileStores
internal import TextUI

/// What the notes' service told.
extension NotesScreen {
  static func happen(_ state: inout NotesState, _ action: NotesAction) -> Commands {
    switch action {
    case .opened(let note, let purpose): return show(note, purpose, &state)
    case .openFailed(let path, let error): openFailed(path, error, &state)
    case .openedDraft(let draft, let text):
      // A second answer to a key that was pressed twice would open the draft twice.
      switch state.views.last {
      case .draft(let offer) where offer.drafts.first?.id == .draft(draft.id): dropOffer(&state)
      case .waiting(let list) where list.chosen?.id == .draft(draft.id): break
      default: return []
      }
      let session = takeSession(&state)
      if draft.path == nil {
        state.views.append(.form(NewNoteForm(draft, bytes: text, session: session)))
        fit(&state)
      } else {
        state.views.append(.editor(NoteEditor(draft, bytes: text, session: session, size: state.frame.viewSize)))
      }
      return [.post(.adoptDraft(session: session, draft.id))]
    case .saved(let path, let outcome, let session): return settle(path, outcome, session, &state)
    case .saveFailed(let path, let name, let error, let session):
      return saveFailed(path, name: name, error, session, &state)
    case .editBegan(let session, let program):
      return [
        .run(.followEdit(session), key: "notes.follow"),
        .handOver(program, then: { .editorEnded(session, $0) }),
      ]
    case .editorEnded(let session, let end): return finishEdit(session, end, &state)
    case .confirmedCancel: return leaveEditor(&state)
    case .confirmedDiscard(let text): return [.run(.discard(text))]
    case .confirmedTheirs(let conflict):
      guard case .conflict(let view) = state.views.last, view.conflict.save == conflict.save else { return [] }
      return resolve(view, .theirs, &state)
    default: break
    }
    return []
  }

  /// The view that waits for a text says why there is none; a text that is read stays.
  private static func openFailed(_ path: StorePath, _ error: StoreError, _ state: inout NotesState) {
    switch state.views.last {
    case .opening(var opening) where opening.path == path:
      guard error.kind != .cancelled else {
        state.views.removeLast()
        return
      }
      let isFirst = opening.problem == nil
      opening.problem = Problem(error, now: state.frame.now)
      replaceTop(.opening(opening), &state)
      // My own text of it is here, whatever the store says.
      let drafts = state.texts.filter { $0.isOf(path) && $0.kind == .draft }
      if isFirst, !drafts.isEmpty { state.waiting.append(.draft(DraftOffer(drafts: drafts))) }
    case .reader(var reader) where reader.note.entry.path == path && error.kind != .cancelled:
      if error.kind == .notFound {
        state.frame.complain("Someone else deleted or renamed \"\(path)\". This is its last text.")
      } else if !reader.isBehind {
        state.frame.complain("\"\(path)\" has changed. byteclub could not read its new text. \(error)")
      }
      reader.isBehind = error.isTemporary
      replaceTop(.reader(reader), &state)
    default: break
    }
  }

  private static func show(_ note: OpenNote, _ purpose: NotesEffect.OpenPurpose, _ state: inout NotesState) -> Commands
  {
    let path = note.entry.path
    switch (state.views.last, purpose) {
    case (.opening(let opening), _) where opening.path == path:
      var reader = NoteReader(note, size: state.frame.viewSize)
      reader.show(opening.sought)
      replaceTop(.reader(reader), &state)
      if note.content != .text {
        state.frame.say("\"\(path)\" is not UTF-8 text: read-only. Its bytes stay as they are.")
      }
    case (.reader(let old), .reread) where old.note.entry.path == path:
      var reader = NoteReader(note, size: state.frame.viewSize)
      reader.text.scroll(to: old.text.topOffset)
      reader.find(as: old)
      replaceTop(.reader(reader), &state)
      // The member's own save is no news.
      guard note.bytes != old.note.bytes else { return looking(state) }
      state.frame.say("\"\(path)\" has changed. This is the new text.")
    default: return []  // The view was closed meanwhile.
    }
    let looking = looking(state)
    guard let draft = note.draft, purpose != .reread else { return looking }
    let known = state.texts.first { $0.id == .draft(draft.id) }
    state.waiting.append(.draft(DraftOffer(drafts: [known ?? WaitingText(draft)])))
    return looking
  }

  static func settle(
    _ path: StorePath?, _ outcome: SaveOutcome, _ session: Int?, _ state: inout NotesState
  ) -> Commands {
    if state.savesUnderway > 0 { state.savesUnderway -= 1 }
    closeForm(session, &state)
    forget(session, &state)
    if let path { state.unsent.remove(path) }
    let had = state.texts
    switch outcome {
    case .saved(let entry):
      state.texts.removeAll { $0.isSaved && ($0.path == path || $0.path == entry.path) }
      state.newRows.subtract([entry.path])
      state.unsent.remove(entry.path)
      state.files.add(entry, isChosen: path != entry.path)
      renew(entry, &state)
      let isBeside = path != nil && path != entry.path
      state.frame.say(
        isBeside ? "Kept both: your text is in \"\(entry.path)\"." : "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .conflict(let conflict):
      show(conflict, session, &state)
      let what = conflict.theirs == nil ? "deleted" : "changed"
      state.frame.complain(
        "Someone else \(what) \"\(conflict.path)\" in the meantime. Both texts are safe: choose one.")
    case .deleted(let path):
      state.texts.removeAll { $0.isSaved && $0.path == path }
      state.files.remove([path])
      state.frame.say("\"\(path)\" stays deleted.")
    case .kept(_, let error):
      state.frame.complain("Your text is kept on this machine, not yet in the club. \(error)")
      return [lookWaiting]
    }
    if case .conflict = outcome { return [lookWaiting] }
    return had.isEmpty ? [] : [lookWaiting]
  }

  /// A conflict comes up once, however often its save was tried.
  private static func show(_ conflict: SaveConflict, _ session: Int?, _ state: inout NotesState) {
    let view = ConflictView(conflict, session: session, frame: state.frame)
    func isSame(_ view: NotesView) -> Bool {
      if case .conflict(let old) = view { old.conflict.save == conflict.save } else { false }
    }
    if let index = state.views.firstIndex(where: isSame) {
      state.views[index] = .conflict(view)
      return
    }
    state.waiting.removeAll(where: isSame)
    state.waiting.append(.conflict(view))
  }

  /// A note that is being read has the revision that its next edit begins from.
  private static func renew(_ entry: FileEntry, _ state: inout NotesState) {
    for index in state.views.indices {
      guard case .reader(var reader) = state.views[index], reader.note.entry.path == entry.path else { continue }
      reader.note = OpenNote(entry: entry, bytes: reader.note.bytes, draft: nil)
      state.views[index] = .reader(reader)
    }
  }

  private static func saveFailed(
    _ path: StorePath?, name: String, _ error: StoreError, _ session: Int?, _ state: inout NotesState
  ) -> Commands {
    if state.savesUnderway > 0 { state.savesUnderway -= 1 }
    if case .form(var form) = state.views.last, form.session == session {
      form.isSaving = false
      replaceTop(.form(form), &state)
    }
    if let path { state.unsent.remove(path) }
    bringBack(session, &state)
    state.frame.complain("\"\(name)\" was not saved. \(error)")
    return []
  }

  private static func closeForm(_ session: Int?, _ state: inout NotesState) {
    guard let session else { return }
    state.views.removeAll { if case .form(let form) = $0 { form.session == session } else { false } }
  }

  private static func finishEdit(
    _ session: EditSession, _ end: ExternalProgram.End, _ state: inout NotesState
  ) -> Commands {
    switch end {
    case .exited(0): break
    case .exited(let code): state.frame.complain("The editor ended with code \(code). Its last text is saved.")
    case .signalled(let signal):
      state.frame.complain("Signal \(signal) ended the editor. Its last text is saved.")
    case .notStarted(let reason):
      state.frame.complain("The editor did not start: \(reason) Set $VISUAL or $EDITOR to your editor.")
    }
    state.savesUnderway += 1
    return [.cancel(key: "notes.follow"), .run(.endEdit(session))]
  }
}
