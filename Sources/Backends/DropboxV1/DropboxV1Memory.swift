internal import FileStores
internal import Synchronization

/// What a store remembers of what the server said, so that it need not be asked again.
final class DropboxV1Memory: Sendable {
  /// A folder as it was listed.
  struct Folder: Sendable {
    let hash: String
    let metadata: DropboxV1Metadata
  }

  private struct State {
    var folders: [String: Folder] = [:]
    var entries = 0
    var names: [String: StorePath] = [:]
    var hasPut: Bool?
    var hasNoChunks = false
    var hasNoFeed = false
    var hasNoHistory = false
  }

  private static let mostEntries = 50_000
  private static let mostNames = 50_000
  private let state = Mutex(State())

  /// How a folder was when it was listed last.
  func folder(_ place: String) -> Folder? { state.withLock { $0.folders[place] } }

  /// Remembers a listed folder; when there are too many entries, all others are forgotten.
  func note(_ place: String, _ folder: Folder) {
    state.withLock { state in
      let count = folder.metadata.contents?.count ?? 0
      state.entries += count - (state.folders[place]?.metadata.contents?.count ?? 0)
      if state.entries > DropboxV1Memory.mostEntries {
        state.folders.removeAll()
        state.entries = count
      }
      state.folders[place] = folder
    }
  }

  /// Remembers the case of a path: a deletion is told in lower case alone.
  func note(_ lower: String, _ path: StorePath) {
    state.withLock { state in
      if state.names.count >= DropboxV1Memory.mostNames { state.names.removeAll() }
      state.names[lower] = path
    }
  }

  /// The path in its right case, where it is known.
  func name(_ lower: String) -> StorePath? { state.withLock { $0.names[lower] } }

  /// Whether the server has `files_put`; nil while that is not known.
  var hasPut: Bool? {
    get { state.withLock { $0.hasPut } }
    set { state.withLock { $0.hasPut = newValue } }
  }

  /// The server has no `chunked_upload`.
  var hasNoChunks: Bool {
    get { state.withLock { $0.hasNoChunks } }
    set { state.withLock { $0.hasNoChunks = newValue } }
  }

  /// The server has no `delta`.
  var hasNoFeed: Bool {
    get { state.withLock { $0.hasNoFeed } }
    set { state.withLock { $0.hasNoFeed = newValue } }
  }

  /// The server has no `revisions`.
  var hasNoHistory: Bool {
    get { state.withLock { $0.hasNoHistory } }
    set { state.withLock { $0.hasNoHistory = newValue } }
  }
}
