public import Basics
import Decoding
public import FileStores
import POSIX

/// Whole viewed photos on disk, by content, so they are not fetched again. Each is compared with its content hash when
/// it is read; damaged files are removed. Beyond the limit, the least recently viewed photos go. Failures (a full disk)
/// cost time, never a picture.
public final class PhotoCache: Sendable {
  public struct Amount: Sendable, Hashable {
    public var photos = 0
    public var bytes = 0
  }

  /// Holds copies under the photos' own names, for other programs: hard links, which take no space.
  private static let named = "named"

  private let folder: CacheFolder
  private let limitBytes: Int
  private let pool: BlockingPool

  /// Makes a cache in the folder `photos` below `directory` (byteclub's cache directory), created when first needed. A
  /// limit of 0 turns it off.
  public init(directory: String, limitBytes: Int, pool: BlockingPool) {
    // Read-only, because other programs open these very files.
    folder = CacheFolder(path: "\(directory)/photos", maxFileBytes: PhotoReader.maxFileBytes, mode: 0o400)
    self.limitBytes = limitBytes
    self.pool = pool
  }

  /// Removes all photos. Returns the amount before.
  /// - Throws: `notPermitted` if some could not be removed.
  public func clear() async throws(StoreError) -> Amount {
    let (before, left) = await pool.run { [self] in
      let before = amount()
      _ = folder.shrink(to: -1)
      return (before, amount())
    }
    guard left.photos == 0 else {
      throw StoreError(
        .notPermitted, "byteclub could not remove \(left.photos) of \(before.photos) photos in \"\(folder.path)\".",
        remedy: "Remove that folder yourself.")
    }
    return before
  }

  private func amount() -> Amount {
    var amount = Amount()
    for item in folder.items() where !item.path.hasPrefix("\(folder.path)/\(Self.named)/") {
      amount.photos += 1
      amount.bytes += item.bytes
    }
    return amount
  }

  /// A photo's content; nil if not cached. Counts as a view.
  func content(of hash: ContentHash) async -> PictureContent? {
    guard let bytes = await bytes(of: hash) else { return nil }
    return try? PictureContent(bytes)
  }

  /// As `content`.
  func bytes(of hash: ContentHash) async -> [UInt8]? {
    await pool.run { [folder] in
      guard let bytes = folder.read(hash.hex) else { return nil }
      if ContentHash(of: bytes) == hash { return bytes }
      folder.remove(hash.hex)
      return nil
    }
  }

  /// True for each cached photo; does not verify the content.
  func holds(_ hashes: [ContentHash]) async -> [Bool] {
    await pool.run { [folder] in hashes.map { folder.holds($0.hex) } }
  }

  func takes(_ bytes: UInt64) -> Bool { bytes <= UInt64(limitBytes) }

  /// Caches a photo; the least recently viewed ones make room for it.
  func keep(_ content: PictureContent, of hash: ContentHash) async {
    guard content.count <= limitBytes else { return }
    await pool.run { [folder, limitBytes] in
      if folder.holds(hash.hex) { return }
      guard let bytes = try? content.bytes(), bytes.count == content.count else { return }
      _ = folder.write(bytes, as: hash.hex)
      _ = folder.shrink(to: limitBytes)
    }
  }

  /// A read-only file of this name with the photo; nil if the photo is not cached or is damaged.
  func file(of hash: ContentHash, named name: String) async -> String? {
    guard await bytes(of: hash) != nil else { return nil }
    return await pool.run { [folder] in folder.link(hash.hex, into: "\(Self.named)/\(hash.hex)", as: name) }
  }
}
