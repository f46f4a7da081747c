internal import Glibc

/// A store that tries again what failed for a while (`offline`, `rateLimited`, `server`), with growing, jittered pauses.
///
/// - A store's `retryAfter` is honoured: no try comes earlier. Above five minutes the call fails at once, and its error
///   says when to come back.
/// - A read goes on at the byte it had reached, with the revision it began with.
/// - When the answer to a write never came, the store is asked what is there before the write is sent again: a put
///   whose content (by hash) is there, or for `replace` among the versions since, has happened; a move whose source is
///   gone and whose target is there, and a delete of what is gone, too. So nothing happens twice, and no own write is
///   taken for another member's. For that, a delete and a move look first whether there is anything to delete or move.
/// - A request may also arrive twice (a proxy repeats it), and the second answer be a refusal: a move or a delete that
///   finds nothing, though there was something when it began, is looked at in the same way.
/// - What `receive` or a source throws is thrown on, and never a reason to try again.
/// - A cancelled task ends a pause at once.
public struct RetryingStore: FileStore {
  let base: any FileStore
  let retrying: Retrying
  let offsets = UploadOffsets()

  /// Wraps a store. `clock` sleeps, `draw` (from 0 up to 1) spreads the pauses, `now` tells the seconds since 1970
  /// (without it this machine's clock does), `observer` takes a report of each call, and `pauses` can end its pauses.
  public init(
    _ base: any FileStore, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    draw: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: (@Sendable () -> Int64)? = nil, observer: CallObserver? = nil, pauses: CallPauses? = nil
  ) {
    self.base = base
    retrying = Retrying(
      policy: policy, clock: clock, draw: draw, now: now ?? { Int64(time(nil)) }, observer: observer, pauses: pauses)
  }

  /// The limits of the contract.
  public var limits: StoreLimits { base.limits }

  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? {
    base.resumableUploads.map { RetryingUploads(base: $0, store: self) }
  }

  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? {
    base.trash.map { RetryingTrash(base: $0, store: self) }
  }

  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? {
    base.changes.map { RetryingChanges(base: $0, retrying: retrying) }
  }

  /// Versions of files that the store has kept.
  public var revisions: (any RevisionHistory)? {
    base.revisions.map { RetryingHistory(base: $0, store: self) }
  }

  /// Finding files by words.
  public var search: (any StoreSearch)? {
    base.search.map { RetryingSearch(base: $0, retrying: retrying) }
  }

  /// Small copies of pictures, made by the store.
  public var thumbnails: (any StoreThumbnails)? {
    base.thumbnails.map { RetryingThumbnails(base: $0, retrying: retrying) }
  }

  /// Writing many small files at once.
  public var batchUploads: (any BatchUploads)? {
    base.batchUploads.map { RetryingBatches(base: $0, store: self) }
  }

  /// Reading the many files of a folder at once; not tried again, as the contract says.
  public var folderReading: (any FolderReading)? { base.folderReading }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await retrying { _ throws(StoreError) in try await base.list(folder, options, after: cursor) }
  }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await retrying { _ throws(StoreError) in try await base.entry(at: path) }
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try await retrying { _ throws(StoreError) in try await base.createFolder(path) }
  }

  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    // Afterwards, a source that is gone can only mean that it is done.
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

  /// What is at `target` when `before` is gone from its place and this can be it.
  private func alreadyMoved(_ before: FileEntry, to target: StorePath) async throws(StoreError) -> FileEntry? {
    guard before.path != target, try await entryIfAny(before.path) == nil, let moved = try await entryIfAny(target),
      moved.kind == before.kind, moved.size == before.size,
      before.contentHash == nil || moved.contentHash == nil || before.contentHash == moved.contentHash
    else { return nil }
    return moved
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    // Afterwards, "nothing is there" can only mean that it is done.
    _ = try await entry(at: path)
    try await retrying { _ throws(StoreError) in
      do throws(StoreError) {
        try await base.delete(path, ifRevision: ifRevision)
      } catch {
        if error.kind == .notFound { return }
        throw error
      }
    }
  }

  /// What is at a path now, asked once; nil when nothing is.
  func entryIfAny(_ path: StorePath) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      return try await base.entry(at: path)
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
  }
}
