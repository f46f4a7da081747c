internal import FileStores
internal import Synchronization

@dynamicMemberLookup
final class DropboxV1Memory: Sendable {
  struct Folder: Sendable {
    let hash: String
    let metadata: DropboxV1Metadata
  }

  struct State: Sendable {
    fileprivate var folders: [String: Folder] = [:]
    fileprivate var entries = 0
    fileprivate var names: [String: StorePath] = [:]
    var hasPut: Bool?
    var hasNoChunks = false
    var hasNoFeed = false
    var hasNoHistory = false
  }

  private static let mostEntries = 50_000
  private static let mostNames = 50_000
  private let state = Mutex(State())

  func folder(_ place: String) -> Folder? { state.withLock { $0.folders[place] } }

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

  /// Remembers the case of a path, because deletions are reported in lower case.
  func note(_ lower: String, _ path: StorePath) {
    state.withLock { state in
      if state.names.count >= DropboxV1Memory.mostNames { state.names.removeAll() }
      state.names[lower] = path
    }
  }

  func name(_ lower: String) -> StorePath? { state.withLock { $0.names[lower] } }

  subscript<Value: Sendable>(dynamicMember member: any WritableKeyPath<State, Value> & Sendable) -> Value {
    get { state.withLock { $0[keyPath: member] } }
    set { state.withLock { $0[keyPath: member] = newValue } }
  }
}
