internal import Database
internal import FileStores

/// What a member has seen of a club: about twenty bytes a file, so that a listing of 100,000 files does not ask the catalogue
/// for each of them.
///
/// A sign is a hash with a seed of this process: that a file which was not seen has the sign of another one happens once
/// in 10^14 files, and cannot be brought about.
struct SeenFiles: Sendable {
  private let signs: Set<Int>

  /// Reads what was seen of a club. Blocks.
  init(_ catalogue: CatalogueDatabase, club: String) throws(StoreError) {
    var signs: Set<Int> = []
    try catalogue.eachSeen(club) { signs.insert(SeenFiles.sign($0, $1)) }
    self.signs = signs
  }

  func contains(_ entry: FileEntry) -> Bool {
    guard var revision = entry.revision?.value else { return false }
    return entry.path.bytes.withUnsafeBytes { path in
      revision.withUTF8 { signs.contains(SeenFiles.sign(path, UnsafeRawBufferPointer($0))) }
    }
  }

  private static func sign(_ path: UnsafeRawBufferPointer, _ revision: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(path.count)
    hasher.combine(bytes: path)
    hasher.combine(bytes: revision)
    return hasher.finalize()
  }
}
