public import Basics
internal import POSIX

/// A store that repeats calls after temporary errors (`offline`, `rateLimited`, `server`), with growing, jittered
/// pauses.
///
/// - A store's `retryAfter` is honoured: no try comes earlier. Above five minutes the call fails at once, and its error
///   says when to come back.
/// - A read continues at its byte and with its revision.
/// - When the answer to a write is lost, this store looks for its result before it sends the write again. A put has
///   happened if its content (by hash) is there, or for `replace` among the versions since; a move, if its source is
///   gone and its target exists; a delete, if its file is gone. So nothing happens twice, and no own write counts as
///   another member's. A delete and a move check first that their file exists.
/// - A request may also arrive twice (a proxy repeats it), and the second one be refused: a move or a delete that finds
///   nothing, although its file existed at first, is checked in the same way.
/// - An error of `receive` or a source is rethrown, and never a reason for a retry.
/// - A cancelled task ends a pause at once.
public struct RetryingStore: StoreWrapper {
  public let base: any FileStore
  let retrying: Retrying
  let offsets = UploadOffsets()
  private let listings = ListingsUnderWay()

  /// `clock` sleeps, `draw` (from 0 up to 1) spreads the pauses, `now` returns the seconds since 1970 (nil for this
  /// machine's clock), `observer` gets a report of each call, and `pauses` can end the pauses.
  public init(
    _ base: any FileStore, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = TimerClock(),
    draw: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: (@Sendable () -> Int64)? = nil, observer: CallObserver? = nil, pauses: CallPauses? = nil
  ) {
    self.base = base
    retrying = Retrying(
      policy: policy, clock: clock, draw: draw, now: now ?? { Int64(time(nil)) }, observer: observer, pauses: pauses)
  }

  /// The base's capabilities. Calls that must not happen twice check for an earlier result.
  public var capabilities: Capabilities {
    let own = base.capabilities
    var all = wrapped(own)
    all.uploads = own.uploads.map { RetryingUploads(base: $0, store: self) }
    all.trash = own.trash.map { RetryingTrash(base: $0, store: self) }
    all.changes = own.changes.map { RetryingChanges(base: $0, store: self) }
    all.revisions = own.revisions.map { RetryingHistory(base: $0, store: self) }
    all.links = own.links.map { RetryingLinks(base: $0, store: self) }
    all.batches = own.batches.map { RetryingBatches(base: $0, store: self) }
    all.presence = own.presence.map { RetryingPresence(base: $0, store: self) }
    return all
  }

  /// Repeats a call until it is answered. A call that must not happen twice is made once.
  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    guard call.name.isRepeatable else { return try await body() }
    return try await retrying { _ throws(StoreError) in try await body() }
  }

  /// Makes a call about many things, and repeats it for temporary failures.
  public func callEach<Item: Sendable, Answer: Sendable>(
    _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item],
    part: (Item) -> StoreCall<Answer>,
    _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
  ) async throws(StoreError) -> [Result<Answer, StoreError>] {
    guard call.name.isRepeatable else { return try await body(items) }
    return try await retrying.each(items) { (items, _) throws(StoreError) in try await body(items) }
  }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    var bounds = listings.bounds(of: folder, after: cursor, retrying.clock)
    let page = try await retrying { [bounds] attempt throws(StoreError) in
      if attempt > 1 { try bounds.checkTime() }
      return try await base.list(folder, options, after: cursor)
    }
    try bounds.add(page)
    if let next = page.next { listings.keep(bounds, until: next) }
    if page.unreadable > 0 { retrying.report(.unreadable(page.unreadable)) }
    return page
  }

  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    // Afterwards, a missing source can only mean that the move is done.
    let before = try await entry(at: path)
    return try await retrying { attempt throws(StoreError) in
      if attempt > 1, let moved = try await alreadyMoved(before, to: target) { return moved }
      do throws(StoreError) {
        return try await base.move(path, to: target, ifRevision: ifRevision)
      } catch {
        guard error.kind == .notFound, let moved = try await alreadyMoved(before, to: target) else { throw error }
        return moved
      }
    }
  }

  /// The entry at `target`, if `before` is gone from its place and this can be the same file or folder.
  private func alreadyMoved(_ before: FileEntry, to target: StorePath) async throws(StoreError) -> FileEntry? {
    guard before.path != target, try await base.entryIfAny(before.path) == nil,
      let moved = try await base.entryIfAny(target), moved.kind == before.kind, moved.size == before.size,
      before.contentHash == nil || moved.contentHash == nil || before.contentHash == moved.contentHash
    else { return nil }
    return moved
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    // Afterwards, `notFound` can only mean that the delete is done.
    _ = try await entry(at: path)
    try await retrying { _ throws(StoreError) in
      try await ifThere { () throws(StoreError) in try await base.delete(path, ifRevision: ifRevision) }
    }
  }
}

extension RetryingStore {
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    // Without a revision, the bytes after a break could be another version's.
    var rest = options
    if rest.revision == nil {
      let entry = try await self.entry(at: path)
      rest.revision = entry.kind == .file ? entry.revision : nil
    }
    var attempt = 1
    while true {
      var receiverFailed = false
      let before = rest.offset
      do throws(StoreError) {
        retrying.report(.asks)
        let entry = try await base.read(path, rest) { chunk throws(StoreError) in
          retrying.report(.answered)
          do throws(StoreError) {
            try await receive(chunk)
            retrying.report(.asks)
            rest.offset += UInt64(chunk.count)
          } catch {
            receiverFailed = true
            throw error
          }
        }
        retrying.report(.answered)
        return entry
      } catch {
        if receiverFailed { throw error }
        attempt = rest.offset > before ? 2 : attempt + 1
        try await retrying.pause(before: attempt, after: error)
      }
    }
  }
}
