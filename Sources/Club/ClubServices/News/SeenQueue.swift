internal import Basics
internal import Database
internal import FileStores
internal import Synchronization

/// Changes of the files that this member has seen, until the catalogue has them.
///
/// No save and no reader waits for a catalogue that another process has locked: `add` returns at once, and a task of
/// its own writes, one change of a file after the other. A write that failed is tried again with the next one, and by
/// `finish`.
final class SeenQueue: Sendable {
  enum Change: Sendable {
    case seen(Revision)
    /// The file counts as before the mark, if its seen revision is that of the mark.
    case unseen(NewsMark)
    case forgotten
  }

  private struct Item: Sendable {
    let change: Change
    let number: Int
  }

  private struct State {
    var items: [StorePath: Item] = [:]
    var last = 0
    var writer: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let club: String
  private let catalogue: CatalogueDatabase
  private let pool: BlockingPool
  private let onFailure: @Sendable (StoreError) -> Void

  init(
    club: String, catalogue: CatalogueDatabase, pool: BlockingPool, onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    (self.club, self.catalogue, self.pool, self.onFailure) = (club, catalogue, pool, onFailure)
  }

  /// The revision of a file that was seen, and that the catalogue may not have yet.
  func revision(of path: StorePath) -> Revision? {
    guard case .seen(let revision) = state.withLock({ $0.items[path]?.change }) else { return nil }
    return revision
  }

  func add(_ changes: [(path: StorePath, change: Change)]) {
    state.withLock { state in
      for (path, change) in changes {
        state.last += 1
        let change = state.items[path]?.change.followed(by: change) ?? change
        state.items[path] = Item(change: change, number: state.last)
      }
      start(&state)
    }
  }

  /// Waits until all changes are written, or a write has failed.
  func tried() async { await state.withLock { $0.writer }?.value }

  /// Waits until everything is written, at most this long.
  func finish(within limit: Duration, clock: any Clock<Duration>) async {
    let writer = state.withLock { state in
      start(&state)
      return state.writer
    }
    guard let writer else { return }
    let end = PendingAnswer<Void>()
    Task.detached(executorPreference: pool.tasks) {
      await writer.value
      end.give(())
    }
    let limiter = Task.detached(executorPreference: pool.tasks) {
      // A cancelled sleep ends the wait, too.
      _ = try? await clock.sleep(for: limit)
      end.give(())
    }
    _ = await end.value()
    limiter.cancel()
  }

  private func start(_ state: inout State) {
    guard state.writer == nil, !state.items.isEmpty else { return }
    state.writer = Task.detached(executorPreference: pool.tasks) { await self.write() }
  }

  private func write() async {
    while let items = next() {
      do throws(StoreError) {
        try await pool.run { [club, catalogue] () throws(StoreError) in
          try SeenQueue.write(items.mapValues(\.change), to: catalogue, club: club)
        }
        state.withLock { state in
          for (path, item) in items where state.items[path]?.number == item.number { state.items[path] = nil }
        }
      } catch {
        state.withLock { $0.writer = nil }
        return onFailure(error)
      }
    }
  }

  private static func write(
    _ changes: [StorePath: Change], to catalogue: CatalogueDatabase, club: String
  ) throws(StoreError) {
    var seen: [(StorePath, Revision)] = []
    var unseen: [(StorePath, Revision, Revision?)] = []
    var forgotten: [StorePath] = []
    for (path, change) in changes {
      switch change {
      case .seen(let revision): seen.append((path, revision))
      case .unseen(let mark): unseen.append((path, mark.revision, mark.before))
      case .forgotten: forgotten.append(path)
      }
    }
    if !seen.isEmpty { try catalogue.see(seen, club: club) }
    if !unseen.isEmpty { try catalogue.unsee(unseen, club: club) }
    if !forgotten.isEmpty { try catalogue.forgetSeen(forgotten, club: club) }
  }

  /// The items to write; nil when there are none, and the writer ends.
  private func next() -> [StorePath: Item]? {
    state.withLock { state in
      if state.items.isEmpty { state.writer = nil }
      return state.items.isEmpty ? nil : state.items
    }
  }
}

extension SeenQueue.Change {
  /// Both changes in one.
  fileprivate func followed(by next: Self) -> Self {
    switch (self, next) {
    // A later revision was seen, or the file is gone.
    case (.seen(let revision), .unseen(let mark)) where revision != mark.revision: self
    case (.forgotten, .unseen): self
    default: next
    }
  }
}
