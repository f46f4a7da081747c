public struct ListOptions: Sendable, Hashable {
  public enum Detail: Sendable, Hashable {
    /// Path and kind, as fast as the store can; other properties only if they cost nothing (`ListPage.isWhole`).
    case names
    case full
  }

  public let detail: Detail
  /// True to list the folders below, too.
  public let recursive: Bool

  public init(_ detail: Detail, recursive: Bool = false) {
    self.detail = detail
    self.recursive = recursive
  }
}

/// The place of a listing's next page. Valid for the same store, folder and options.
public struct ListCursor: Hashable, Sendable {
  public let value: String
  public init(_ value: String) { self.value = value }
}

public struct ListPage: Sendable {
  public let entries: [FileEntry]
  /// True if these entries have all properties: always with `.full`; with `.names` if the store's answer has them
  /// anyway. Otherwise they have path and kind alone.
  public let isWhole: Bool
  /// nil on the last page.
  public let next: ListCursor?
  /// A cursor from before this listing began, for the store's change feed. On the last page only.
  public let changes: ChangeCursor?
  /// The number of entries in an unreadable form, which are not in `entries`.
  public let unreadable: Int

  public init(
    entries: [FileEntry], isWhole: Bool, next: ListCursor? = nil, changes: ChangeCursor? = nil, unreadable: Int = 0
  ) {
    self.entries = entries
    self.isWhole = isWhole
    self.next = next
    self.changes = changes
    self.unreadable = unreadable
  }
}
