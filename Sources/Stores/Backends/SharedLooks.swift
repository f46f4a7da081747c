internal import Basics
internal import FileStores
internal import Synchronization

/// Looks at a whole club, one at a time, so that an older one never ends behind a newer one. Callers at the same time share
/// a look, but only one that has begun after their call can show them every change; so a second one may follow.
final class SharedLooks: Sendable {
  typealias Look = @Sendable () async throws(StoreError) -> Void

  private let running = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)

  func callAsFunction(on pool: BlockingPool, _ look: @escaping Look) async throws(StoreError) {
    let before = running.withLock { $0 }
    if let before, await before.valueUnlessCancelled(on: pool.tasks) == nil {
      throw .cancelled("The watch", path: .root)
    }
    let task = running.withLock { running in
      if let running { return running }
      let task = Task(executorPreference: pool.tasks) { await self.run(look) }
      running = task
      return task
    }
    guard let result = await task.valueUnlessCancelled(on: pool.tasks) else {
      throw .cancelled("The watch", path: .root)
    }
    try result.get()
  }

  private func run(_ look: Look) async -> Result<Void, StoreError> {
    defer { running.withLock { $0 = nil } }
    return await .catching(look)
  }
}
