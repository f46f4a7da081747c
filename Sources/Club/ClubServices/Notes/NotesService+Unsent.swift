import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// The saves in the outbox that no process is sending, left by a crash, an unreachable store or an open conflict.
  /// Oldest first. Includes texts that an editor wrote into a copy after byteclub had ended; those
  /// of remarks become drafts.
  public func unsent() async throws(StoreError) -> [UnsentSave] {
    try await rescueRemarks()
    return try await pool.run { () throws(StoreError) in
      try self.rescueCopies()
      try self.collapse()
      return try self.underway.withLock { underway throws(StoreError) in
        try self.outbox.saves(club: self.club.key).filter { save in
          !underway.contains(save.id) && (save.owner == self.drafts.owner.word || !self.drafts.owner.isLive(save.owner))
        }.map { UnsentSave($0) }
      }
    }
  }

  /// Sends one save. Cancelling ends the wait, not the sending.
  /// - Throws: `notFound` if it no longer waits; `conflict` if another byteclub is sending it; `corrupt` if it is
  ///   damaged (the error names the file that now has its text); otherwise as `save`, and it stays in the outbox.
  public func sendUnsent(_ id: UnsentSave.ID) async throws(StoreError) -> SaveOutcome {
    guard let save = try await record(id) else { throw isGone() }
    let isFree = underway.withLock { $0.insert(id).inserted }
    guard isFree else { throw isTaken(save.path) }
    let sent = sending.add(save.path) {
      defer { self.underway.withLock { _ = $0.remove(id) } }
      return await Result.catching { () throws(StoreError) in
        let text = try await self.pool.run { () throws(StoreError) in try self.claim(id) }
        let result = await self.send(id, text: text, mark: nil, dropsHopeless: false)
        await self.pool.run { self.removeDraftsOfWaiting(result, save) }
        return try result.get()
      }
    }
    guard let result = await sent.valueUnlessCancelled(on: pool.tasks) else { return .kept(id, notAwaited(save.path)) }
    return try result.get()
  }

  /// Merges saves of earlier versions, which kept one for each try, with a draft beside it.
  func collapse() throws(StoreError) {
    let gone = try underway.withLock { underway throws(StoreError) in
      try outbox.collapseSaves(club: club.key) { save in
        underway.contains(save.id) || save.owner != self.drafts.owner.word && self.drafts.owner.isLive(save.owner)
      }
    }
    removeDrafts(of: gone)
  }

  private func removeDraftsOfWaiting(_ result: Result<SaveOutcome, StoreError>, _ save: SaveRecord) {
    switch result {
    case .success(.kept), .success(.conflict), .success(.merged): removeDrafts(of: [save])
    default: return
    }
  }

  func claim(_ id: UnsentSave.ID) throws(StoreError) -> [UInt8] {
    guard let save = try outbox.save(id), let text = try outbox.text(ofSave: id) else { throw isGone() }
    if save.isDamaged || text.isDamaged { throw try setAside(save, text.bytes) }
    let mine = drafts.owner.word
    if save.owner != mine {
      guard !drafts.owner.isLive(save.owner) else { throw isTaken(save.path) }
      try drafts.owner.take()
      guard try outbox.claimSave(id, from: save.owner, to: mine) else { throw isTaken(save.path) }
    }
    return text.bytes
  }

  /// Moves the rest of a damaged save's text into a file for the member. It is not sent.
  private func setAside(_ save: SaveRecord, _ text: [UInt8]) throws(StoreError) -> StoreError {
    let folder = try PrivateDirectory(making: editsDirectory)
    let name = "damaged-save-\(save.id).txt"
    try folder.write(text, as: name)
    try outbox.removeSave(save.id)
    return StoreError(
      .corrupt, "An unsent save of \"\(save.path)\" was damaged on the disk and was not sent.",
      remedy: "The rest of its text is in \"\(folder.path(of: name))\".", path: save.path)
  }

  /// Handles copies whose byteclub has ended: saves a text that is not safe elsewhere, and removes unchanged copies.
  func rescueCopies() throws(StoreError) {
    var copies = try outbox.copies(club: club.key)
    if let strays = club.strays, strays != club.key { copies += try outbox.copies(club: strays) }
    for var copy in copies where !drafts.owner.isLive(copy.owner) {
      let directory = try PrivateDirectory(making: editsDirectory).directory(copy.id)
      let text = try directory.read(copy.name)
      guard let text, SHA256.hexadecimal(of: text) != copy.savedHash else {
        if text != nil, isLeft(copy, in: directory) { continue }
        try directory.removeAll()
        try outbox.removeCopy(copy.id)
        continue
      }
      // An editor that writes in place empties the file first.
      if text.isEmpty, let facts = directory.facts(of: copy.name), abs(now().seconds - facts.changed) < 2 { continue }
      let time = isLeft(copy, in: directory) ? directory.facts(of: copy.name)?.changed : nil
      let save = SaveRecord(
        club: copy.club, path: copy.path, base: copy.base, baseHash: copy.baseHash,
        draft: NotesService.draft(ofCopy: copy.id), text: text,
        created: time.map { Timestamp(seconds: $0) } ?? now(), owner: copy.owner)
      _ = try outbox.addSave(save, text: text)
      // The editor may still be open, so the copy stays until a later start finds it unchanged.
      copy.savedHash = save.textHash
      // Its next text is made from this one.
      let isLeft = copy.owner == NotesService.nobody
      if isLeft { copy.baseHash = save.textHash }
      try outbox.putCopy(copy) { () throws(StoreError) in
        if isLeft { try drafts.keepBase(text, as: save.textHash) }
      }
    }
  }

  /// True for a copy that an editor may have open still, although the command that began it has ended.
  private func isLeft(_ copy: CopyRecord, in directory: PrivateDirectory) -> Bool {
    guard copy.owner == NotesService.nobody, let facts = directory.facts(of: copy.name) else { return false }
    return now().seconds - facts.changed < NotesService.leftSeconds
  }

  func isTaken(_ path: StorePath) -> StoreError {
    StoreError(
      .conflict, "byteclub is already sending that save of \"\(path)\".", remedy: "Check the note in a moment.",
      path: path)
  }

  /// The draft id of a copy under edit: a newer save of a copy replaces an older one, as with drafts.
  static func draft(ofCopy id: String) -> String { "copy:\(id)" }

  /// True for a draft of the journal, false for a copy under edit, an addition or a mend.
  static func isTyped(_ draft: String) -> Bool { !draft.hasPrefix("copy:") && !isAddition(draft) && !isMend(draft) }
}
