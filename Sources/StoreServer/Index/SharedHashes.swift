import Database
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
        let result: Result<ContentHash, StoreError>
        do throws(StoreError) {
          result = .success(try await find())
        } catch {
          result = .failure(error)
        }
        self.running.withLock { $0[version] = nil }
        return result
      }
      running[version] = search
      return search
    }
    return try await search.value.get()
  }
}

/// Files whose checksums are computed later, one at a time, because no listing waits for a large file.
final class LaterHashes: Sendable {
  private static let most = 10_000
  private let waiting = Mutex<Set<StorePath>>([])
  private let files: AsyncStream<ServerNode>
  private let queue: AsyncStream<ServerNode>.Continuation

  init() {
    (files, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(LaterHashes.most))
  }

  /// Queues a file, unless it is queued already or the queue is full; the next listing queues it again.
  func note(_ file: ServerNode) {
    guard waiting.withLock({ $0.insert(file.path).inserted }) else { return }
    if case .enqueued = queue.yield(file) { return }
    waiting.withLock { _ = $0.remove(file.path) }
  }

  /// Runs until the task is cancelled.
  func forEach(_ body: (ServerNode) async -> Void) async {
    for await file in files {
      await body(file)
      waiting.withLock { _ = $0.remove(file.path) }
    }
  }
}
