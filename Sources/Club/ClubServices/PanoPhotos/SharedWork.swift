import Basics
import FileStores
import Synchronization

/// Shares work among simultaneous callers with equal keys. A cancelled caller stops waiting; when the last one is
/// cancelled, so is the work: at once, under the lock that later callers take, which no `PendingAnswer` does.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, StoreError>

  private struct Work {
    let number: Int
    var task: Task<Void, Never>?
    var askers: [Int: CheckedContinuation<Outcome, Never>] = [:]
  }

  private struct State {
    var works: [Key: Work] = [:]
    var counter = 0
  }

  private let state = Mutex(State())
  private let executor: (any TaskExecutor)?

  init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

  func value(
    for key: Key, _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let asker = state.withLock { state in
      state.counter += 1
      return state.counter
    }
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          join(key, asker, continuation, body, &state)
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled("The work"))) }
      }
    } onCancel: {
      leave(key, asker)
    }
    return try outcome.get()
  }

  func askers(of key: Key) -> Int { state.withLock { $0.works[key]?.askers.count ?? 0 } }

  private func join(
    _ key: Key, _ asker: Int, _ continuation: CheckedContinuation<Outcome, Never>,
    _ body: @escaping @Sendable () async throws(StoreError) -> Value, _ state: inout State
  ) {
    if state.works[key] != nil {
      state.works[key]?.askers[asker] = continuation
      return
    }
    state.counter += 1
    let number = state.counter
    // The task's end needs the lock that is held here, so it cannot come before the registration below.
    let task = Task.detached(executorPreference: executor) { [self] in
      end(key, number, await .catching(body))
    }
    state.works[key] = Work(number: number, task: task, askers: [asker: continuation])
  }

  private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
    let askers = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      // Work that all callers have left is no longer registered.
      guard let work = state.works[key], work.number == number else { return [] }
      state.works[key] = nil
      return Array(work.askers.values)
    }
    for asker in askers { asker.resume(returning: outcome) }
  }

  private func leave(_ key: Key, _ asker: Int) {
    let (continuation, abandoned) = state.withLock { state in
      let continuation = state.works[key]?.askers.removeValue(forKey: asker)
      guard continuation != nil, let work = state.works[key], work.askers.isEmpty else {
        return (continuation, Task<Void, Never>?.none)
      }
      // Later callers start new work instead of joining one that is being cancelled.
      state.works[key] = nil
      return (continuation, work.task)
    }
    abandoned?.cancel()
    continuation?.resume(returning: .failure(.cancelled("The work")))
  }
}
