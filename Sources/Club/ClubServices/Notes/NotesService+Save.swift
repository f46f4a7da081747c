import Basics
import Database
public import FileStores
import Merge
import Synchronization

extension NotesService {
  /// Makes a new note. `name` is as in `newPath`.
  /// - Returns: `saved`, or `kept`.
  /// - Throws: `badName`; `exists` if the name is taken by another text, or in another Unicode form; `notFound` if the
  ///   club's folder is missing;
  ///   otherwise as `save`.
  public func create(
    named name: String, in folder: StorePath = .root, text: [UInt8]
  ) async throws(StoreError) -> SaveOutcome {
    let path = try newPath(name, in: folder)
    try await refuseWaiting(path, text)
    try await refuseTwin(of: path)
    let outcome = try await save(path, base: nil, text: text, draft: nil)
    // The member did not choose to replace a note, and the caller has the text.
    let taken: (id: UnsentSave.ID, by: FileEntry?)
    switch outcome {
    case .conflict(let conflict): taken = (conflict.save, conflict.theirEntry)
    case .kept(let id, let error) where error.kind == .exists: taken = (id, error.current)
    case .kept(let id, let error) where error.kind == .notFound:
      try await pool.run { () throws(StoreError) in try self.outbox.removeSave(id) }
      throw error
    default: return outcome
    }
    try await pool.run { () throws(StoreError) in try self.outbox.removeSave(taken.id) }
    throw StoreError(
      .exists, "\"\(path)\" already exists.", remedy: "Choose another name.", path: path,
      current: taken.by)
  }

  /// The path of a new note of this name.
  /// - Throws: `badName`.
  public func path(ofNew name: String) throws(StoreError) -> StorePath { try newPath(name) }

  private func refuseWaiting(_ path: StorePath, _ text: [UInt8]) async throws(StoreError) {
    let isTaken = await pool.run {
      do throws(StoreError) {
        return try self.outbox.saves(club: self.club.key)
          .contains { $0.path == path && $0.base == nil && !$0.isDamaged && $0.textHash != text.hashed }
      } catch {
        // The save itself reports the outbox's error.
        return false
      }
    }
    guard isTaken else { return }
    throw StoreError(
      .exists, "A new note named \"\(path)\" already waits to be sent.", remedy: "Choose another name.", path: path)
  }

  /// Saves a text over the revision `base` of a note, or as a new note if `base` is nil.
  ///
  /// The text is durable before the store is asked. It is no conflict if the note has a new revision with an unchanged
  /// text, or a text that this one was made from. `draft` is removed when the store or the outbox has the text; if more
  /// was typed since the call, the draft continues, from the new revision if there is one. If the outbox cannot be
  /// written, the store is asked all the same, on the same condition.
  /// - Throws: only if neither has the text. Either the outbox could not be written and the store did not take the text
  ///   (the outbox's error; `conflict` or `exists` if the note has changed), or the store can never hold it (`badName`,
  ///   `badInput`, `tooLarge`, `unsupported`), or the club's folder is missing (`notFound`) and the text is in a
  ///   `draft`. The draft stays.
  ///
  /// A text that is nowhere else (`isOnlyCopy`), as one from a pipe, is never dropped: where the above throws because of
  /// the store, the text is kept as a draft (`becomesDraft`), and the outcome is `kept`. Cancelling then ends the wait at
  /// once, and the save goes on, or waits.
  public func save(
    _ path: StorePath, base: Revision?, text: [UInt8], draft: Draft.ID?, isOnlyCopy: Bool = false
  ) async throws(StoreError) -> SaveOutcome {
    let saving = save(
      path, base: base, baseHash: draft.flatMap(drafts.baseHash), text: text, draft: draft, isOnlyCopy: isOnlyCopy)
    return isOnlyCopy ? try await outcome(of: saving, at: path) : try await saving.value.get()
  }

  /// A save on its way into the outbox and to the store.
  struct Saving {
    let kept: Task<Result<UnsentSave.ID, StoreError>, Never>
    let sent: Task<Result<SaveOutcome, StoreError>, Never>
    var value: Result<SaveOutcome, StoreError> { get async { await sent.value } }
  }

  /// The outcome of a save; `kept` as soon as the waiting task is cancelled.
  func outcome(of saving: Saving, at path: StorePath) async throws(StoreError) -> SaveOutcome {
    if let result = await saving.sent.valueUnlessCancelled(on: pool.tasks) { return try result.get() }
    // This does not wait for the network.
    return .kept(try await saving.kept.value.get(), notAwaited(path))
  }

