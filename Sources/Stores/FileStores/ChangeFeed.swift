/// A point in a store's history, for `ChangeFeed`.
public struct ChangeCursor: Hashable, Sendable {
  public let value: String
  public init(_ value: String) { self.value = value }
}

public struct ChangeSet: Sendable {
  public enum Change: Sendable, Hashable {
    /// A file or folder that is new or has new content.
    case present(FileEntry)
    /// A path where nothing exists any more, nor below it. If another folder has the name of one that is gone, the paths
    /// below it that are gone are reported.
    case absent(StorePath)
  }

  /// Oldest first. Meaningless with `mustRelist`.
  public let changes: [Change]
  public let cursor: ChangeCursor
  /// The store lost track: list everything anew, and conclude no deletions.
  public let mustRelist: Bool
  /// The reason for late changes and the polling interval, as a sentence; nil if changes come at once. The feed reports
  /// each change of this value, if need be in a set without changes.
  public let lateness: String?

  public init(changes: [Change], cursor: ChangeCursor, mustRelist: Bool = false, lateness: String? = nil) {
    self.changes = changes
    self.cursor = cursor
    self.mustRelist = mustRelist
    self.lateness = lateness
  }
}

/// Reports changes by any program.
public protocol ChangeFeed: Sendable {
  /// A cursor for now: later changes will be reported.
  func start() async throws(StoreError) -> ChangeCursor
  /// Waits, without using the processor, for changes since `cursor`. Throws `cancelled` if the task is cancelled.
  /// Several changes of one path may be reported as one.
  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet
  /// The changes since `cursor` up to now, perhaps none, without waiting. A feed that cannot tell answers with
  /// `mustRelist`.
  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet
}

extension ChangeFeed {
  public func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    ChangeSet(changes: [], cursor: try await start(), mustRelist: true)
  }
}
