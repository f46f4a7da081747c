internal import Basics
import Database
public import FileStores
import Synchronization

extension DraftJournal {
  /// Removes unowned drafts without edits, and drafts that were dropped more than a week ago.
  func clear() throws(StoreError) {
    let time = now()
    for head in try heads() {
      let isOver = head.dropped.map { $0.seconds + DraftJournal.secondsKept < time.seconds } ?? !head.touched
      if isOver, head.dropped != nil || !owner.isLive(head.owner) { try outbox.removeDraft(head.id) }
    }
    try sweep()
  }

  /// All drafts of this club that have edits, including open ones, newest first.
  public func all() async throws(StoreError) -> [Draft] {
    await flush()
    return try await pool.run { () throws(StoreError) in
      try self.heads().filter { $0.touched && $0.dropped == nil }
        .map { Draft($0) }
    }
  }

  /// The text of a draft: its base with the logged edits, up to the first row that is damaged or does not fit.
  /// - Throws: `notFound`; `corrupt` if the base text is missing or damaged.
  public func text(of id: Draft.ID) async throws(StoreError) -> [UInt8] {
    await flush()
    return try await pool.run { () throws(StoreError) in
      try self.replay(try self.head(id)).text
    }
  }

  /// Makes this process the owner of a draft. Damaged rows at the end of its log are dropped.
  /// - Throws: `notFound`; `conflict` if a live process owns it; `corrupt` as `text(of:)`.
  public func adopt(_ id: Draft.ID) async throws(StoreError) {
    await flush()
    try await pool.run { () throws(StoreError) in
      let head = try self.head(id)
      guard head.owner != self.owner.word else { return }
      try self.refuseLive(head)
      try self.owner.take()
      let (text, rows) = try self.replay(head)
      var mine = DraftRecord(
        id: id, club: self.club.key, path: head.path, title: head.title, base: head.base, baseHash: head.baseHash,
        edits: rows, bytes: text.count, touched: true, created: head.created, changed: head.changed,
        owner: self.owner.word)
      if head.isDamaged { mine.title = "" }
      guard try self.outbox.adopt(mine, from: head.owner) else {
        throw self.isOpenElsewhere(head)
      }
      let adopted = mine
      self.state.withLock { state in
        state.heads[id] = adopted
        state.marks[id] = 0
      }
    }
  }

  /// Removes a draft, if it exists.
  /// - Throws: `conflict` if another live process owns it.
  public func discard(_ id: Draft.ID) async throws(StoreError) {
    let wasMine = forget(id)
    await flush()
    try await pool.run { () throws(StoreError) in
      if !wasMine, let head = try self.outbox.draft(id) { try self.refuseLive(head) }
      try self.outbox.removeDraft(id)
      try self.sweep()
    }
  }

  @discardableResult
  func forget(_ id: Draft.ID) -> Bool {
    state.withLock { state in
      state.heads[id] = nil
      return state.marks.removeValue(forKey: id) != nil
    }
  }

  /// The chosen draft of a note, or its newest one; nil for none that this process may have.
  func newest(of path: StorePath, chosen: Draft.ID? = nil) async throws(StoreError) -> Draft? {
    await flush()
    return try await pool.run { () throws(StoreError) in
      try self.heads()
        .first {
          $0.path == path && $0.touched && $0.dropped == nil && (chosen == nil || $0.id == chosen)
            && ($0.owner == self.owner.word || !self.owner.isLive($0.owner))
        }
        .map { Draft($0) }
    }
  }

  /// This club's drafts, and those that belong to no account, newest first.
  func heads() throws(StoreError) -> [DraftRecord] {
    let own = try outbox.drafts(club: club.key)
    guard let strays = club.strays, strays != club.key else { return own }
    return (own + (try outbox.drafts(club: strays))).sorted { $0.changed > $1.changed }
  }

  func head(_ id: Draft.ID) throws(StoreError) -> DraftRecord {
    guard let head = try outbox.draft(id) else {
      throw StoreError(.notFound, "The draft no longer exists.", remedy: "See the drafts with: byteclub draft ls")
    }
    return head
  }

  func refuseLive(_ head: DraftRecord) throws(StoreError) {
    if head.owner != owner.word, owner.isLive(head.owner) { throw isOpenElsewhere(head) }
  }

  private func isOpenElsewhere(_ head: DraftRecord) -> StoreError {
    StoreError(
      .conflict, "The draft of \"\(Draft(head).title)\" is open in another byteclub.",
      remedy: "Continue there, or close it there first.", path: head.path)
  }

  func replay(_ head: DraftRecord) throws(StoreError) -> (text: [UInt8], rows: Int) {
    var replay = DraftReplay(try base(head))
    var rows = 0
    for row in try outbox.edits(of: head.id) {
      guard let edits = DraftEdit.decode(row.body), replay.apply(edits) else { break }
      rows += 1
    }
    return (replay.text, rows)
  }

  /// A text that a draft, a save or a copy is based on, by its SHA-256; nil if it is not kept.
  func baseText(_ hash: String) throws(StoreError) -> [UInt8]? {
    if hash == SHA256.hexadecimal(of: []) { return [] }
    let bases = try PrivateDirectory(making: basesDirectory)
    // A damaged row may name any path; a hash always names a file in here.
    guard ContentHash(hex: hash) != nil, let text = try bases.read(hash), SHA256.hexadecimal(of: text) == hash else {
      return nil
    }
    return text
  }

  /// The text that a draft of this process was made from; nil if it is not kept.
  func baseText(ofDraft id: Draft.ID) async throws(StoreError) -> [UInt8]? {
    guard let hash = await writtenBaseHash(of: id) else { return nil }
    return try await pool.run { () throws(StoreError) in try self.baseText(hash) }
  }

  func keepBase(_ text: [UInt8], as hash: String) throws(StoreError) {
    let bases = try PrivateDirectory(making: basesDirectory)
    if !text.isEmpty, !bases.holds(hash) { try bases.write(text, as: hash) }
  }

  private func base(_ head: DraftRecord) throws(StoreError) -> [UInt8] {
    guard let text = try baseText(head.baseHash) else {
      throw StoreError(
        .corrupt, "The draft of \"\(Draft(head).title)\" is damaged: its base text has changed.",
        remedy: "Your text is still in \"\(outbox.path)\". Discard the draft when you do not need it.",
        path: head.path)
    }
    return text
  }

  func sweep() throws(StoreError) {
    let bases = try PrivateDirectory(making: basesDirectory)
    try outbox.sweepBases { inUse throws(StoreError) in
      for name in try bases.names() where ContentHash(hex: name) != nil && !inUse.contains(name) {
        try bases.remove(name)
      }
    }
  }
}