  /// The error of a text whose sender has stopped waiting for the store.
  func notAwaited(_ path: StorePath) -> StoreError {
    .cancelled("The wait for the answer about \"\(path)\"", path: path)
  }

  /// As the public `save`. Cancelling a task that waits for the result does not cancel the save. With `waitsIfAway` a store
  /// that is known to be away is not asked. The text `old` of the base is kept as long as the save waits.
  func save(
    _ path: StorePath, base: Revision?, baseHash: String?, text: [UInt8], draft: String?, isOnlyCopy: Bool = false,
    waitsIfAway: Bool = false, over old: [UInt8]? = nil
  ) -> Saving {
    let mark = draft.flatMap(drafts.mark)
    let save = SaveRecord(
      club: club.key, path: path, base: base, baseHash: baseHash, draft: draft, text: text, created: now(),
      owner: drafts.owner.word)
    return joining.withLock { _ in
      let since = moves.withLock(\.count)
      let kept = keeping.add(path) { await self.keep(save, text, since: since, over: old) }
      let sent = sending.add(path) { () -> Result<SaveOutcome, StoreError> in
        switch await kept.value {
        case .failure(let error):
          return await self.sendUnkept(self.following(save, since: since), text, mark, error)
        case .success(let id):
          if waitsIfAway, let absence = self.copy?.connection.absence {
            self.underway.withLock { _ = $0.remove(id) }
            return .success(.kept(id, absence))
          }
          let result = await self.send(
            id, text: text, mark: mark, dropsHopeless: !isOnlyCopy, isOpen: draft.map(NotesService.isTyped) ?? false)
          self.underway.withLock { _ = $0.remove(id) }
          await self.keepsText(result, save, mark)
          return result
        }
      }
      return Saving(kept: kept, sent: sent)
    }
  }

  /// The save under the path to which its note has moved since.
  private func following(_ save: SaveRecord, since: Int) -> SaveRecord {
    var save = save
    for names in moves.withLock({ Array($0[since...]) }) { save.path = names[save.path] ?? save.path }
    return save
  }

  /// - Parameter since: the number of `moves` when the save began; nil for a path of now.
  func keep(
    _ save: SaveRecord, _ text: [UInt8], since: Int? = nil, over old: [UInt8]? = nil
  ) async -> Result<UnsentSave.ID, StoreError> {
    var save = save
    // A save may come before the beginning of its draft is written. Without the base it could not be merged.
    if save.baseHash == nil, let draft = save.draft { save.baseHash = await drafts.writtenBaseHash(of: draft) }
    return await pool.run { [save] in
      Result { () throws(StoreError) in
        try self.drafts.owner.take()
        let held = self.held.withLock { $0?.isTaken(by: text) == true ? $0 : nil }
        // Under the lock, so that `unsent` never sees a save of this process before it is underway.
        let (id, replaced) = try self.underway.withLock { underway throws(StoreError) in
          let there = since.map { self.following(save, since: $0) } ?? save
          let added = try self.outbox.addSave(there, text: text, underway: underway, held: held?.draft)
          underway.insert(added.id)
          return added
        }
        held?.wasTaken()
        self.removeDrafts(of: replaced)
        if let old { self.keepBase(old) }
        return id
      }
    }
  }

  private func keepsText(_ result: Result<SaveOutcome, StoreError>, _ save: SaveRecord, _ mark: Int?) async {
    guard let draft = save.draft, NotesService.isTyped(draft) else { return }
    switch result {
    case .success(.kept), .success(.conflict), .success(.merged): break
    default: return
    }
    do throws(StoreError) {
      try await drafts.saved(draft, at: mark)
    } catch {
      drafts.onFailure(error)
    }
  }

  /// Removes drafts with the text of these replaced saves. Blocks.
  func removeDrafts(of saves: [SaveRecord]) {
    for save in saves {
      guard let draft = save.draft, NotesService.isTyped(draft) else { continue }
      do throws(StoreError) {
        guard let head = try outbox.draft(draft), head.owner == drafts.owner.word || !drafts.owner.isLive(head.owner),
          try drafts.replay(head).text.hashed == save.textHash
        else { continue }
        drafts.forget(draft)
        try outbox.removeDraft(draft)
      } catch {
        drafts.onFailure(error)
      }
    }
  }

