internal import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Resolves a conflict by the member's choice. Never overwrites text unseen, so the outcome may be another conflict.
  public func resolve(
    _ conflict: SaveConflict, _ choice: ConflictChoice
  ) async throws(StoreError) -> SaveOutcome {
    underway.withLock { _ = $0.insert(conflict.save) }
    defer { underway.withLock { _ = $0.remove(conflict.save) } }
    return try await sending.run(conflict.path) { () throws(StoreError) -> SaveOutcome in
      // The note may now hold text that the draft lacks, so later texts of the draft must name their base again.
      if let draft = try await self.record(conflict.save)?.draft {
        self.newest.withLock { $0.forget(draft) }
        self.sentTexts.withLock { $0.forget(draft) }
      }
      switch choice {
      case .theirs: return try await self.dropMine(conflict)
      case .both: return try await self.keepBoth(conflict).get()
      case .mine: return try await self.overwrite(conflict, conflict.mine).get()
      case .text(let text): return try await self.overwrite(conflict, text).get()
      case .renamed(let entry): return try await self.overwrite(entry, conflict).get()
      }
    }
  }

  private func dropMine(_ conflict: SaveConflict) async throws(StoreError) -> SaveOutcome {
    let save = try await record(conflict.save)
    if let draft = save?.draft, NotesService.isTyped(draft) { try await drafts.discard(draft) }
    // Over its own base: sent after all, it is a conflict again and does not replace their text.
    let base = save?.base
    try await pool.run { () throws(StoreError) in
      try self.drafts.keepDropped(conflict.path, title: "", base: base, text: conflict.mine)
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
    if case .success(.kept(_, let error)) = result, error.kind == .notFound { return .failure(error) }
    guard case .success(.conflict(let next)) = result, next.base == nil, next.kind == .changed else { return result }
    // The member has decided about this text, so only the difference to it is new.
    return .success(
      .conflict(
        SaveConflict(
          save: next.save, path: next.path, mine: next.mine, theirs: next.theirs, theirEntry: next.theirEntry,
          theirWriter: next.theirWriter, base: conflict.theirs)))
  }

  /// Replaces the text of a note that someone renamed, which is the one that mine was made from.
  private func overwrite(
    _ renamed: FileEntry, _ conflict: SaveConflict
  ) async throws(StoreError) -> Result<SaveOutcome, StoreError> {
    let save = try await rewrite(conflict, to: renamed.path, conflict.mine) { save in
      save.base = renamed.revision
      save.baseHash = conflict.base?.hashed
    }
    return await send(save.id, text: conflict.mine, mark: nil, dropsHopeless: false)
  }

  private func keepBoth(_ conflict: SaveConflict) async throws(StoreError) -> Result<SaveOutcome, StoreError> {
    let (time, member) = (now(), await club.memberName())
    for number in 1...99 {
      let path = try NoteName.conflict(
        of: conflict.path, member: member, at: time, number: number, store.limits)
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

  /// Changes the waiting save durably, or adds it again if a newer save of the same draft replaced it.
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
        club: self.club.key, path: path, base: nil, baseHash: nil, draft: nil, text: text, created: self.now(),
        owner: self.drafts.owner.word)
      change(&save)
      let id = try self.outbox.addSave(save, text: text).id
      guard let added = try self.outbox.save(id) else { throw self.isGone() }
      return added
    }
  }
}

extension NotesService {
  /// The conflict of a save with the store's text; nil for a deleted note.
  func conflict(
    _ save: SaveRecord, _ mine: [UInt8], _ theirs: [UInt8]?, _ entry: FileEntry?, base: [UInt8]?
  ) async throws(StoreError) -> SaveConflict {
    var kind: SaveConflict.Kind?
    if theirs != nil, save.base == nil, base == nil { kind = .created }
    if theirs == nil, let base, let renamed = try await self.renamed(save.path, with: base) { kind = .renamed(renamed) }
    var author = undone.withLock { $0[save.id] }.flatMap { $0.revision == entry?.revision ? $0.author : nil }
    if author == nil, let entry { author = await writer(of: entry) }
    return await pool.run { [kind, author] in
      SaveConflict(
        save: save.id, path: save.path, mine: mine, theirs: theirs, theirEntry: entry, theirWriter: author, base: base,
        kind: kind)
    }
  }

  /// The writer of a revision. This machine knows its own without the store.
  public func writer(of entry: FileEntry) async -> NoteWriter {
    if await past?.isOwn(entry) == true { return .own(isHere: true) }
    guard let member = entry.member else { return .unknown }
    return await club.ownName() == member ? .own(isHere: false) : .member(member)
  }

  /// The only note that has a text, if one has it: someone renamed a note of this text.
  private func renamed(_ path: StorePath, with text: [UInt8]) async throws(StoreError) -> FileEntry? {
    guard !text.isEmpty else { return nil }
    let hash = ContentHash(of: text)
    var alike: [StorePath] = []
    do throws(StoreError) {
      try await details { entries in
        for entry in entries where entry.path != path && entry.size == UInt64(text.count) {
          if entry.contentHash.map({ $0 == hash }) ?? true { alike.append(entry.path) }
        }
      }
    } catch  where error.kind == .notFound {
      return nil
    }
    guard alike.count <= NotesService.mostAlike else { return nil }
    var found: [FileEntry] = []
    for path in alike {
      let (other, entry) = try await readTheirs(path)
      if other == text, let entry { found.append(entry) }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Each is read.
  private static let mostAlike = 8

  /// Undoes a merge: the note gets the other member's text back, and the member's text waits as a conflict.
  /// - Throws: `conflict`, without any change, if the note no longer has the merge; otherwise as `save`.
  public func undo(_ merged: MergedNote) async throws(StoreError) -> SaveConflict {
    let (path, sides) = (merged.entry.path, merged.sides)
    guard let revision = merged.entry.revision else { throw isGone() }
    // Without a draft it is never merged again by itself. Its base is no revision of the store any more.
    let save = SaveRecord(
      club: club.key, path: path, base: sides.baseRevision, baseHash: sides.base.hashed, draft: nil, text: sides.mine,
      created: now(), owner: drafts.owner.word)
    let id = try await keep(save, sides.mine).get()
    defer { underway.withLock { _ = $0.remove(id) } }
    do throws(StoreError) {
      let entry = try await inLine(path) { () throws(StoreError) in
        try await self.writeNote(sides.theirs, at: path, .replace(revision))
      }
      await flagConflict(id)
      undone.withLock { $0[id] = entry.revision.map { ($0, merged.writer) } }
      return await pool.run {
        SaveConflict(
          save: id, path: path, mine: sides.mine, theirs: sides.theirs, theirEntry: entry, theirWriter: merged.writer,
          base: sides.base)
      }
    } catch {
      let isChanged = error.kind == .conflict || error.kind == .exists || error.kind == .notFound
      // After any other failure the note may have the other text, so mine waits.
      if isChanged { try await pool.run { () throws(StoreError) in try self.outbox.removeSave(id) } }
      guard isChanged else { throw error }
      throw StoreError(
        .conflict, "\"\(path)\" was changed after the merge, so the merge stays.",
        remedy: "The history of the note has all versions.", path: path)
    }
  }
}
