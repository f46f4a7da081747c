internal import FileStores
internal import Synchronization

/// Content hashes by stat token: a hash is known for as long as the file is untouched.
final class HashCache: Sendable {
  private struct State {
    var hashes: [Revision: ContentHash] = [:]
    var order: [Revision] = []
    var oldest = 0
  }

  /// About 1 MiB when full.
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
