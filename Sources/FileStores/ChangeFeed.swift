/// A point in a store's history, for `ChangeFeed`.
public struct ChangeCursor: Hashable, Sendable {
  /// The store's word.
  public let value: String
  /// Wraps the store's word.
  public init(_ value: String) { self.value = value }
}

/// What changed since a cursor.
public struct ChangeSet: Sendable {
  /// One change.
  public enum Change: Sendable, Hashable {
    /// This is there now, new or with new content.
    case present(FileEntry)
    /// Nothing is there any more (with all that was below).
    case absent(StorePath)
  }

  /// What changed, oldest first. Meaningless when `mustRelist`.
  public let changes: [Change]
  /// Where to go on.
  public let cursor: ChangeCursor
  /// The store lost track: list everything anew. Nothing may be concluded to be deleted.
  public let mustRelist: Bool
  /// Why changes are told late at present, and how often they are asked for; nil when they are told at once. A feed
  /// whose changes begin or cease to be late tells it by a set, which may be without changes.
  public let lateness: String?

  /// Makes a set.
  public init(changes: [Change], cursor: ChangeCursor, mustRelist: Bool = false, lateness: String? = nil) {
    self.changes = changes
    self.cursor = cursor
    self.mustRelist = mustRelist
    self.lateness = lateness
  }
}

/// Telling what changed, by any program.
public protocol ChangeFeed: Sendable {
  /// A cursor for now: changes from here on will be told.
  func start() async throws(StoreError) -> ChangeCursor
  /// Waits, without using the processor, until something has changed since `cursor`, and says what.
  /// Ends with `cancelled` when the task is cancelled. Several changes of one path may be told as one.
  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet
}
