import FileStores
import Synchronization

/// Revisions that were seen, in no order.
final class RevisionLog: Sendable {
  private let seen = Mutex<Set<Revision>>([])
  func add(_ revision: Revision?) {
    guard let revision else { return }
    seen.withLock { _ = $0.insert(revision) }
  }
  var all: Set<Revision> { seen.withLock { $0 } }
}
