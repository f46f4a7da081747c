internal import FileStores
internal import Synchronization

/// A file that has its bytes, but not yet its name.
struct PendingFile: Sendable {
  let root: Descriptor
  /// The folder where it lies under its temporary name.
  let folder: Descriptor
  let name: CName
  let file: Descriptor
  /// The folder where it shall go.
  let parent: Descriptor
  /// Folders that were made for it.
  let made: [StorePath]
  /// Why the version that it replaced could not be kept.
  let loss = VersionLoss()
}

/// Why a version could not be kept; empty while that did not happen.
final class VersionLoss: Sendable {
  private let state = Mutex<StoreError?>(nil)
  var error: StoreError? { state.withLock { $0 } }
  func note(_ error: StoreError) { state.withLock { $0 = error } }
}
