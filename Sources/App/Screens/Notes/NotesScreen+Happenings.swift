internal import ClubServices
internal import FileStores
internal import TextUI

/// Handles events from the notes service.
extension NotesScreen {
  static func happen(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .opened(let note, let purpose, let changes):
      if let revision = note.entry.revision { state.files.news.see(note.entry.path, revision) }
      return list(state.files.lookAtRemarks(on: note.entry.path)) + show(note, purpose, changes, &state, &frame)
        + beginDay(note, &state, frame.now)
    case .templateRead(let path, let template): return templateRead(path, template, &state, frame)
    case .failed(.readTemplate, let error): templateFailed(error, &state, &frame)
    case .todayFound(let path, let template): return todayFound(path, template, &state, &frame)
    case .failed(.findToday, let error): frame.complain("byteclub could not open the day's note. \(error)")
    case .tagsFound(let tags): return tagsFound(tags, &state)
    case .failed(.findTags, let error):
      guard error.kind != .cancelled else { return [] }
      if (state.views.last as? NoteChoice)?.items == nil, state.views.last is NoteChoice { state.views.removeLast() }
      state.tags = nil
      frame.complain("byteclub could not count the tags. \(error)")
    case .failed(.open(let path, _), let error), .failed(.version(let path, _), let error),
      .failed(.difference(let path, _, _), let error):
      openFailed(path, error, &state, &frame)
    case .failed(.readWaiting(let text), let error):
      if let path = text.path { openFailed(path, error, &state, &frame) }
    case .openedDraft(let draft, let text):
      // A key pressed twice has two answers; the second must not open the draft again.
      switch state.views.last {
      case let offer as DraftOffer where offer.drafts.first?.id == .draft(draft.id): dropOffer(&state)
      case let list as WaitingList where list.list.chosen?.id == .draft(draft.id): break
      default: return []
      }
      if let remark = draft.remark {
        state.wantedTalk = (remark.thing, .whole, draft.id)
        return []
      }
      let session = takeSession(&state)
      if draft.path == nil {
        state.views.append(NewNoteForm(draft, bytes: text, session: session))
        fit(&state, frame)
      } else {
        state.views.append(NoteEditor(draft, bytes: text, session: session, size: frame.viewSize))
      }
      return [.post(.adoptDraft(session: session, draft.id))]
    case .failed(.openDraft(let draft), let error):
      frame.complain("byteclub could not read the draft of \"\(draft.title)\". \(error)")
    case .saved(let path, let outcome, let session): return settle(path, outcome, session, &state, &frame)
    case .editBegan(let session, let program):
      return [
        .run(.followEdit(session), key: "notes.follow"),
        .handOver(program, then: { .editorEnded(session, $0) }),
      ]
    case .failed(.beginEdit(let path), let error):
      frame.complain("byteclub could not open \"\(path)\" for editing. \(error)")
    case .editorEnded(let session, let end): return finishEdit(session, end, &state, &frame)
    case .removalHeld(let paths): hold(paths, &state)
    case .confirmedRemoval(let count): return [.run(.acceptRemoval(count))]
    case .confirmedCancel: return leaveEditor(&state)
    case .confirmedDiscard(let text): return [.run(.discard(text))]
    case .confirmedSend(let text): return [.run(.send(text))]
    case .confirmedTrash(let path): return list([.run(.trash([path]))])
    case .remarksCompared(let entry, let remarks): state.take(remarks, on: entry)
    case .newerRead(let newer, let base, let session): return came(newer, over: base, session, &state, &frame)
    case .failed(.readNewer(let path, _, _, let session), let error): newerFailed(path, session, error, &state, &frame)
    case .headingsRead(let path, let names): return take(headings: names, of: path, &state)
    // The link can be typed all the same.
    case .failed(.headings, _): return []
    case .backlinksSought(let path, let unread, let total):
      guard var view = state.views.last as? NoteBacklinks, view.path == path else { return [] }
      view.sought(unread: unread, of: total)
      state.replaceTop(view)
    case .backlinksFound(let path, let found):
      guard var view = state.views.last as? NoteBacklinks, view.path == path else { return [] }
      view.take(found)
      state.replaceTop(view)
    case .failed(.backlinks(let path), let error):
      guard error.kind != .cancelled, let view = state.views.last as? NoteBacklinks, view.path == path else {
        return []
      }
      state.views.removeLast()
      frame.complain("byteclub could not look for links\(path.isRoot ? "" : " to \"\(path)\""). \(error)")
    case .confirmedNew(let name): return beginNote(named: name, &state, frame)
    case .confirmedUTF8:
      guard let reader = state.views.last as? NoteReader else { return [] }
      state.views.append(NoteEditor(reader, session: takeSession(&state)))
    case .confirmedAddress(let address): return list([.run(.openAddress(address))])
    case .mergeUndone(let merged, let conflict):
      frame.undo.end(rest: nil)
      state.merged = nil
      state.views.removeAll { ($0 as? DifferenceView)?.isMerge ?? false }
      show(conflict, nil, &state, &frame)
      let whose = merged.writer.place.isEmpty ? merged.writer.whose("the other") : "the other"
      frame.say(
        "Undid the merge: \"\(merged.entry.path)\" has \(whose) text again. Yours is safe: choose part by part.")
      return [lookWaiting]
    case .failed(.undoMerge(let merged), let error):
      frame.undo.end(rest: error.isTemporary ? .merge(merged) : nil)
      frame.complain("The merge of \"\(merged.entry.path)\" was not undone. \(error)")
    case .confirmedTheirs(let conflict):
      guard let view = state.views.last as? ConflictView, view.conflict.save == conflict.save else { return [] }
      return resolve(view, .theirs, &state, &frame)
    case .failed(let effect, let error):
      guard let saving = effect.saving else {
        frame.complain(error)
        return []
      }
      return saveFailed(saving.path, name: saving.name, error, saving.session, &state, &frame)
    default: break
    }
    return []
  }

  /// The view that waits for a text says why there is none; a text that is read stays.
  private static func openFailed(
    _ path: StorePath, _ error: StoreError, _ state: inout NotesState, _ frame: inout Frame
  ) {
    switch state.views.last {
    case var opening as OpeningText where opening.path == path:
      guard error.kind != .cancelled else {
        state.views.removeLast()
        return
      }
      let isFirst = opening.problem == nil
      opening.problem = Problem(error, now: frame.now)
      state.replaceTop(opening)
      // A draft of the member is available even if the store fails.
      let drafts = state.texts.filter { $0.isOf(path) && $0.kind == .draft }
      if isFirst, !drafts.isEmpty { state.waiting.append(DraftOffer(drafts: drafts)) }
    case var reader as NoteReader where reader.note.entry.path == path && error.kind != .cancelled:
      if error.kind == .notFound {
        frame.complain("\"\(path)\" was deleted or renamed. This is its last text.")
      } else if !reader.isBehind {
        frame.complain("\"\(path)\" has changed. byteclub could not read its new text. \(error)")
      }
      reader.isBehind = error.isTemporary
      state.replaceTop(reader)
    default: break
    }
  }

  private static func show(
    _ note: OpenNote, _ purpose: NotesEffect.OpenPurpose, _ changes: LineDiff?, _ state: inout NotesState,
    _ frame: inout Frame
  ) -> Commands {
    let path = note.entry.path
    switch (state.views.last, purpose) {
    case (let opening as OpeningText, .write) where opening.path == path && note.content == .text:
      var editor = NoteEditor(note, session: takeSession(&state), size: frame.viewSize)
      if let field = editor.captionField { editor.text.move(to: field.bytes.count) }
      state.replaceTop(editor)
    case (let opening as OpeningText, _) where opening.path == path:
      var reader = NoteReader(note, frame)
      reader.changes = changes
      reader.show(opening, &frame)
      state.replaceTop(reader)
      if let thing = Talk.thing(of: path), Talk.isTalk(note.bytes), state.files.table?.contains(thing) == false {
        frame.say(
          "These are remarks on \"\(thing)\", which is gone. \"byteclub talk join\" gives them to another note.")
      }
      if note.content != .text {
        frame.say(
          isShownInUTF8(note)
            ? "\"\(path)\" is not UTF-8 text. \(frame.keys.name(of: .readerEdit)) edits it as UTF-8."
            : "\"\(path)\" is not UTF-8 text: read-only. Its bytes stay as they are.")
      }
    case (let old as NoteReader, .reread) where old.note.entry.path == path:
      // The reader shows the member's newer text.
      guard !state.hasUnsent(path) else { return [] }
      let changes = changes ?? (note.bytes == old.note.bytes ? old.changes : nil)
      state.replaceTop(NoteReader(note, changes: changes, as: old, frame))
      // The member knows of their own save and restoration: no notice.
      guard note.bytes != old.note.bytes, note.entry.revision == nil || note.entry.revision != state.restored else {
        return looking(state)
      }
      let writer = note.writer ?? note.entry.member.map { .member($0) } ?? .unknown
      frame.say(
        (writer == .unknown ? "\"\(path)\" has changed." : "\(writer.subject) changed \"\(path)\".")
          + " This is the new text.")
    default: return []  // The view was closed meanwhile.
    }
    let looking = looking(state)
    guard let draft = note.draft, purpose != .reread else { return looking }
    let known = state.texts.first { $0.id == .draft(draft.id) }
    state.waiting.append(DraftOffer(drafts: [known ?? WaitingText(draft)]))
    return looking
  }

  static func settle(
    _ path: StorePath?, _ outcome: SaveOutcome, _ session: Int?, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    if state.savesUnderway > 0 { state.savesUnderway -= 1 }
    let isChosen = isResolving(session, state)
    let dropped = endResolving(path, isRefused: false, &state, frame)
    var followUp = dropped + settleForm(path, outcome, session, &state, frame)
    let departed = session.flatMap { state.departed[$0] }
    let text = departed?.editor.text.bytes
    let isSaved = if case .saved = outcome { true } else { false }
    followUp += forget(session, isSaved: isSaved, &state)
    let had = state.texts
    var kept: FileEntry?
    switch outcome {
    case .saved(let entry):
      state.texts.removeAll { $0.isSaved && !$0.isName && ($0.path == path || $0.path == entry.path) }
      state.newRows.subtract([entry.path])
      // A caption lies beside its photo, not in the list of notes.
      list(entry, isChosen: path != entry.path, &state)
      if let text { renew(entry, text, &state) }
      if isChosen { lookAgain(session, &state) } else { continueOver(entry, session, &state) }
      kept = entry
      let isBeside = path != nil && path != entry.path
      frame.say(
        isBeside ? "Kept both: your text is in \"\(entry.path)\"." : "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .merged(let merged):
      let entry = merged.entry
      state.texts.removeAll { $0.isSaved && !$0.isName && $0.path == entry.path }
      list(entry, isChosen: path != entry.path, &state)
      let isOpen = isOpen(session, state)
      if isChosen { lookAgain(session, &state) }
      if let text {
        show(merged, over: text, &state, frame)
        followUp += take(merged, over: text, session, &state)
      }
      kept = entry
      state.merged = merged
      frame.undo.add(.merge(merged), list: FileListWords.notes.many)
      let keys = (frame.keys.name(of: .mergeShow), frame.keys.name(of: .undo))
      let said = "\(merged.sentence)\(isOpen ? "" : " \(keys.0) shows it, \(keys.1) undoes it.")\(entry.lossSentence)"
      let draft = departed?.draftSentence ?? ""
      if draft.isEmpty {
        frame.say(said)
      } else if frame.notice?.isError == true {
        // An error stays until a key.
        frame.notice?.text += " \(said)\(draft)"
      } else {
        frame.show(said + draft)
      }
    case .conflict(let conflict):
      show(conflict, session, &state, &frame)
      frame.complain(sentence(conflict, isOpen(session, state) ? frame.keys.name(of: .editorDone) : nil))
    case .deleted(let path):
      state.texts.removeAll { $0.isSaved && !$0.isName && $0.path == path }
      state.files.remove([path])
      frame.say("\"\(path)\" stays deleted.")
    case .kept(_, let error):
      noteKept(session, &state)
      // A new note gets its row, and the cursor, with the list of what waits.
      if let path, state.scope.isNote(path), let table = state.files.table, !table.contains(path) {
        state.files.wanted = path
      }
      frame.notice = Notice(
        frame.isNarrow
          ? "Your text is kept here, not yet in the club. \(error.message)"
          : "Your text is kept on this machine, not yet in the club. \(frame.sentence(error))"
            + (departed?.draftSentence ?? ""), isError: true, trouble: .unsent)
      return followUp + [lookWaiting]
    }
    if case .conflict = outcome { return followUp + [lookWaiting] }
    return followUp + (had.isEmpty ? [] : [lookWaiting]) + rereading([path, kept?.path], kept, state)
  }

  /// Adds a saved note to the list. A chosen one is shown in its folder.
  private static func list(_ entry: FileEntry, isChosen: Bool, _ state: inout NotesState) {
    guard state.scope.isNote(entry.path) else { return }
    state.files.add(entry, isChosen: isChosen)
    if isChosen, state.files.table?.row(of: entry.path) == nil { state.files.showInAlbum(entry.path) }
  }

  /// `key` is the key that leads from an open editor to the texts.
  private static func sentence(_ conflict: SaveConflict, _ key: String?) -> String {
    let choice = key.map { "\($0) shows both." }
    let (who, note) = (conflict.theirWriter.subject, "\"\(conflict.path)\"")
    return switch conflict.kind {
    case .changed: "\(who) changed \(note) in the meantime. Both texts are safe: \(choice ?? "choose part by part.")"
    case .created: "\(who) made a note named \(note), too. Both texts are safe: \(choice ?? "choose part by part.")"
    case .deleted: "\(note) was deleted in the meantime. Your text is safe: \(choice ?? "choose.")"
    case .renamed(let entry):
      "\(note) was renamed to \"\(entry.path)\" in the meantime. Your text is safe: \(choice ?? "choose its name.")"
    }
  }

  /// Shows a merge to readers of the member's text, with marks at the lines that the other member changed.
  private static func show(_ merged: MergedNote, over mine: [UInt8], _ state: inout NotesState, _ frame: Frame) {
    let note = OpenNote(entry: merged.entry, bytes: merged.text, draft: nil)
    let changes = LineDiff(from: mine, to: merged.text)
    for index in state.views.indices {
      guard let reader = state.views[index] as? NoteReader, reader.note.entry.path == merged.entry.path,
        reader.note.bytes == mine
      else { continue }
      state.views[index] = NoteReader(note, changes: changes, as: reader, frame)
    }
  }

  /// Gives readers of the saved text its revision, the base of their next edit. Readers of another text keep theirs.
  private static func renew(_ entry: FileEntry, _ text: [UInt8], _ state: inout NotesState) {
    for index in state.views.indices {
      guard var reader = state.views[index] as? NoteReader, reader.note.entry.path == entry.path,
        reader.note.bytes == text
      else { continue }
      reader.note = OpenNote(entry: entry, bytes: text, draft: nil)
      state.views[index] = reader
    }
  }

  /// Reads the topmost note again if it is one of these and shows another revision than the newest.
  private static func rereading(_ paths: [StorePath?], _ newest: FileEntry?, _ state: NotesState) -> Commands {
    guard let reader = state.views.last as? NoteReader else { return [] }
    let shown = reader.note.entry
    guard paths.contains(shown.path), !state.hasUnsent(shown.path) else { return [] }
    if let newest, newest.path == shown.path, newest.revision == shown.revision { return [] }
    return [.run(.open(shown.path, .reread), key: "notes.open")]
  }

  private static func saveFailed(
    _ path: StorePath?, name: String, _ error: StoreError, _ session: Int?, _ state: inout NotesState,
    _ frame: inout Frame
  ) -> Commands {
    if state.savesUnderway > 0 { state.savesUnderway -= 1 }
    let commands = reopenForm(session, &state) + bringBack(session, &state, frame)
    _ = endResolving(path, isRefused: true, &state, frame)
    frame.complain("\"\(name)\" was not saved. \(frame.sentence(error))")
    return commands
  }

  private static func finishEdit(
    _ session: EditSession, _ end: ExternalProgram.End, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    if let complaint = end.complaint(fate: "Its last text is saved.", otherwise: "press Enter and i to edit here") {
      frame.complain(complaint)
    }
    state.savesUnderway += 1
    return [.cancel(key: "notes.follow"), .run(.endEdit(session))]
  }
}

extension NotesEffect {
  /// The text that it saves: the path, if it has one, its name for the member, and its session. Nil for other effects.
  fileprivate var saving: (path: StorePath?, name: String, session: Int?)? {
    switch self {
    case .save(let path, _, _, let session): (path, "\(path)", session)
    case .create(let name, _, let session): (nil, name, session)
    case .resolve(let conflict, _, let session): (conflict.path, "\(conflict.path)", session)
    case .send(let text) where !text.isNobodys: (text.path, text.title, nil)
    case .endEdit(let session): (session.path, "\(session.path)", nil)
    default: nil
    }
  }
}