  /// Sends a text that the outbox could not take, with `reason` as the error.
  private func sendUnkept(
    _ save: SaveRecord, _ text: [UInt8], _ mark: Int?, _ reason: StoreError
  ) async -> Result<SaveOutcome, StoreError> {
    var save = save
    do throws(StoreError) {
      switch try await push(&save, text) {
      case .taken(let entry):
        remember(save, entry)
        await settleDraft(save, entry, mark)
        return .success(.saved(entry))
      case .changed(_, let entry):
        throw StoreError(
          save.base == nil ? .exists : .conflict,
          save.base == nil
            ? "\"\(save.path)\" already exists."
            : "Someone else changed \"\(save.path)\" in the meantime.",
          remedy: "Keep the text open, or copy it: byteclub cannot keep it on this machine. \(reason)", path: save.path,
          current: entry)
      }
    } catch {
      guard ![.conflict, .exists].contains(error.kind), !NotesService.isHopeless(error) else { return .failure(error) }
      return .failure(
        StoreError(
          reason.kind, "\(reason.message) The club does not have the text either: \(error.message)",
          remedy: reason.remedy, path: save.path))
    }
  }

  /// Sends a save of the outbox, in the queue of its path. Without `mark` the texts decide if the draft is saved.
  /// `isOpen` if the editor that produced the text can still take it back.
  func send(
    _ id: UnsentSave.ID, text: [UInt8], mark: Int?, dropsHopeless: Bool, isOpen: Bool = false
  ) async -> Result<SaveOutcome, StoreError> {
    do throws(StoreError) {
      guard var save = try await record(id) else { throw isGone() }
      let (mine, named) = (text, save.base)
      var text = text
      var base = sentTexts.withLock { [save] in $0.text(before: save) }
      var first: [UInt8]?
      var merge: (writer: NoteWriter, needsLook: Bool, theirs: [UInt8])?
      // Others may change the note again during each merge.
      for _ in 0..<8 {
        switch try await push(&save, text) {
        case .taken(let entry):
          if let draft = save.draft, !NotesService.isMend(draft) {
            sentTexts.withLock { $0.add(mine, of: draft, base: named) }
          }
          guard let merge, let first else { return .success(await finish(save, entry, mark)) }
          await finishMerged(save)
          let sides = MergedNote.Sides(mine: mine, theirs: merge.theirs, base: first, baseRevision: named)
          return .success(
            .merged(
              MergedNote(entry: entry, text: text, writer: merge.writer, needsLook: merge.needsLook, sides: sides)))
        case .changed(let theirs, let entry):
          if base == nil { base = try await baseIfKnown(of: save) }
          first = first ?? base
          let newer = theirs.flatMap { theirs in entry.map { NewerText(text: theirs, entry: $0) } }
          if let newer, let known = base, let next = await merged(save, text, with: newer, base: known),
            let both = next.text, try await rebase(&save, both, over: newer)
          {
            let writer = await writer(of: newer.entry)
            let last = writer == .unknown ? merge?.writer ?? writer : writer
            merge = (last, next.isClose || merge?.needsLook == true, newer.text)
            text = both
            base = newer.text
            continue
          }
          if NotesService.isMend(save.draft) { return .failure(await skipMend(save, entry)) }
          await flagConflict(id)
          return .success(.conflict(try await conflict(save, text, theirs, entry, base: base)))
        }
      }
      throw keepsChanging(save.path)
    } catch {
      return await settle(id, text, error, dropsHopeless, isOpen: isOpen)
    }
  }

