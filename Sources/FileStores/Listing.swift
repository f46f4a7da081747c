/// What a listing should tell.
public struct ListOptions: Sendable, Hashable {
  /// How much of each entry.
  public enum Detail: Sendable, Hashable {
    /// Path and kind, as fast as the store can; the rest where it costs nothing (`ListPage.isWhole`).
    case names
    /// Size, times, revision and what else the store knows.
    case full
  }

  /// How much of each entry.
  public let detail: Detail
  /// Whether folders below are listed, too.
  public let recursive: Bool

  /// Makes options.
  public init(_ detail: Detail, recursive: Bool = false) {
    self.detail = detail
    self.recursive = recursive
  }
}

/// Where a listing goes on. Valid for the store that gave it, for the same folder and options.
public struct ListCursor: Hashable, Sendable {
  /// The store's word.
  public let value: String
  /// Wraps the store's word.
  public init(_ value: String) { self.value = value }
}

/// One page of a listing.
public struct ListPage: Sendable {
  /// What is on this page.
  public let entries: [FileEntry]
  /// Whether these entries have all that the store knows: always with `.full`; with `.names`, where the store's answer
  /// has the rest anyway. Otherwise they have path and kind alone.
  public let isWhole: Bool
  /// Where the next page begins; nil on the last.
  public let next: ListCursor?
  /// From where `changes` tells what has changed since before this listing began; on the last page, where the
  /// store has a change feed.
  public let changes: ChangeCursor?

  /// Makes a page.
  public init(entries: [FileEntry], isWhole: Bool, next: ListCursor? = nil, changes: ChangeCursor? = nil) {
    self.entries = entries
    self.isWhole = isWhole
    self.next = next
    self.changes = changes
  }
}
