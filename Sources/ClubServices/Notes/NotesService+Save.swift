import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Makes a new note. The name gets `.md` when it has no ending.
  /// - Returns: `saved`, or `kept`.
  /// - Throws: `badName`; `exists` when there is something of that name (with another text); `notFound` when the club's
  ///   place is not there; else as `save`.
  public func create(named name: String, text: [UInt8]) async throws(StoreError) -> SaveOutcome {
    let path = try NoteName.new(name, store.limits)
    try await refuseWaiting(path, text)
    let outcome = try await save(path, base: nil, text: text, draft: nil)
    // Nobody chose to replace what is there: this is a name that is taken, and the caller has the text.
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

  /// A note that waits to be sent has its name already; the same text again is sent again.
  private func refuseWaiting(_ path: StorePath, _ text: [UInt8]) async throws(StoreError) {
    let isTaken = await pool.run {
      do throws(StoreError) {
        return try self.outbox.saves(club: self.club.place)
          .contains { $0.path == path && $0.base == nil && !$0.isDamaged && $0.textHash != text.hashed }
      } catch {
        // The save itself tells what is wrong with the outbox.
        return false
      }
    }
    guard isTaken else { return }
    throw StoreError(
      .exists, "A new note named \"\(path)\" already waits to be sent.", remedy: "Choose another name.", path: path)
  }

  /// Saves a text over the revision `base` of a note, or as a new one (`base` nil).
  ///
  /// The text is durable before the store is asked. When the note has changed meanwhile in nothing but its revision, or
  /// to a text that this one was made from, that is no conflict. When the store or the outbox has the text, `draft` is
  /// removed; if more was typed into it since the call, it goes on, from the new revision when there is one. Where the
  /// outbox cannot be written, the store is asked all the same, on the same condition.
  /// - Throws: only when the text is in neither: the outbox could not be written and the store did not take it (the
  ///   outbox's error; `conflict` or `exists` when the note is another by now), or the store can never hold it
  ///   (`badName`, `badInput`, `tooLarge`, `unsupported`), or has no place for it at present (`notFound`) while the
  ///   text is in a `draft`. The draft stays.
  public func save(
    _ path: StorePath, base: Revision?, text: [UInt8], draft: Draft.ID?
  ) async throws(StoreError) -> SaveOutcome {
    try await save(path, base: base, baseHash: draft.flatMap(drafts.baseHash), text: text, draft: draft).value.get()
  }

  /// As the public `save`; the task goes on whoever waits for it.
  func save(
    _ path: StorePath, base: Revision?, baseHash: String?, text: [UInt8], draft: String?
  ) -> Task<Result<SaveOutcome, StoreError>, Never> {
    let mark = draft.flatMap(drafts.mark)
    let save = SaveRecord(
      club: club.place, path: path, base: base, baseHash: baseHash, draft: draft, text: text, created: now(),
      owner: drafts.owner.word)
    return joining.withLock { _ in
      let kept = keeping.add(path) { await self.keep(save, text) }
      return sending.add(path) {
        switch await kept.value {
        case .failure(let error): return await self.sendUnkept(save, text, mark, error)
        case .success(let id):
          let result = await self.send(
            id, text: text, mark: mark, dropsHopeless: true, isOpen: draft.map(NotesService.isTyped) ?? false)
          self.underway.withLock { _ = $0.remove(id) }
          await self.keepsText(result, save, mark)
          return result
        }
      }
    }
  }

  func keep(_ save: SaveRecord, _ text: [UInt8]) async -> Result<UnsentSave.ID, StoreError> {
    await pool.run {
      do throws(StoreError) {
        try self.drafts.owner.take()
        // Under the lock, so that `unsent` never sees a save of this process that is not underway.
        let (id, replaced) = try self.underway.withLock { underway throws(StoreError) in
          let added = try self.outbox.addSave(save, text: text, underway: underway)
          underway.insert(added.id)
          return added
        }
        self.removeDrafts(of: replaced)
        return .success(id)
      } catch {
        return .failure(error)
      }
    }
  }

  /// The outbox holds a text that the store does not have: its draft has nothing more to keep.
  private func keepsText(_ result: Result<SaveOutcome, StoreError>, _ save: SaveRecord, _ mark: Int?) async {
    guard let draft = save.draft, NotesService.isTyped(draft) else { return }
    switch result {
    case .success(.kept), .success(.conflict): break
    default: return
    }
    do throws(StoreError) {
      try await drafts.saved(draft, at: mark)
    } catch {
      drafts.onFailure(error)
    }
  }

  /// Removes the drafts whose text was that of these saves, which are replaced by later ones. Blocks.
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

  /// Sends a text that the outbox could not take, for this reason.
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

  /// Sends a save of the outbox; called in the path's line. Without `mark` the draft's text decides whether it is saved.
  /// `isOpen` when the text can go back to the editor that it was typed in.
  func send(
    _ id: UnsentSave.ID, text: [UInt8], mark: Int?, dropsHopeless: Bool, isOpen: Bool = false
  ) async -> Result<SaveOutcome, StoreError> {
    do throws(StoreError) {
      guard var save = try await record(id) else { throw isGone() }
      switch try await push(&save, text) {
      case .taken(let entry): return .success(await finish(save, entry, mark))
      case .changed(let theirs, let entry):
        await flagConflict(id)
        return .success(
          .conflict(SaveConflict(save: id, path: save.path, mine: text, theirs: theirs, theirEntry: entry)))
      }
    } catch {
      return await settle(id, error, dropsHopeless, isOpen: isOpen)
    }
  }

  private func flagConflict(_ id: UnsentSave.ID) async {
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in try self.outbox.markConflict(id) }
    } catch {
      drafts.onFailure(error)
    }
  }

  /// How a put on condition ended.
  private enum Push {
    case taken(FileEntry)
    /// The note is another by now; nil when it is gone.
    case changed([UInt8]?, FileEntry?)
  }

  /// Puts a text where the store has what it was made from.
  private func push(_ save: inout SaveRecord, _ text: [UInt8]) async throws(StoreError) -> Push {
    if NotesService.isAddition(save.draft) { return .taken(try await putAddition(save, text)) }
    if let known = save.draft.flatMap({ draft in newest.withLock { $0[draft] } }), known.path == save.path,
      known.bases.contains(save.base)
    {
      // Typed into the same draft as a text that the store has acknowledged meanwhile: made from that one.
      (save.base, save.baseHash) = (known.revision, known.hash)
    }
    // A note that is touched again and again while we look; in the end the member decides.
    for _ in 0..<8 {
      do throws(StoreError) {
        let mode = save.base.map { WriteMode.replace($0) } ?? .create
        return .taken(try await store.put(DataSource(text), at: save.path, mode: mode))
      } catch  where error.kind == .conflict || error.kind == .exists {
        let (theirs, theirEntry) = try await readTheirs(save.path)
        if let theirs, let theirEntry, theirs == text { return .taken(theirEntry) }
        if theirs == nil, save.base == nil { continue }
        guard let theirs, save.knows(theirs.hashed) else { return .changed(theirs, theirEntry) }
        // Another revision of a text that the member has seen, or wrote: touched, renamed, copied back, or put there by
        // a save whose answer was lost.
        save.base = theirEntry?.revision
      }
    }
    throw StoreError(
      .conflict, "Others keep changing \"\(save.path)\", so your text was not saved.",
      remedy: "Save it again.", path: save.path)
  }

  /// What is there now; nil when nothing is.
  func readTheirs(_ path: StorePath) async throws(StoreError) -> ([UInt8]?, FileEntry?) {
    for _ in 0..<8 {
      do throws(StoreError) {
        let (bytes, entry) = try await readNote(path)
        return (bytes, entry)
      } catch {
        if error.kind == .notFound { return (nil, nil) }
        // Changed while it was being read: once more.
        if error.kind == .badInput { throw isNoFile(path) }
        if error.kind != .conflict { throw error }
      }
    }
    throw StoreError(
      .conflict, "\"\(path)\" keeps changing, so byteclub could not read it.", remedy: "Try again in a moment.",
      path: path)
  }

  private func isNoFile(_ path: StorePath) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" is no longer a file.",
      remedy: "Move the folder or link of that name away, then send the text again.", path: path)
  }

  /// A failure that will not pass leaves the outbox again when the caller has the text; any other keeps it there, unless
  /// a later save was made from it.
  private func settle(
    _ id: UnsentSave.ID, _ error: StoreError, _ dropsHopeless: Bool, isOpen: Bool
  ) async -> Result<SaveOutcome, StoreError> {
    // A place that is not there may come back, so that a text waits for it; an editor can say so at once.
    let isHopeless = NotesService.isHopeless(error) || isOpen && error.kind == .notFound
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in
        if isHopeless, dropsHopeless { return try self.outbox.removeSave(id) }
        _ = try self.outbox.removeSaveIfReplaced(id)
      }
    } catch let second {
      drafts.onFailure(second)
    }
    return isHopeless ? .failure(error) : .success(.kept(id, error))
  }

  static func isHopeless(_ error: StoreError) -> Bool {
    [.badName, .badInput, .tooLarge, .unsupported].contains(error.kind)
  }

  /// The store has the text: it leaves the outbox, and the draft with it. What fails here is told, but the save is good;
  /// a row that stays is found to be saved when it is sent again.
  private func finish(_ save: SaveRecord, _ entry: FileEntry, _ mark: Int?) async -> SaveOutcome {
    remember(save, entry)
    do throws(StoreError) {
      let later = try await pool.run { () throws(StoreError) in
        try self.outbox.finishSave(save.id, as: entry.revision)
      }
      // A later save of the same draft is on its way: the draft goes with that one.
      if !later { await settleDraft(save, entry, mark) }
    } catch {
      drafts.onFailure(error)
    }
    return .saved(entry)
  }

  private func remember(_ save: SaveRecord, _ entry: FileEntry) {
    guard let draft = save.draft, let revision = entry.revision, !NotesService.isAddition(draft) else { return }
    newest.withLock { newest in
      let before = newest[draft].flatMap { $0.path == save.path ? $0.bases : nil } ?? []
      newest[draft] = NewestSave(
        path: save.path, bases: before.union([save.base]), revision: revision, hash: save.textHash)
    }
  }

  private func settleDraft(_ save: SaveRecord, _ entry: FileEntry, _ mark: Int?) async {
    guard let draft = save.draft, NotesService.isTyped(draft) else { return }
    do throws(StoreError) {
      try await drafts.acknowledged(draft, at: mark, hash: save.textHash, as: entry.revision)
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
