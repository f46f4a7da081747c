public import Basics
public import Database
import Decoding
public import FileStores
import POSIX
import Imaging
import Synchronization

/// Thumbnails on disk, by the content of the photo: a moved or copied photo keeps its thumbnails. Each file is verified
/// when it is read, and made again if damaged. Beyond the limit, the least recently used go. Failures (a full disk)
/// cost time, never a picture.
public final class ThumbnailCache: Sendable {
  /// The sides of the cached boxes; for other sizes the next larger one is scaled. The thumbnails that cameras embed
  /// (160 x 120) suffice for the smallest, those of phones' HEIC files (320 x 240) for the grid.
  static let boxes = [128, 256, 320, 512, 1024, 2048, 4096]

  let pool: BlockingPool
  private let folder: CacheFolder
  let catalogue: CatalogueDatabase
  private let limitBytes: Int
  /// This process's estimate of the bytes on disk; nil until counted.
  private let used = Mutex<Int?>(nil)
  private let makesNone = Mutex(false)

  /// Makes a cache in the folder `thumbnails` below `directory` (byteclub's cache directory), created when first
  /// needed. `catalogue` maps revisions to content hashes.
  public init(
    directory: String, catalogue: CatalogueDatabase, limitBytes: Int = 256 * 1024 * 1024, pool: BlockingPool
  ) {
    folder = CacheFolder(path: "\(directory)/thumbnails", maxFileBytes: 64 * 1024 * 1024)
    self.catalogue = catalogue
    self.limitBytes = limitBytes
    self.pool = pool
  }

  /// Removes all thumbnails. Returns their number before.
  /// - Throws: `notPermitted` if some could not be removed.
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

  static func box(for size: PixelSize) -> Int {
    let side = max(size.width, size.height)
    return boxes.first { $0 >= side } ?? boxes[boxes.count - 1]
  }

  /// A thumbnail for a box or a larger one; nil if not cached. A damaged file is removed.
  func thumbnail(of hash: ContentHash, box: Int, _ decoder: any PictureDecoding) async -> ThumbnailFile? {
    for side in Self.boxes where side >= box {
      guard let bytes = await pool.run({ [folder] in folder.read(Self.name(hash, side)) }) else { continue }
      do throws(ImageError) {
        if let thumbnail = try await Self.decode(bytes, decoder) { return thumbnail }
      } catch {
        // The decoder's own trouble, or the end of the task, says nothing about the file.
        guard error.kind == .crashed || error.kind == .corrupt else { return nil }
      }
      await pool.run { [folder] in folder.remove(Self.name(hash, side)) }
    }
    return nil
  }

  /// nil if the file is damaged.
  private static func decode(
    _ bytes: [UInt8], _ decoder: any PictureDecoding
  ) async throws(ImageError) -> ThumbnailFile? {
    guard let stored = ThumbnailFile.read(bytes) else { return nil }
    guard stored.isCompressed else {
      return Pixels(width: stored.size.width, height: stored.size.height, bytes: stored.payload).map {
        ThumbnailFile(pixels: $0, fullSize: stored.fullSize)
      }
    }
    let (pixels, isDamaged) = try await decoder.pixels(
      .decode(atLeast: nil), of: try PictureContent(stored.payload), orientation: .upright)
    guard !isDamaged, pixels.size == stored.size else { return nil }
    return ThumbnailFile(pixels: pixels, fullSize: stored.fullSize)
  }

  func keep(_ thumbnail: ThumbnailFile, of hash: ContentHash, box: Int) async {
    await pool.run { [self] in
      guard let bytes = try? thumbnail.encode(), folder.write(bytes, as: Self.name(hash, box)) else { return }
      used.withLock { used in
        // Rarely counted anew: if two processes share the folder, this is an estimate.
        let now = used.map { $0 + bytes.count } ?? folder.items().reduce(0) { $0 + $1.bytes }
        used = now > limitBytes ? folder.shrink(to: limitBytes / 4 * 3) : now
      }
    }
  }

  /// The header of a photo whose beginning is cached; nil for a damaged file, too. No header is known for a photo that has
  /// none there.
  func header(of word: ContentHash) async -> PictureHeader?? {
    await pool.run { [folder] in
      guard let file = folder.read("\(word.hex).head") else { return nil }
      let bytes = Array(file.dropFirst(Self.sumBytes))
      guard file.starts(with: ContentHash(of: bytes).hex.utf8) else { return nil }
      return bytes.isEmpty ? .some(nil) : (try? PictureHeader.read(bytes)).map { .some($0) }
    }
  }

  /// Keeps as little of a file's beginning as has all of its header, and nothing of one without.
  func keep(_ header: PictureHeader?, from bytes: [UInt8], of word: ContentHash) async {
    await pool.run { [folder] in
      let enough = Self.beginnings.first { (try? PictureHeader.read(Array(bytes.prefix($0)))) == header }
      let kept = header == nil ? [] : Array(bytes.prefix(enough ?? bytes.count))
      _ = folder.write(Array(ContentHash(of: kept).hex.utf8) + kept, as: "\(word.hex).head")
    }
  }

  /// The hash before the bytes, in hexadecimal.
  private static let sumBytes = 64
  private static let beginnings = [4 << 10, 16 << 10, 64 << 10]

  func contentHash(of entry: FileEntry, club: Club) async -> ContentHash? {
    if let hash = entry.contentHash { return hash }
    guard let revision = entry.revision else { return nil }
    return await pool.run { [catalogue] in
      // If the catalogue fails, the file is read instead.
      try? catalogue.contentHash(of: entry.path, revision: revision, club: club.key)
    }
  }

  func remember(_ hash: ContentHash, of entry: FileEntry, club: Club) async {
    guard let revision = entry.revision else { return }
    await pool.run { [catalogue] in
      try? catalogue.remember(hash, of: entry.path, revision: revision, club: club.key)
    }
  }

  /// True if the club's store turned out to make no thumbnails, despite its capability.
  var storeMakesNone: Bool {
    get { makesNone.withLock { $0 } }
    set { makesNone.withLock { $0 = newValue } }
  }

  /// The cache key of a photo whose content is unknown, made from its revision; nil without one.
  static func word(for entry: FileEntry, club: Club) -> ContentHash? {
    entry.revision.map { ContentHash(of: Array("\(club.key)\n\($0)\n".utf8) + entry.path.bytes) }
  }

  private static func name(_ hash: ContentHash, _ box: Int) -> String { "\(hash.hex).\(box)" }
}
