public import FileStores

/// A file of this machine that holds what a photo held when it was uploaded from there or downloaded to there.
public struct DiskCopy: Sendable, Hashable {
  /// The photo as it was then.
  public let entry: FileEntry
  /// The file.
  public let file: String
  /// Whether it was seen to be there; nil before it was looked for.
  var isThere: Bool?

  /// A copy that has not been looked for yet.
  public init(entry: FileEntry, file: String) {
    self.entry = entry
    self.file = file
  }
}

extension DiskCopy {
  /// Whether a list's row is the photo that was copied, as far as the list tells.
  func isOf(_ table: EntryTable, _ row: Int) -> Bool {
    table.size(at: row) == entry.size && table.modified(at: row) == entry.modified
  }
}
