public import Database
public import FileStores
import Glibc
import Imaging
import Synchronization

/// Small copies of photos on disk, by the content of the photo: a photo that is moved or copied keeps its own.
///
/// Each file is checked when it is read, and made again when it is not what was written. When there is more than the
/// limit, what was not used for longest goes. What fails here (a full disk) costs time, never a picture.
public final class ThumbnailCache: Sendable {
  /// The sides of the boxes that copies are kept for; in between, the next larger one is scaled. The smallest is what
  /// the pictures that cameras embed (160 x 120) suffice for.
  static let boxes = [128, 256, 512, 1024, 2048, 4096]

  let pool: BlockingPool
  private let folder: CacheFolder
  private let catalogue: CatalogueDatabase
  private let limitBytes: Int
  /// Bytes on disk, as far as this process knows; nil until counted.
  private let used = Mutex<Int?>(nil)
  private let makesNone = Mutex(false)

  /// A cache in the folder `thumbnails` below `directory` (byteclub's cache directory), made when first needed.
  /// `catalogue` remembers which content a revision has.
  public init(
    directory: String, catalogue: CatalogueDatabase, limitBytes: Int = 256 * 1024 * 1024, pool: BlockingPool
  ) {
    folder = CacheFolder(path: "\(directory)/thumbnails", maxFileBytes: 64 * 1024 * 1024)
    self.catalogue = catalogue
    self.limitBytes = limitBytes
    self.pool = pool
  }

  /// Removes all copies. Returns how many there were.
  /// - Throws: `notPermitted` when some could not be removed.
  public func clear() async throws(StoreError) -> Int {
    let (before, left) = await pool.run { [self] in
      let before = folder.items().count
      _ = folder.shrink(to: -1)
      used.withLock { $0 = nil }
      return (before, folder.items().count)
    }
    guard left == 0 else {
      throw StoreError(
        .notPermitted, "byteclub could not remove \(left) of \(before) thumbnails in \"\(folder.path)\".",
        remedy: "Remove that folder yourself.")
    }
    return before
  }

  /// The side of the box that a copy for this size is kept for.
  static func box(for size: PixelSize) -> Int {
    let side = max(size.width, size.height)
    return boxes.first { $0 >= side } ?? boxes[boxes.count - 1]
  }

  /// A copy for a box or a larger one; nil when there is none. A damaged one is removed.
  func thumbnail(of hash: ContentHash, box: Int) async -> ThumbnailFile? {
    await pool.run { [folder] in
      for side in Self.boxes where side >= box {
        guard let bytes = folder.read(Self.name(hash, side)) else { continue }
        if let thumbnail = ThumbnailFile.decode(bytes) { return thumbnail }
        folder.remove(Self.name(hash, side))
      }
      return nil
    }
  }

  /// Keeps a copy.
  func keep(_ thumbnail: ThumbnailFile, of hash: ContentHash, box: Int) async {
    await pool.run { [self] in
      guard let bytes = try? thumbnail.encode(), folder.write(bytes, as: Self.name(hash, box)) else { return }
      used.withLock { used in
        // Counted anew now and then only: two processes may share the folder, and then this is a guess.
        let now = used.map { $0 + bytes.count } ?? folder.items().reduce(0) { $0 + $1.bytes }
        used = now > limitBytes ? folder.shrink(to: limitBytes / 4 * 3) : now
      }
    }
  }

  /// The content that a revision is known to have.
  func contentHash(of entry: FileEntry, club: Club) async -> ContentHash? {
    if let hash = entry.contentHash { return hash }
    guard let revision = entry.revision else { return nil }
    return await pool.run { [catalogue] in
      // A catalogue that fails knows nothing; the file is read instead.
      try? catalogue.contentHash(of: entry.path, revision: revision, club: club.place)
    }
  }

  /// Remembers the content of a revision.
  func remember(_ hash: ContentHash, of entry: FileEntry, club: Club) async {
    guard let revision = entry.revision else { return }
    await pool.run { [catalogue] in
      try? catalogue.remember(hash, of: entry.path, revision: revision, club: club.place)
    }
  }

  /// Whether the club's store has been found to make no small copies, whatever it promised.
  var storeMakesNone: Bool {
    get { makesNone.withLock { $0 } }
    set { makesNone.withLock { $0 = newValue } }
  }

  /// What a copy is kept under whose photo's content is not known: the revision stands for it. Nil without one.
  static func word(for entry: FileEntry, club: Club) -> ContentHash? {
    entry.revision.map { ContentHash(of: Array("\(club.place)\n\($0)\n".utf8) + entry.path.bytes) }
  }

  private static func name(_ hash: ContentHash, _ box: Int) -> String { "\(hash.hex).\(box)" }
}
