public import Database
public import FileStores

extension NewsService {
  /// The number of files of a club that others added or changed since the member last looked. Writes nothing.
  /// - Parameter entries: all notes and photos of the club.
  /// - Returns: nil before the first whole listing.
  public static func count(
    of entries: [FileEntry], photosFolder: StorePath, club: String, in catalogue: CatalogueDatabase
  ) throws(StoreError) -> Int? {
    let lists: [(list: NewsList, files: [FileEntry])] = [
      (.notes, entries.filter(NotesService.isNote)),
      (.photos, entries.filter { $0.kind == .file && PhotoName.isShown($0.path, below: photosFolder) }),
    ]
    var count: Int?
    for (list, files) in lists where try catalogue.hasBaseline(of: list.rawValue, club: club) {
      let seen = try catalogue.seenRevisions(of: files.map(\.path), club: club)
      count = (count ?? 0) + NewsComparison(files, seen: seen, own: nil).marks.count
    }
    return count
  }
}
