import FileStores
import Synchronization

/// What listings and changes have told of the club's photos, so that what is known is not asked for again. Calls may
/// come from any thread.
final class KnownPhotos: Sendable {
  private struct State {
    var entries: [StorePath: FileEntry] = [:]
    var bySize: [UInt64: Set<StorePath>] = [:]
    /// The photos told since a listing began; nil while none is under way.
    var told: Set<StorePath>?
    var isListed = false

    mutating func put(_ entry: FileEntry) {
      remove(entry.path)
      entries[entry.path] = entry
      if let size = entry.size { bySize[size, default: []].insert(entry.path) }
      told?.insert(entry.path)
    }

    mutating func remove(_ path: StorePath) {
      guard let old = entries.removeValue(forKey: path), let size = old.size else { return }
      bySize[size]?.remove(path)
      if bySize[size]?.isEmpty == true { bySize[size] = nil }
    }
  }
  private let state = Mutex(State())

  /// Whether the photos have been listed.
  var isListed: Bool { state.withLock { $0.isListed } }

  /// A photo as it was told last; nil when it was not, or is gone.
  func entry(at path: StorePath) -> FileEntry? { state.withLock { $0.entries[path] } }

  /// The photos with so many bytes.
  func paths(ofSize size: UInt64) -> [StorePath] { state.withLock { $0.bySize[size].map { $0.sorted() } ?? [] } }

  func beginListing() { state.withLock { $0.told = [] } }

  func put(_ photos: [FileEntry]) { state.withLock { state in for entry in photos { state.put(entry) } } }

  /// All photos have been told: the others are gone.
  func endListing() {
    state.withLock { state in
      if let told = state.told {
        for path in state.entries.keys where !told.contains(path) { state.remove(path) }
      }
      (state.told, state.isListed) = (nil, true)
    }
  }

  func take(_ changes: [ChangeSet.Change]) {
    state.withLock { state in
      for change in changes {
        switch change {
        case .present(let entry): state.put(entry)
        case .absent(let path): state.remove(path)
        }
      }
    }
  }
}
