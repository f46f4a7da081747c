import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// All texts that are not in the club: conflicts, saves to send, drafts, dropped texts; each kind newest first. Omits
  /// saves that this process is sending and drafts whose text is in a save. Removes texts dropped more than a week ago.
  /// - Throws: `notPermitted`, `quota`, `corrupt` or `server` if the outbox cannot be used.
  public func waiting() async throws(StoreError) -> [WaitingText] {
    await drafts.flush()
    let changes = await club.copy?.waitingChanges() ?? []
    return try await pool.run { () throws(StoreError) in
      do throws(StoreError) {
        try self.rescueCopies()
        try self.collapse()
        try self.draftStrays()
        try self.drafts.clear()
      } catch {
        self.drafts.onFailure(error)
      }
      let all = try self.outbox.saves(club: self.club.key)
      let underway = self.underway.withLock { $0 }
      var texts: [WaitingText] = []
      for save in all where !underway.contains(save.id) { texts.append(try self.waiting(save)) }
      texts += changes.map { WaitingText($0, isNobodys: self.club.isNobodys) }
      texts += try self.strayChanges().map { WaitingText(WaitingChange($0), isNobodys: true) }
      for head in try self.drafts.heads() where head.touched {
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

  /// The texts and changes of names of other accounts at this club's place, to be read: they are neither sent nor dropped
  /// from here.
  /// - Throws: as `waiting`.
  public func waitingOfOthers() async throws(StoreError) -> [WaitingText] {
    try await pool.run { () throws(StoreError) in
      var texts: [WaitingText] = []
      let keys = try self.outbox.waiting(underKeysFrom: self.club.place + "\n").keys.sorted()
      for key in keys where key != self.club.key && key != self.club.strays {
        let saves = try self.outbox.saves(club: key)
        for save in saves { texts.append(try self.waiting(save)) }
        texts += try self.outbox.changes(club: key).map { WaitingText(WaitingChange($0), isNobodys: false) }
        for head in try self.outbox.drafts(club: key) where head.touched && head.dropped == nil {
          if let text = try self.waiting(head, saves: saves) { texts.append(text) }
        }
      }
      return texts
    }
  }

  /// - Throws: `notFound` if it no longer waits; `corrupt` if it is damaged.
  public func text(of id: WaitingText.ID) async throws(StoreError) -> [UInt8] {
    switch id {
    case .change: throw isName()
    case .draft(let draft): return try await drafts.text(of: draft)
    case .save(let save):
      let found = try await pool.run { () throws(StoreError) in try self.outbox.text(ofSave: save) }
      guard let found else { throw isGone() }
      return found.bytes
    }
  }

  /// Sends a waiting save, also one in conflict; a draft is saved first.
  /// - Throws: as `sendUnsent` and `save`; `badName` for a draft without a name.
  public func send(_ text: WaitingText) async throws(StoreError) -> SaveOutcome {
    switch text.id {
    case .change: throw isName()
    case .save(let save): return try await sendUnsent(save)
    case .draft(let draft):
      let bytes = try await drafts.text(of: draft)
      if text.kind != .discarded { try await drafts.adopt(draft) }
      if let (thing, aim) = text.draft?.remark {
        let said = try await say(String(decoding: bytes, as: UTF8.self), aim, about: thing, draft: draft)
        try await drafts.discard(draft)
        return said.outcome
      }
      guard text.kind != .discarded else { return try await sendDropped(text, bytes) }
      guard let path = text.path else {
        let outcome = try await create(named: text.title, text: bytes)
        try await drafts.discard(draft)
        return outcome
      }
      return try await save(path, base: text.base, text: bytes, draft: draft)
    }
  }

  /// Drops a text, which is kept for a week. Removes a text that was dropped before.
  /// - Throws: `conflict` if another byteclub has it.
  public func discard(_ text: WaitingText) async throws(StoreError) {
    switch text.id {
    case .change(let id) where text.isNobodys: try await dropStray(id)
    case .change(let id): try await club.copy?.drop(id)
    case .draft(let draft) where text.kind == .discarded: try await drafts.discard(draft)
    case .draft(let draft): try await drafts.drop(draft)
    case .save(let id):
      guard let save = try await record(id) else { return }
      guard underway.withLock({ $0.insert(id).inserted }) else { throw isTaken(save.path) }
      defer { underway.withLock { _ = $0.remove(id) } }
      try await sending.run(save.path) { () throws(StoreError) in
        try await self.pool.run { () throws(StoreError) in
          let bytes = try self.claim(id)
          try self.drafts.keepDropped(save.path, title: "", base: save.base, text: bytes)
          try self.outbox.removeSave(id)
        }
      }
    }
  }

  /// Sends all waiting saves, oldest first, and reports each outcome; `conflicts` includes those in conflict. Stops at
  /// the first save for which the store cannot be reached. Skips saves of other running byteclubs, and those that were
  /// added after `time`. With `onlyDue`, as when no member asks, a save that the store has refused waits for its
  /// next time, and a refusal is reported once for each reason. `skipped` gets the reasons of mends that went (`skipMend`).
  /// - Throws: if the outbox cannot be read. The error of a single save is reported as `.kept`.
  public func sendAll(
    conflicts: Bool, onlyDue: Bool = false, before time: Timestamp? = nil, _ tell: (StorePath, SaveOutcome) -> Void,
    skipped: (StoreError) -> Void = { _ in }
  ) async throws(StoreError) {
    let now = now()
    let saves = try await waiting().filter { text in
      !text.isElsewhere && (text.kind == .toSend || conflicts && text.kind == .conflict)
        && time.map { text.changed < $0 } ?? true && (!onlyDue || text.isDue(at: now))
    }
    for text in saves.reversed() {
      guard case .save(let id) = text.id, let path = text.path else { continue }
      do throws(StoreError) {
        let outcome = try await sendUnsent(id)
        guard case .kept(_, let error) = outcome else {
          tell(path, outcome)
          continue
        }
        if error.kind == .cancelled { return }
        if !onlyDue || text.refusal != error.kind.rawValue { tell(path, outcome) }
        if error.isTemporary || error.kind == .notSignedIn { return }
      } catch  where error.kind == .notFound || error.kind == .conflict {
        // Another process has a text that stays.
        if error.kind == .conflict, try await record(id) == nil { skipped(error) }
      } catch {
        tell(path, .kept(id, error))
      }
    }
  }

  private func isName() -> StoreError {
    StoreError(
      .badInput, "That change of a name has no text.", remedy: "Send it with: byteclub draft send")
  }

  /// True if a save without a conflict is due that was added before a time, or any change of a name waits. Cheaper than
  /// `waiting`: it does not make an outbox that does not exist.
  /// - Throws: if the outbox cannot be read.
  public func hasToSend(before time: Timestamp) async throws(StoreError) -> Bool {
    guard outbox.exists else { return false }
    if let copy = club.copy, !club.isNobodys, !(await copy.waitingChanges()).isEmpty { return true }
    let now = now()
    return try await pool.run { () throws(StoreError) in
      try self.rescueCopies()
      return try self.outbox.saves(club: self.club.key).contains { save in
        !save.isConflict && save.created < time && save.due.map { $0 <= now } ?? true
      }
    }
  }

  /// Sends all waiting changes of names but those of nobody, and reports each that the store has then.
  /// - Returns: the reasons of those that can never be sent.
  public func sendNames(_ tell: (WaitingChange) -> Void = { _ in }) async -> [StoreError] {
    guard let copy = club.copy, !club.isNobodys else { return [] }
    return await copy.sendNames(tell) + copy.takeRefusals()
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
    var text = WaitingText(
      id: .save(save.id), kind: save.isConflict ? .conflict : .toSend, path: save.path,
      title: String(decoding: save.path.name, as: UTF8.self), base: save.base, changed: save.created, bytes: save.bytes,
      beginning: beginning, isElsewhere: save.owner != drafts.owner.word && drafts.owner.isLive(save.owner))
    (text.due, text.refusal) = (save.due, save.refusal)
    return text
  }

  /// nil for a draft whose text is in a save; such a draft is removed unless a process has it open.
  private func waiting(_ head: DraftRecord, saves: [SaveRecord]) throws(StoreError) -> WaitingText? {
    let isMine = head.owner == drafts.owner.word
    let isElsewhere = !isMine && drafts.owner.isLive(head.owner)
    var text: [UInt8] = []
    do throws(StoreError) {
      text = try drafts.replay(head).text
    } catch {
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
