import Basics
import Database
import FileStores
import Synchronization

extension DraftJournal {
  /// Commits batches until nothing waits, or one fails. Only one call runs at a time, on a thread of the pool.
  func work() {
    while true {
      let batch = state.withLock { state in
        let batch = state.waiting
        state.waiting = []
        if batch.isEmpty { state.isWorking = false }
        return batch
      }
      guard !batch.isEmpty else { return }
      do throws(StoreError) {
        try commit(batch)
        settle(batch.count)
      } catch {
        keep(batch, error)
        return
      }
    }
  }

  private func settle(_ count: Int) {
    let ready = state.withLock { state in
      state.durable += count
      let ready = state.waiters.filter { $0.target <= state.durable }
      state.waiters.removeAll { $0.target <= state.durable }
      return ready
    }
    failure.change { $0 = nil }
    for waiter in ready { waiter.end.give(()) }
  }

  private func keep(_ batch: [(item: Item, at: Timestamp)], _ error: StoreError) {
    let waiters = state.withLock { state in
      state.waiting = batch + state.waiting
      state.isWorking = false
      defer { state.waiters = [] }
      return state.waiters
    }
    let isNews = failure.value == nil
    failure.change { $0 = error }
    if isNews { onFailure(error) }
    for waiter in waiters { waiter.end.give(()) }
  }

  private func commit(_ batch: [(item: Item, at: Timestamp)]) throws(StoreError) {
    try owner.take()
    let bases = try PrivateDirectory(making: basesDirectory)
    let (known, mine) = state.withLock { ($0.heads, Set($0.marks.keys)) }
    var heads: [Draft.ID: DraftRecord] = [:]
    var rows: [DraftEditRow] = []
    var texts: [String: [UInt8]] = [:]
    func change(_ id: Draft.ID, _ time: Timestamp, _ body: (inout DraftRecord) -> Void) {
      guard mine.contains(id), var head = heads[id] ?? known[id] else { return }
      body(&head)
      head.changed = time
      heads[id] = head
    }
    for (item, time) in batch {
      switch item {
      case .begin(let id, let path, let title, let base, let text):
        guard mine.contains(id) else { continue }
        let hash = SHA256.hexadecimal(of: text)
        if !text.isEmpty { texts[hash] = text }
        // Without a base revision the text is in no store, so the draft counts as edited.
        heads[id] = DraftRecord(
          id: id, club: club.key, path: path, title: title, base: base, baseHash: hash, bytes: text.count,
          touched: base == nil && !text.isEmpty, created: time, changed: time, owner: owner.word)
      case .edits(let id, let edits):
        change(id, time) { head in
          head.edits += 1
          head.touched = true
          head.bytes += edits.reduce(0) { $0 + $1.inserted.count - $1.removed }
          rows.append(DraftEditRow(draft: id, number: head.edits, body: DraftEdit.encode(edits)))
        }
      case .title(let id, let title):
        change(id, time) { ($0.title, $0.touched) = (title, $0.touched || !title.isEmpty) }
      case .base(let id, let revision):
        change(id, time) { $0.base = revision }
      case .moved(let names):
        for (id, head) in known.merging(heads, uniquingKeysWith: { $1 }) {
          if let target = head.path.flatMap({ names[$0] }) { change(id, head.changed) { $0.path = target } }
        }
      }
    }
    for (hash, text) in texts where !bases.holds(hash) { try bases.write(text, as: hash) }
    try outbox.commit(heads: Array(heads.values), edits: rows) { () throws(StoreError) in
      // Another process may have removed the text before its head was stored; from now on it cannot.
      for (hash, text) in texts where !bases.holds(hash) { try bases.write(text, as: hash) }
    }
    state.withLock { state in
      for (id, head) in heads where state.marks[id] != nil { state.heads[id] = head }
    }
  }
}
