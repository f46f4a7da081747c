internal import FileStores
internal import Synchronization

/// A content hasher that jobs on several threads use one after the other.
final class SharedHasher: Sendable {
  private let hasher = Mutex(ContentHasher())

  func update(_ bytes: ByteChunk) { hasher.withLock { $0.update(bytes) } }

  func finish() -> ContentHash { hasher.withLock { $0.finish() } }
}
