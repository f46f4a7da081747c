import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Carries out the member's answer to a conflict; again nothing is overwritten that the member has not seen, so the
  /// outcome may be another conflict.
  public func resolve(
    _ conflict: SaveConflict, _ choice: ConflictChoice
  ) async throws(StoreError) -> SaveOutcome {
    underway.withLock { _ = $0.insert(conflict.save) }
    let result = await sending.add(conflict.path) { () -> Result<SaveOutcome, StoreError> in
      do throws(StoreError) {
        // From here on the note may hold what the draft does not: a later text of it must name what it has seen.
        if let draft = try await self.record(conflict.save)?.draft { self.newest.withLock { $0[draft] = nil } }
        switch choice {
        case .theirs: return .success(try await self.dropMine(conflict))
        case .both: return try await self.keepBoth(conflict)
        case .mine: return try await self.overwrite(conflict, conflict.mine)
        case .text(let text): return try await self.overwrite(conflict, text)
        }
      } catch {
        return .failure(error)
      }
    }.value
    underway.withLock { _ = $0.remove(conflict.save) }
    return try result.get()
  }

  private func dropMine(_ conflict: SaveConflict) async throws(StoreError) -> SaveOutcome {
    if let draft = try await record(conflict.save)?.draft, NotesService.isTyped(draft) {
      try await drafts.discard(draft)
    }
    try await pool.run { () throws(StoreError) in
      try self.drafts.keepDropped(
        conflict.path, title: "", base: conflict.theirEntry?.revision, text: conflict.mine)
      try self.outbox.removeSave(conflict.save)
    }
    return conflict.theirEntry.map { .saved($0) } ?? .deleted(conflict.path)
  }

  private func overwrite(
    _ conflict: SaveConflict, _ text: [UInt8]
  ) async throws(StoreError) -> Result<SaveOutcome, StoreError> {
    let save = try await rewrite(conflict, to: conflict.path, text) { save in
      save.base = conflict.theirEntry?.revision
      save.baseHash = conflict.theirs.map { SHA256.hexadecimal(of: $0) }
    }
    let result = await send(save.id, text: text, mark: nil, dropsHopeless: false)
    // The caller still has the text and reports the error.
    if case .success(.kept(_, let error)) = result, error.kind == .notFound { return .failure(error) }
    return result
  }

  private func keepBoth(_ conflict: SaveConflict) async throws(StoreError) -> Result<SaveOutcome, StoreError> {
    let (date, member) = (now().localDate, await club.memberName())
    for number in 1...99 {
      let path = try NoteName.conflict(
        of: conflict.path, member: member, date: date, number: number, store.limits)
      let save = try await rewrite(conflict, to: path, conflict.mine) { save in
        (save.base, save.baseHash) = (nil, nil)
      }
      let result = await send(save.id, text: conflict.mine, mark: nil, dropsHopeless: false)
      guard case .success(.conflict(let taken)) = result, taken.theirs != nil else { return result }
    }
    throw StoreError(
      .exists, "The club already has 99 conflict copies of \"\(conflict.path)\".",
      remedy: "Rename or delete some of them, then try again.", path: conflict.path)
  }

  /// Changes the waiting save, durably; one that no longer exists (a newer save of the same draft took its place)
  /// comes in again.
  private func rewrite(
    _ conflict: SaveConflict, to path: StorePath, _ text: [UInt8],
    _ change: @escaping @Sendable (inout SaveRecord) -> Void
  ) async throws(StoreError) -> SaveRecord {
    try await pool.run { () throws(StoreError) in
      if var save = try self.outbox.save(conflict.save) {
        save.path = path
        save.replaceText(text)
        change(&save)
        if try self.outbox.updateSave(save, text: text) { return save }
      }
      try self.drafts.owner.take()
      var save = SaveRecord(
        club: self.club.place, path: path, base: nil, baseHash: nil, draft: nil, text: text, created: self.now(),
        owner: self.drafts.owner.word)
      change(&save)
      let id = try self.outbox.addSave(save, text: text).id
      guard let added = try self.outbox.save(id) else { throw self.isGone() }
      return added
    }
  }
}
