import Database
public import FileStores
import Synchronization

/// Drafts that the member does not want: they are kept for a week.
extension DraftJournal {
  /// For how long a dropped draft is kept.
  static let secondsKept: Int64 = 7 * 86_400

  /// Puts a draft away: it is offered no more, and goes for good after a week. One in which nothing was typed goes at
  /// once; one that is not there is no error.
  /// - Throws: `conflict` when another live process owns it.
  public func drop(_ id: Draft.ID) async throws(StoreError) {
    await flush()
    let isDurable = state.withLock { state in
      defer { (state.heads[id], state.marks[id]) = (nil, nil) }
      return state.marks[id] == nil || state.failure == nil
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

  /// Keeps a text as a dropped draft.
  func keepDropped(
    _ path: StorePath?, title: String, base: Revision?, text: [UInt8]
  ) throws(StoreError) {
    let (time, hash) = (now(), text.hashed)
    let bases = try PrivateDirectory(making: basesDirectory)
    let head = DraftRecord(
      id: DraftJournal.newID(), club: club.place, path: path, title: title, base: base, baseHash: hash,
      bytes: text.count, touched: true, created: time, changed: time, owner: "", dropped: time)
    try outbox.commit(heads: [head], edits: []) { () throws(StoreError) in
      if !text.isEmpty, !bases.holds(hash) { try bases.write(text, as: hash) }
    }
  }

  /// Tells why drafts cannot be kept, at once and whenever it changes; nil while they can.
  public func failures() -> AsyncStream<StoreError?> {
    AsyncStream { continuation in
      let number = state.withLock { state in
        state.watched += 1
        state.watchers[state.watched] = continuation
        continuation.yield(state.failure)
        return state.watched
      }
      continuation.onTermination = { _ in self.state.withLock { _ = $0.watchers.removeValue(forKey: number) } }
    }
  }

  private func unkept() -> StoreError {
    state.withLock { $0.failure } ?? StoreError(.server, "The last changes were not kept.", remedy: "")
  }
}

extension [UInt8] {
  /// SHA-256, as drafts and saves name texts.
  var hashed: String { SHA256.hexadecimal(of: self) }
}
