import FileStores
import Synchronization

/// Work that several ask for at once is done once. It is cancelled when the last one who asked has been cancelled.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Work {
    let number: Int
    let task: Task<Result<Value, StoreError>, Never>
    var askers = 1
  }

  private struct State {
    var works: [Key: Work] = [:]
    var started = 0
  }

  private let state = Mutex(State())

  /// The value for `key`: from work that is under way, or else from `body`.
  func value(
    for key: Key, _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    if Task.isCancelled { throw .cancelled("The work") }
    let (task, number) = join(key, body)
    let flag = CancelFlag()
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      flag.raise()
      leave(key, number)
    }
    if flag.isRaised {
      // The value may have come all the same; the asker has lost interest either way.
      throw .cancelled("The work")
    }
    return try result.get()
  }

  private func join(
    _ key: Key, _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) -> (Task<Result<Value, StoreError>, Never>, Int) {
    state.withLock { state in
      if let work = state.works[key] {
        state.works[key]?.askers += 1
        return (work.task, work.number)
      }
      state.started += 1
      let number = state.started
      let task = Task.detached { [self] in
        let result: Result<Value, StoreError>
        do throws(StoreError) {
          result = .success(try await body())
        } catch {
          result = .failure(error)
        }
        end(key, number)
        return result
      }
      state.works[key] = Work(number: number, task: task)
      return (task, number)
    }
  }

  private func end(_ key: Key, _ number: Int) {
    state.withLock { state in
      if state.works[key]?.number == number { state.works[key] = nil }
    }
  }

  private func leave(_ key: Key, _ number: Int) {
    let abandoned: Task<Result<Value, StoreError>, Never>? = state.withLock { state in
      guard let work = state.works[key], work.number == number else { return nil }
      state.works[key]?.askers -= 1
      guard work.askers == 1 else { return nil }
      // Whoever asks from now on gets work of their own, not one that is ending.
      state.works[key] = nil
      return work.task
    }
    abandoned?.cancel()
  }
}
