import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Makes a new note. The name gets `.md` when it has no ending.
  /// - Returns: `saved`, or `kept`.
  /// - Throws: `badName`; `exists` when there is something of that name (with another text); else as `save`.
  public func create(named name: String, text: [UInt8]) async throws(StoreError) -> SaveOutcome {
    let path = try NoteName.new(name, store.limits)
    let outcome = try await save(path, base: nil, text: text, draft: nil)
    // Nobody chose to replace what is there: this is a name that is taken, and the caller has the text.
    let taken: (id: UnsentSave.ID, by: FileEntry?)
    switch outcome {
    case .conflict(let conflict): taken = (conflict.save, conflict.theirEntry)
    case .kept(let id, let error) where error.kind == .exists: taken = (id, error.current)
    default: return outcome
    }
    try await pool.run { () throws(StoreError) in try self.outbox.removeSave(taken.id) }
    throw StoreError(
      .exists, "There is something named \"\(path)\" already.", remedy: "Choose another name.", path: path,
      current: taken.by)
  }

  /// Saves a text over the revision `base` of a note, or as a new one (`base` nil).
  ///
  /// The text is durable before the store is asked. When the note has changed meanwhile in nothing but its revision,
  /// or to just this text, that is no conflict. When the store has the text, `draft` is removed; if more was typed
  /// into it since the call, it goes on from the new revision.
  /// - Throws: only when the text is not in the outbox: it could not be written there (`quota`, `notPermitted`,
  ///   `server`, …), or the store can never hold it (`badName`, `badInput`, `tooLarge`, `unsupported`).
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
    let time = now()
    return joining.withLock { _ in
      let kept = keeping.add(path) {
        await self.keep(path, base: base, baseHash: baseHash, text: text, draft: draft, at: time)
      }
      return sending.add(path) {
        switch await kept.value {
        case .failure(let error): return .failure(error)
        case .success(let id):
          let result = await self.send(id, text: text, mark: mark, dropsHopeless: true)
          self.underway.withLock { _ = $0.remove(id) }
          return result
        }
      }
    }
  }

  private func keep(
    _ path: StorePath, base: Revision?, baseHash: String?, text: [UInt8], draft: String?, at time: Timestamp
  ) async -> Result<UnsentSave.ID, StoreError> {
    await pool.run {
      do throws(StoreError) {
        try self.drafts.owner.take()
        let save = SaveRecord(
          club: self.club.place, path: path, base: base, baseHash: baseHash, draft: draft, text: text, created: time,
          owner: self.drafts.owner.word)
        // Under the lock, so that `unsent` never sees a save of this process that is not underway.
        let id = try self.underway.withLock { underway throws(StoreError) in
          let id = try self.outbox.addSave(save, text: text, underway: underway)
          underway.insert(id)
          return id
        }
        return .success(id)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Sends a save of the outbox; called in the path's line.
  func send(
    _ id: UnsentSave.ID, text: [UInt8], mark: Int?, dropsHopeless: Bool
  ) async -> Result<SaveOutcome, StoreError> {
    do throws(StoreError) {
      guard var save = try await record(id) else { throw isGone() }
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
          let entry = try await store.put(DataSource(text), at: save.path, mode: mode)
          return .success(await finish(save, entry, mark))
        } catch  where error.kind == .conflict || error.kind == .exists {
          let (theirs, theirEntry) = try await readTheirs(save.path)
          if let theirs, let theirEntry, theirs == text { return .success(await finish(save, theirEntry, mark)) }
          if theirs == nil, save.base == nil { continue }
          guard let theirs, let known = save.baseHash, SHA256.hexadecimal(of: theirs) == known else {
            return .success(
              .conflict(
                SaveConflict(save: id, path: save.path, mine: text, theirs: theirs, theirEntry: theirEntry)))
          }
          // Touched, renamed, copied back: another revision of the very text that the member has seen.
          save.base = theirEntry?.revision
        }
      }
      throw StoreError(
        .conflict, "\"\(save.path)\" was changed again and again while it was being saved.",
        remedy: "Save it again.", path: save.path)
    } catch {
      return await settle(id, error, dropsHopeless)
    }
  }

  /// What is there now; nil when nothing is.
  private func readTheirs(_ path: StorePath) async throws(StoreError) -> ([UInt8]?, FileEntry?) {
    for _ in 0..<8 {
      do throws(StoreError) {
        let (bytes, entry) = try await store.readAll(path)
        return (bytes, entry)
      } catch {
        if error.kind == .notFound { return (nil, nil) }
        // Changed while it was being read: once more.
        if error.kind == .badInput { throw isNoFile(path) }
        if error.kind != .conflict { throw error }
      }
    }
    throw StoreError(
      .conflict, "\"\(path)\" keeps changing and could not be read.", remedy: "Try again in a moment.", path: path)
  }

  private func isNoFile(_ path: StorePath) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" is no file now: a folder or something else has its place.",
      remedy: "Move that out of the way, then send the text again.", path: path)
  }

  /// A failure that will not pass leaves the outbox again when the caller has the text; any other keeps it there.
  private func settle(
    _ id: UnsentSave.ID, _ error: StoreError, _ dropsHopeless: Bool
  ) async -> Result<SaveOutcome, StoreError> {
    guard [.badName, .badInput, .tooLarge, .unsupported].contains(error.kind) else { return .success(.kept(id, error)) }
    guard dropsHopeless else { return .failure(error) }
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in try self.outbox.removeSave(id) }
      return .failure(error)
    } catch let second {
      drafts.onFailure(second)
      return .failure(error)
    }
  }

  /// The store has the text: it leaves the outbox, and the draft with it. What fails here is told, but the save is good;
  /// a row that stays is found to be saved when it is sent again.
  private func finish(_ save: SaveRecord, _ entry: FileEntry, _ mark: Int?) async -> SaveOutcome {
    if let draft = save.draft, let revision = entry.revision {
      newest.withLock { newest in
        let before = newest[draft].flatMap { $0.path == save.path ? $0.bases : nil } ?? []
        newest[draft] = NewestSave(
          path: save.path, bases: before.union([save.base]), revision: revision, hash: save.textHash)
      }
    }
    do throws(StoreError) {
      let later = try await pool.run { () throws(StoreError) in
        try self.outbox.finishSave(save.id, as: entry.revision)
      }
      // A later save of the same draft is on its way: the draft goes with that one.
      if let draft = save.draft, !later, !NotesService.isOfCopy(draft) {
        try await drafts.acknowledged(draft, at: mark, as: entry.revision)
      }
    } catch {
      drafts.onFailure(error)
    }
    return .saved(entry)
  }

  func record(_ id: UnsentSave.ID) async throws(StoreError) -> SaveRecord? {
    try await pool.run { () throws(StoreError) in try self.outbox.save(id) }
  }

  func isGone() -> StoreError {
    StoreError(.notFound, "That save is not waiting any more.", remedy: "Look at the note: it may have been sent.")
  }
}
