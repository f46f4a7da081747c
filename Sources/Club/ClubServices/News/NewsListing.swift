internal import Database
internal import FileStores

/// The state of one list's listing, from its first page to its last.
struct NewsListing: Sendable {
  typealias SeenFile = (path: StorePath, revision: Revision)

  /// Files of a first listing that are recorded together, a megabyte or two. A folder has no order, and each page would
  /// write most of the table again.
  private static let recordedAtOnce = 8192
  /// So many files on, reading all that was seen is faster than asking for each file.
  private static let long = 4096

  /// Files of a first listing that are not recorded as seen yet.
  private(set) var unrecorded: [SeenFile] = []
  /// Files that the member saw, wrote or lost meanwhile: the listing may have read them before that.
  private var touched: Set<StorePath> = []
  private var count = 0
  /// The files that the member has seen. Only a long listing reads them.
  private(set) var seen: SeenFiles?
  /// Grows when files count as seen no longer.
  private(set) var number = 0
  /// True if files of the listing may not be recorded as seen.
  var isIncomplete = false
  /// True if the service gave no name.
  var isNameless = false

  var isLong: Bool { count >= NewsListing.long }

  /// Begins again. A listing before may still come to its end, which counts for the files that wait.
  mutating func begin() {
    (count, isIncomplete, isNameless) = (0, false, false)
    giveUpSeen()
  }

  mutating func count(_ page: [FileEntry]) { count += page.count }

  /// Takes what was seen when the number was this.
  mutating func take(_ seen: SeenFiles?, at number: Int) {
    if number == self.number { self.seen = seen }
  }

  mutating func giveUpSeen() { (seen, number) = (nil, number + 1) }

  /// The listing has no say about these files any more.
  mutating func touch(_ paths: [StorePath]) {
    touched.formUnion(paths)
    if !unrecorded.isEmpty { unrecorded.removeAll { touched.contains($0.path) } }
  }

  /// Adds files of a first listing.
  /// - Returns: the files to record now.
  mutating func add(_ page: [SeenFile]) -> [SeenFile] {
    unrecorded += page.lazy.filter { !touched.contains($0.path) }
    guard unrecorded.count >= NewsListing.recordedAtOnce else { return [] }
    defer { unrecorded = [] }
    return unrecorded
  }
}

/// The files of a club that a member has seen, twenty bytes each. With them, a listing of 100,000 files reads the catalogue
/// once.
///
/// A sign is a hash with a seed of this process. An unseen file has the sign of a seen one once in 10^14 files, and nobody
/// can choose such a file.
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
