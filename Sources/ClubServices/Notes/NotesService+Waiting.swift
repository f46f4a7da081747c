import Database
public import FileStores
import Synchronization

/// Texts that are not in the club: drafts, saves that wait, open conflicts and what was dropped, as one list.
extension NotesService {
  /// All of them: conflicts, what is to be sent, drafts, what was dropped; in each kind the newest first. Saves that this
  /// process is sending just now are left out, and so are drafts whose text is in a save. What was dropped more than a
  /// week ago goes on the occasion.
  /// - Throws: `notPermitted`, `quota`, `corrupt` or `server` when the outbox cannot be used.
  public func waiting() async throws(StoreError) -> [WaitingText] {
    await drafts.flush()
    return try await pool.run { () throws(StoreError) in
      // An outbox that can only be read still tells what it has.
      do throws(StoreError) {
        try self.rescueCopies()
        try self.collapse()
        try self.drafts.clear()
      } catch {
        self.drafts.onFailure(error)
      }
      let all = try self.outbox.saves(club: self.club.place)
      let underway = self.underway.withLock { $0 }
      var texts: [WaitingText] = []
      for save in all where !underway.contains(save.id) { texts.append(try self.waiting(save)) }
      for head in try self.outbox.drafts(club: self.club.place) where head.touched {
        if let text = try self.waiting(head, saves: all) { texts.append(text) }
      }
      let rank = WaitingText.Kind.allCases
      return texts.enumerated().sorted { one, other in
        let (first, second) = (rank.firstIndex(of: one.element.kind) ?? 0, rank.firstIndex(of: other.element.kind) ?? 0)
        if first != second { return first < second }
        let (time, later) = (one.element.changed, other.element.changed)
        return time == later ? one.offset < other.offset : time > later
      }.map(\.element)
    }
  }

  /// The whole text of one of them.
  /// - Throws: `notFound` when it does not wait any more; `corrupt` when it is damaged.
  public func text(of id: WaitingText.ID) async throws(StoreError) -> [UInt8] {
    switch id {
    case .draft(let draft): return try await drafts.text(of: draft)
    case .save(let save):
      let found = try await pool.run { () throws(StoreError) in try self.outbox.text(ofSave: save) }
      guard let found else { throw isGone() }
      return found.bytes
    }
  }

  /// Sends a save that waits, also one in conflict; a draft is saved first.
  /// - Throws: as `sendUnsent` and `save`; `badName` for a draft without a name.
  public func send(_ text: WaitingText) async throws(StoreError) -> SaveOutcome {
    switch text.id {
    case .save(let save): return try await sendUnsent(save)
    case .draft(let draft):
      let bytes = try await drafts.text(of: draft)
      guard text.kind != .discarded else { return try await sendDropped(text, bytes) }
      try await drafts.adopt(draft)
      guard let path = text.path else {
        let outcome = try await create(named: text.title, text: bytes)
        try await drafts.discard(draft)
        return outcome
      }
      return try await save(path, base: text.base, text: bytes, draft: draft)
    }
  }

  /// Puts a text away: what waits is kept as dropped for a week; what was dropped before goes for good.
  /// - Throws: `conflict` when another byteclub has it.
  public func discard(_ text: WaitingText) async throws(StoreError) {
    switch text.id {
    case .draft(let draft) where text.kind == .discarded: try await drafts.discard(draft)
    case .draft(let draft): try await drafts.drop(draft)
    case .save(let id):
      guard let save = try await record(id) else { return }
      guard underway.withLock({ $0.insert(id).inserted }) else { throw isTaken(save.path) }
      let result = await sending.add(save.path) { () -> Result<Void, StoreError> in
        await self.pool.run {
          do throws(StoreError) {
            let bytes = try self.claim(id)
            try self.drafts.keepDropped(save.path, title: "", base: save.base, text: bytes)
            try self.outbox.removeSave(id)
            return .success(())
          } catch {
            return .failure(error)
          }
        }
      }.value
      underway.withLock { _ = $0.remove(id) }
      try result.get()
    }
  }

  /// Sends all that waits to be sent, oldest first, and tells how each went; `conflicts` too, when they are wanted. Ends
  /// at the first that the store cannot be reached for. Saves of other byteclubs that run are left alone.
  /// - Throws: when the outbox cannot be read. What a single save throws is told as `.kept`.
  public func sendAll(
    conflicts: Bool, _ tell: (StorePath, SaveOutcome) -> Void
  ) async throws(StoreError) {
    let saves = try await waiting().filter { text in
      !text.isElsewhere && (text.kind == .toSend || conflicts && text.kind == .conflict)
    }
    for text in saves.reversed() {
      guard case .save(let id) = text.id, let path = text.path else { continue }
      do throws(StoreError) {
        let outcome = try await sendUnsent(id)
        tell(path, outcome)
        if case .kept(_, let error) = outcome, error.isTemporary || error.kind == .notSignedIn { return }
      } catch  where error.kind == .notFound || error.kind == .conflict {
        // It was sent, or is being sent, by another call.
        continue
      } catch {
        tell(path, .kept(id, error))
      }
    }
  }

  private func sendDropped(_ text: WaitingText, _ bytes: [UInt8]) async throws(StoreError) -> SaveOutcome {
    let outcome: SaveOutcome
    if let path = text.path {
      outcome = try await save(path, base: text.base, text: bytes, draft: nil)
    } else {
      outcome = try await create(named: text.title, text: bytes)
    }
    if case .draft(let draft) = text.id { try await drafts.discard(draft) }
    return outcome
  }

  private func waiting(_ save: SaveRecord) throws(StoreError) -> WaitingText {
    let beginning = try outbox.beginning(ofSave: save.id, bytes: WaitingText.beginningBytes) ?? []
    return WaitingText(
      id: .save(save.id), kind: save.isConflict ? .conflict : .toSend, path: save.path,
      title: String(decoding: save.path.name, as: UTF8.self), base: save.base, changed: save.created, bytes: save.bytes,
      beginning: beginning, isElsewhere: save.owner != drafts.owner.word && drafts.owner.isLive(save.owner))
  }

  /// Nil for a draft whose text a save has; it goes when nobody has it open.
  private func waiting(_ head: DraftRecord, saves: [SaveRecord]) throws(StoreError) -> WaitingText? {
    let isMine = head.owner == drafts.owner.word
    let isElsewhere = !isMine && drafts.owner.isLive(head.owner)
    var text: [UInt8] = []
    do throws(StoreError) {
      text = try drafts.replay(head).text
    } catch {
      // Damaged: it is listed, and opening it tells why it cannot be read.
      guard error.kind == .corrupt else { throw error }
    }
    let hash = text.hashed
    if head.dropped == nil, !head.isDamaged,
      saves.contains(where: { $0.path == head.path && ($0.textHash == hash || $0.knows(hash)) && !$0.isDamaged })
    {
      if !isMine, !isElsewhere { try outbox.removeDraft(head.id) }
      return nil
    }
    let draft = Draft(head)
    return WaitingText(
      id: .draft(head.id), kind: head.dropped == nil ? .draft : .discarded, path: head.path, title: draft.title,
      base: head.base, changed: head.dropped ?? head.changed, bytes: text.count,
      beginning: Array(text.prefix(WaitingText.beginningBytes)), isElsewhere: isElsewhere,
      isOpen: isMine)
  }
}
