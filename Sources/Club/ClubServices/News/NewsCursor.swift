public import Database
public import FileStores

/// The revisions and remarks of a club that the command of news has reported, by club and account.
///
/// It is apart from what the app has shown, so that neither takes the other's news. It lies in the catalogue: without
/// that, the club begins anew, and nothing earlier is news. Calls block: make them on a `BlockingPool`.
public struct NewsCursor: Sendable {
  /// A file at a revision, or a remark below the file that has it, where no other file can be.
  public struct Mark: Sendable, Hashable {
    public let path: StorePath
    public let revision: Revision

    init?(_ file: FileEntry) {
      guard let revision = file.revision else { return nil }
      (path, self.revision) = (file.path, revision)
    }

    /// - Throws: `badName` for an id that is no name.
    init(remark id: String, in file: StorePath) throws(StoreError) {
      (path, revision) = (try file.appending(id), Revision("told"))
    }
  }

  private static let list = "told"
  private static let folders = "folders"

  private let key: String
  private let catalogue: CatalogueDatabase

  /// - Parameter club: `Club.key`.
  public init(club: String, catalogue: CatalogueDatabase) {
    (key, self.catalogue) = (NewsCursor.key(of: club), catalogue)
  }

  /// The club's name in the tables of the catalogue, beside that for the app.
  static func key(of club: String) -> String { "told\u{1F}\(club)" }

  /// False before the first news of this club and account.
  func hasBegun() throws(StoreError) -> Bool { try catalogue.hasBaseline(of: NewsCursor.list, club: key) }

  /// False before the first news of a club whose notes lie in folders, too.
  func hasBegunFolders() throws(StoreError) -> Bool { try catalogue.hasBaseline(of: NewsCursor.folders, club: key) }

  func begin(_ marks: [Mark], withFolders: Bool) throws(StoreError) {
    try tell(marks)
    try catalogue.setBaseline(of: NewsCursor.list, club: key)
    if withFolders { try catalogue.setBaseline(of: NewsCursor.folders, club: key) }
  }

  /// The revisions that were reported last.
  func reported(_ paths: [StorePath]) throws(StoreError) -> [StorePath: Revision] {
    try catalogue.seenRevisions(of: paths, club: key)
  }

  /// Notes that these were reported, in this order.
  func tell(_ marks: [Mark]) throws(StoreError) {
    guard !marks.isEmpty else { return }
    try catalogue.see(marks.map { ($0.path, $0.revision) }, club: key)
  }
}
