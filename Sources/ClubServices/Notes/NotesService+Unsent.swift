import Database
public import FileStores
import Synchronization

extension NotesService {
  /// The saves that wait in the outbox and are on nobody's way: what a crash, an unreachable store, or an open conflict
  /// has left, oldest first. Texts that an editor wrote into a copy after byteclub was gone are among them.
  public func unsent() async throws(StoreError) -> [UnsentSave] {
    try await pool.run { () throws(StoreError) in
      try self.rescueCopies()
      try self.collapse()
      return try self.underway.withLock { underway throws(StoreError) in
        try self.outbox.saves(club: self.club.place).filter { save in
          !underway.contains(save.id) && (save.owner == self.drafts.owner.word || !self.drafts.owner.isLive(save.owner))
        }.map { UnsentSave($0) }
      }
    }
  }

  /// Sends one of them.
  /// - Throws: `notFound` when it is not waiting any more; `conflict` when another byteclub is sending it; `corrupt` when
  ///   it is damaged (the error says in which file its text is now); else as `save`, and it stays in the outbox.
  public func sendUnsent(_ id: UnsentSave.ID) async throws(StoreError) -> SaveOutcome {
    guard let save = try await record(id) else { throw isGone() }
    let isFree = underway.withLock { $0.insert(id).inserted }
    guard isFree else { throw isTaken(save.path) }
    let result = await sending.add(save.path) { () -> Result<SaveOutcome, StoreError> in
      do throws(StoreError) {
        let text = try await self.pool.run { () throws(StoreError) in try self.claim(id) }
        let result = await self.send(id, text: text, mark: nil, dropsHopeless: false)
        await self.pool.run { self.removeDraftsOfWaiting(result, save) }
        return result
      } catch {
        return .failure(error)
      }
    }.value
    underway.withLock { _ = $0.remove(id) }
    return try result.get()
  }

  /// Earlier versions kept a save for each try, and a draft beside it.
  func collapse() throws(StoreError) {
    let gone = try underway.withLock { underway throws(StoreError) in
      try outbox.collapseSaves(club: club.place) { save in
        underway.contains(save.id) || save.owner != self.drafts.owner.word && self.drafts.owner.isLive(save.owner)
      }
    }
    removeDrafts(of: gone)
  }

  private func removeDraftsOfWaiting(_ result: Result<SaveOutcome, StoreError>, _ save: SaveRecord) {
    switch result {
    case .success(.kept), .success(.conflict): removeDrafts(of: [save])
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

  /// A damaged save is not sent to anyone; what is left of its text goes into a file for the member to look at.
  private func setAside(_ save: SaveRecord, _ text: [UInt8]) throws(StoreError) -> StoreError {
    let folder = try PrivateDirectory(making: editsDirectory)
    let name = "damaged-save-\(save.id).txt"
    try folder.write(text, as: name)
    try outbox.removeSave(save.id)
    return StoreError(
      .corrupt, "An unsent save of \"\(save.path)\" was damaged on the disk and was not sent.",
      remedy: "The rest of its text is in \"\(folder.path(of: name))\".", path: save.path)
  }

  /// Copies whose byteclub is gone: a text that is not safe elsewhere becomes a save; a copy that has not changed since
  /// it was last safe goes.
  func rescueCopies() throws(StoreError) {
    let copies = try outbox.copies(club: club.place)
    for var copy in copies where !drafts.owner.isLive(copy.owner) {
      let directory = try PrivateDirectory(making: editsDirectory).directory(copy.id)
      let text = try directory.read(copy.name)
      guard let text, SHA256.hexadecimal(of: text) != copy.savedHash else {
        try directory.removeAll()
        try outbox.removeCopy(copy.id)
        continue
      }
      let save = SaveRecord(
        club: copy.club, path: copy.path, base: copy.base, baseHash: copy.baseHash,
        draft: NotesService.draft(ofCopy: copy.id), text: text, created: now(), owner: copy.owner)
      _ = try outbox.addSave(save, text: text)
      // The editor may still be open: the copy stays until a start finds it as it is now.
      copy.savedHash = save.textHash
      try outbox.putCopy(copy)
    }
  }

  func isTaken(_ path: StorePath) -> StoreError {
    StoreError(
      .conflict, "byteclub is already sending that save of \"\(path)\".", remedy: "Check the note in a moment.",
      path: path)
  }

  /// Saves of a copy under edit stand for each other as those of a draft do.
  static func draft(ofCopy id: String) -> String { "copy:\(id)" }

  /// Whether the word names a draft of the journal: not a copy under edit, nor an addition.
  static func isTyped(_ draft: String) -> Bool { !draft.hasPrefix("copy:") && !isAddition(draft) }
}
