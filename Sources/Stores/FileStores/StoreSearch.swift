/// Finds files by words, without listing them. A store with an index may find new files late.
public protocol StoreSearch: Sendable {
  /// The least number of characters of all words together; a shorter search is `badInput`.
  var fewestCharacters: Int { get }

  /// Files at any depth below `folder` that match `words`, at most `limit` of them, each once.
  ///
  /// - A file whose name contains each of the words is found; letter case does not matter. If the store looks into
  ///   files, too, a match there has `isByName` false.
  /// - Folders, byteclub's own files and deleted files are not found.
  /// - Throws: `notFound` if the folder does not exist, where the service says so; `badInput` for unusable words.
  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch]
}

public struct StoreMatch: Sendable, Hashable {
  public let entry: FileEntry
  /// True if the name matches; otherwise the content does.
  public let isByName: Bool

  public init(_ entry: FileEntry, isByName: Bool = true) {
    (self.entry, self.isByName) = (entry, isByName)
  }
}
