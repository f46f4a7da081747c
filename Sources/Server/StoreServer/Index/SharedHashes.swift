import Basics
import FileStores
import Synchronization

final class SharedHashes: Sendable {
  struct Version: Hashable {
    let path: StorePath
    let revision: Revision?
  }

  private typealias Search = Task<Result<ContentHash, StoreError>, Never>
  private let running = Mutex<[Version: Search]>([:])

  func hash(
    of version: Version, _ find: @escaping @Sendable () async throws(StoreError) -> ContentHash
  ) async throws(StoreError) -> ContentHash {
    let search = running.withLock { running in
      if let search = running[version] { return search }
      let search = Search {
        let result = await Result.catching(find)
        self.running.withLock { $0[version] = nil }
        return result
      }
      running[version] = search
      return search
    }
    return try await search.value.get()
  }
}
