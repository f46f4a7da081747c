internal import Basics
import Database
public import FileStores
import Synchronization

extension DraftJournal {
  static let secondsKept: Int64 = 7 * 86_400

  /// Drops a draft for a week, without offering it; one without edits is removed at once. A missing draft is no error.
  /// - Throws: `conflict` if another live process owns it.
  public func drop(_ id: Draft.ID) async throws(StoreError) {
    await flush()
    let isKept = failure.value == nil
    let isDurable = state.withLock { state in
      defer { (state.heads[id], state.marks[id]) = (nil, nil) }
      return state.marks[id] == nil || isKept
    }
    let time = now()
    try await pool.run { () throws(StoreError) in
      guard var head = try self.outbox.draft(id) else { return }
      try self.refuseLive(head)
      guard head.touched else {
        try self.outbox.removeDraft(id)
        return try self.sweep()
      }
      (head.dropped, head.owner) = (time, "")
      try self.outbox.commit(heads: [head], edits: [])
    }
    guard isDurable else { throw unkept() }
  }

  func keepDropped(
    _ path: StorePath?, title: String, base: Revision?, text: [UInt8]
  ) throws(StoreError) {
    let (time, hash) = (now(), text.hashed)
    let bases = try PrivateDirectory(making: basesDirectory)
    let head = DraftRecord(
      id: DraftJournal.newID(), club: club.key, path: path, title: title, base: base, baseHash: hash,
      bytes: text.count, touched: true, created: time, changed: time, owner: "", dropped: time)
    try outbox.commit(heads: [head], edits: []) { () throws(StoreError) in
      if !text.isEmpty, !bases.holds(hash) { try bases.write(text, as: hash) }
    }
  }

  /// Keeps a text as a draft that no process has open. A text that already is a draft of the note is kept once. Blocks.
  func keep(
    _ text: [UInt8], for path: StorePath, over base: (revision: Revision?, text: [UInt8]), club: String
  ) throws(StoreError) {
    for head in try outbox.drafts(club: club)
    where head.path == path && head.dropped == nil && head.bytes == text.count && !head.isDamaged {
      if try replay(head).text == text { return }
    }
    let (id, time, hash) = (DraftJournal.newID(), now(), base.text.hashed)
    let head = DraftRecord(
      id: id, club: club, path: path, title: "", base: base.revision, baseHash: hash, edits: 1, bytes: text.count,
      touched: true, created: time, changed: time, owner: "")
    let edit = DraftEdit(offset: 0, removed: base.text.count, inserted: text)
    let row = DraftEditRow(draft: id, number: 1, body: DraftEdit.encode([edit]))
    try outbox.commit(heads: [head], edits: [row]) { () throws(StoreError) in try keepBase(base.text, as: hash) }
  }

  /// The error that prevents writing drafts, at once and after each change; nil if there is none.
  public func failures() -> AsyncStream<StoreError?> {
    failure.values()
  }

  private func unkept() -> StoreError {
    failure.value ?? StoreError(.server, "The last changes were not kept.", remedy: "")
  }
}

extension [UInt8] {
  var hashed: String { SHA256.hexadecimal(of: self) }
}
