import FileStores
import Synchronization

/// Bytes that are to become a file: small ones in memory, large ones in a file of the server's own, which is removed
/// with the last use unless somebody else looks after it.
final class Content: Sendable {
  let source: any ByteSource
  let size: UInt64
  fileprivate let file: LocalFile?
  private let known: Mutex<ContentHash?>
  private let pool: BlockingPool

  init(_ bytes: [UInt8], pool: BlockingPool) {
    self.pool = pool
    source = DataSource(bytes)
    size = UInt64(bytes.count)
    file = nil
    known = Mutex(nil)
  }

  /// `isOwned` says that the file goes with this object.
  init(_ file: LocalFile, size: UInt64, hash: ContentHash?, isOwned: Bool, pool: BlockingPool) {
    self.pool = pool
    source = LocalFileSource(file: file, bytes: size, pool: pool)
    self.size = size
    self.file = isOwned ? file : nil
    known = Mutex(hash)
  }

  deinit { file?.remove() }

  /// Where the server's own file is that nobody else looks after; nil when there is none.
  var ownPath: String? { file?.path }

  /// The checksum, found by reading when it is not known yet.
  func hash() async throws(StoreError) -> ContentHash {
    if let hash = known.withLock({ $0 }) { return hash }
    let hasher = ContentHashLane(pool: pool)
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { await hasher.add(chunk) }
    let hash = await hasher.finish()
    known.withLock { $0 = hash }
    return hash
  }

  /// Remembers a checksum that somebody else found.
  func learn(_ hash: ContentHash?) { if let hash { known.withLock { $0 = hash } } }
}

extension Content {
  /// Gives the server's own file another name, so that it stays.
  func move(to target: String) throws(StoreError) { try file?.rename(to: target) }
}
