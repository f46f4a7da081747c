public struct ListOptions: Sendable, Hashable {
  public enum Detail: Sendable, Hashable {
    /// Path and kind, as fast as the store can; other properties only if they cost nothing (`ListPage.isWhole`).
    case names
    case full
  }

  public let detail: Detail
  /// True to list the folders below, too.
  public let recursive: Bool
  /// A store may leave out what is below these folders: of each all, or nothing. The caller does so anyway.
  public let besides: Set<StorePath>
  /// True if a store may leave out what is below folders whose name begins with a dot. The caller does so anyway.
  public let skipsHidden: Bool
  /// A store may leave out what is below folders with this many others above them. nil for all.
  public let mostDepth: Int?

  public init(
    _ detail: Detail, recursive: Bool = false, besides: Set<StorePath> = [], skipsHidden: Bool = false,
    mostDepth: Int? = nil
  ) {
    (self.detail, self.recursive, self.besides) = (detail, recursive, besides)
    (self.skipsHidden, self.mostDepth) = (skipsHidden, mostDepth)
  }

  /// The same without what a store may leave out: pages of a listing fit each other by these.
  package var plain: ListOptions { ListOptions(detail, recursive: recursive) }

  /// True if a store may leave out what is below a folder.
  package func skips(_ folder: StorePath) -> Bool {
    skipsHidden && folder.name.first == UInt8(ascii: ".") || besides.contains(folder) || isDeep(folder)
  }

  /// True if a store may leave out an entry of the list of `top`.
  package func leavesOut(_ path: StorePath, below top: StorePath) -> Bool {
    var folder = path.parent
    if isDeep(folder) { return true }
    while folder != top, !folder.isRoot {
      if skips(folder) { return true }
      folder = folder.parent
    }
    return false
  }

  private func isDeep(_ folder: StorePath) -> Bool {
    mostDepth.map { most in folder.bytes.count { $0 == UInt8(ascii: "/") } >= most } ?? false
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
