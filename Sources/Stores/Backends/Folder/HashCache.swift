internal import FileStores
internal import Synchronization

/// Content hashes by stat token, at most about 1 MiB. A token stays valid until the file changes.
final class HashCache: Sendable {
  private struct State {
    var hashes: [Revision: ContentHash] = [:]
    var order: [Revision] = []
    var oldest = 0
  }

  private static let capacity = 4096
  private let state = Mutex(State())

  subscript(revision: Revision) -> ContentHash? {
    get { state.withLock { $0.hashes[revision] } }
  }

  func remember(_ hash: ContentHash, for revision: Revision) {
    state.withLock { state in
      guard state.hashes.updateValue(hash, forKey: revision) == nil else { return }
      if state.order.count < HashCache.capacity {
        state.order.append(revision)
      } else {
        state.hashes[state.order[state.oldest]] = nil
        state.order[state.oldest] = revision
        state.oldest = (state.oldest + 1) % HashCache.capacity
      }
    }
  }
}

final class SharedHasher: Sendable {
  private let hasher = Mutex(ContentHasher())

  func update(_ bytes: ByteChunk) { hasher.withLock { $0.update(bytes) } }

  func finish() -> ContentHash { hasher.withLock { $0.finish() } }
}