  func flagConflict(_ id: UnsentSave.ID) async {
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try self.outbox.markConflict(id) }
  }

  private enum Push {
    case taken(FileEntry)
    case changed([UInt8]?, FileEntry?)
  }

  /// Puts a text if the store has the text that it is based on.
  private func push(_ save: inout SaveRecord, _ text: [UInt8]) async throws(StoreError) -> Push {
    if NotesService.isAddition(save.draft) { return .taken(try await putAddition(save, text)) }
    if let known = save.draft.flatMap({ draft in newest.withLock { $0[draft] } }), known.path == save.path,
      known.bases.contains(save.base)
    {
      // This text continues an acknowledged text of the same draft, so it is based on that one.
      (save.base, save.baseHash) = (known.revision, known.hash)
    }
    // Other programs may change the note at each try; after eight the member decides.
    for _ in 0..<8 {
      do throws(StoreError) {
        let mode = save.base.map { WriteMode.replace($0) } ?? .create
        return .taken(try await writeNote(text, at: save.path, mode))
      } catch  where error.kind == .conflict || error.kind == .exists {
        let (theirs, theirEntry) = try await readTheirs(save.path)
        if let theirs, let theirEntry, theirs == text { return .taken(theirEntry) }
        if theirs == nil, save.base == nil { continue }
        guard let theirs, save.knows(theirs.hashed) else { return .changed(theirs, theirEntry) }
        // The member has seen or written the new revision's text: the file was touched, renamed or copied back, or the
        // response to a save was lost.
        save.base = theirEntry?.revision
      }
    }
    throw keepsChanging(save.path)
  }

  private func keepsChanging(_ path: StorePath) -> StoreError {
    StoreError(
      .conflict, "Others keep changing \"\(path)\", so your text was not saved.", remedy: "Save it again.", path: path)
  }

  func readTheirs(_ path: StorePath) async throws(StoreError) -> ([UInt8]?, FileEntry?) {
    for _ in 0..<NotesService.mostReads {
      do throws(StoreError) {
        let (bytes, entry) = try await readNote(path)
        return (bytes, entry)
      } catch {
        if error.kind == .notFound { return (nil, nil) }
        if error.kind == .badInput { throw isNoFile(path) }
        if error.kind != .conflict { throw error }
      }
    }
    throw StoreError(
      .conflict, "\"\(path)\" keeps changing, so byteclub could not read it.", remedy: "Try again in a moment.",
      path: path)
  }

  /// While others keep changing a note.
  static let mostReads = 8

  private func isNoFile(_ path: StorePath) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" is no longer a file.",
      remedy: "Move the folder or link of that name away, then send the text again.", path: path)
  }

  /// Removes a save from the outbox after a permanent failure if the caller has the text, and makes a draft of it
  /// otherwise. After any other failure the save stays, unless a later one replaced it.
  private func settle(
    _ id: UnsentSave.ID, _ text: [UInt8], _ error: StoreError, _ dropsHopeless: Bool, isOpen: Bool
  ) async -> Result<SaveOutcome, StoreError> {
    // A missing folder may come back, so a text waits for it. An open editor shows the error at once.
    let isHopeless = NotesService.isHopeless(error) || isOpen && error.kind == .notFound
    let isDraft = club.isNobodys || !dropsHopeless && NotesService.becomesDraft(error)
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in
        if isHopeless, dropsHopeless { return try self.outbox.removeSave(id) }
        if try self.outbox.removeSaveIfReplaced(id) { return }
        guard let save = try self.outbox.save(id) else { return }
        guard isDraft else { return try self.noteRefusal(of: save, error) }
        // A merge may have replaced the text, together with its base.
        try self.makeDraft(of: save, try self.outbox.text(ofSave: id)?.bytes ?? text)
      }
    } catch let second {
      drafts.onFailure(second)
    }
    return isHopeless && dropsHopeless ? .failure(error) : .success(.kept(id, error))
  }

  static func isHopeless(_ error: StoreError) -> Bool {
    [.badName, .badInput, .tooLarge, .unsupported].contains(error.kind)
  }

  /// Removes the save and its draft once the store has the text. An error here is reported only; the next try
  /// recognises a remaining row as saved.
  private func finish(_ save: SaveRecord, _ entry: FileEntry, _ mark: Int?) async -> SaveOutcome {
    remember(save, entry)
    let later = await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
      try self.outbox.finishSave(save.id, as: entry.revision)
    }
    // If a later save of the same draft waits, the draft goes with that save.
    if later == false { await settleDraft(save, entry, mark) }
    return .saved(entry)
  }

  private func remember(_ save: SaveRecord, _ entry: FileEntry) {
    guard let draft = save.draft, let revision = entry.revision, !NotesService.isAddition(draft),
      !NotesService.isMend(draft)
    else { return }
    newest.withLock { $0.add(save, of: draft, as: revision) }
  }

  private func settleDraft(_ save: SaveRecord, _ entry: FileEntry, _ mark: Int?) async {
    guard let draft = save.draft, NotesService.isTyped(draft) else { return }
    do throws(StoreError) {
      try await drafts.acknowledged(draft, at: mark, in: save, as: entry.revision)
    } catch {
      drafts.onFailure(error)
    }
  }

  func record(_ id: UnsentSave.ID) async throws(StoreError) -> SaveRecord? {
    try await pool.run { () throws(StoreError) in try self.outbox.save(id) }
  }

  func isGone() -> StoreError {
    StoreError(.notFound, "The save no longer waits.", remedy: "Check the note: the save may have been sent.")
  }
}
