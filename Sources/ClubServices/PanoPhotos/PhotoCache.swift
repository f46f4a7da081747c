public import FileStores
import Glibc

/// Whole photos on disk, by their content, so that one that was looked at once is not fetched again.
///
/// Each is written whole before it has its name, and compared with its content hash when it is read: one that is not
/// what was written is removed. When there is more than the limit, what was not looked at for longest goes. What fails
/// here (a full disk) costs time, never a picture.
public final class PhotoCache: Sendable {
  /// What is in a cache.
  public struct Amount: Sendable, Hashable {
    /// How many photos.
    public var photos = 0
    /// Their bytes.
    public var bytes = 0
  }

  /// Below the folder, beside the photos: copies under the names that the photos have, for other programs. A copy is
  /// one file with its photo, and takes no room.
  private static let named = "named"

  private let folder: CacheFolder
  private let limitBytes: Int
  private let pool: BlockingPool

  /// A cache in the folder `photos` below `directory` (byteclub's cache directory), made when first needed. With a
  /// limit of 0 it keeps nothing.
  public init(directory: String, limitBytes: Int, pool: BlockingPool) {
    // Read-only: other programs get these very files to open.
    folder = CacheFolder(path: "\(directory)/photos", maxFileBytes: PhotoReader.maxFileBytes, mode: 0o400)
    self.limitBytes = limitBytes
    self.pool = pool
  }

  /// Removes all photos. Returns what there was.
  /// - Throws: `notPermitted` when some could not be removed.
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

  /// A photo's bytes; nil when it is not here. Counts as a look.
  func bytes(of hash: ContentHash) async -> [UInt8]? {
    await pool.run { [folder] in
      guard let bytes = folder.read(hash.hex) else { return nil }
      if ContentHash(of: bytes) == hash { return bytes }
      folder.remove(hash.hex)
      return nil
    }
  }

  /// Whether photos are here, without looking into them.
  func holds(_ hashes: [ContentHash]) async -> [Bool] {
    await pool.run { [folder] in hashes.map { folder.holds($0.hex) } }
  }

  /// True when the cache has room for a photo of that many bytes.
  func takes(_ bytes: UInt64) -> Bool { bytes <= UInt64(limitBytes) }

  /// Keeps a photo; others make room for it.
  func keep(_ bytes: [UInt8], of hash: ContentHash) async {
    guard bytes.count <= limitBytes else { return }
    await pool.run { [folder, limitBytes] in
      if folder.holds(hash.hex) { return }
      _ = folder.write(bytes, as: hash.hex)
      _ = folder.shrink(to: limitBytes)
    }
  }

  /// A read-only file of this name that holds the photo; nil when the photo is not here, or is damaged.
  func file(of hash: ContentHash, named name: String) async -> String? {
    guard await bytes(of: hash) != nil else { return nil }
    return await pool.run { [folder] in folder.link(hash.hex, into: "\(Self.named)/\(hash.hex)", as: name) }
  }
}
