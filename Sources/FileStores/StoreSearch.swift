/// Finding files by words, without listing them.
///
/// A store that keeps an index may know new files late; what it tells was there when it looked.
public protocol StoreSearch: Sendable {
  /// Characters that the words must have together; a shorter search is `badInput`.
  var fewestCharacters: Int { get }

  /// Files at any depth below `folder` that the store finds for `words`, at most `limit` of them, each once.
  ///
  /// - A file whose name holds each of the words is found; letter case does not matter. Where the store looks into
  ///   files, too, a match there has `isByName` false.
  /// - Folders are not told, nor byteclub's own files, nor what was deleted.
  /// - Throws: `notFound` when the folder is not there; `badInput` for what cannot be searched for.
  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch]
}

/// A file that a search found.
public struct StoreMatch: Sendable, Hashable {
  /// The file.
  public let entry: FileEntry
  /// Whether its name was found; otherwise what is in it.
  public let isByName: Bool

  /// Makes a match.
  public init(_ entry: FileEntry, isByName: Bool = true) {
    (self.entry, self.isByName) = (entry, isByName)
  }
}
