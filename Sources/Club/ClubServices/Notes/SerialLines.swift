import Basics
import Synchronization

/// Serial queues by key: work runs in the order of the calls. Cancelling the calling task does not cancel the work.
final class SerialLines<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var tails: [Key: (number: Int, task: Task<Void, Never>)] = [:]
    var given = 0
  }

  private let state = Mutex(State())
  private let executor: (any TaskExecutor)?

  init(on executor: (any TaskExecutor)?) { self.executor = executor }

  func add<Value: Sendable>(
    _ key: Key, _ work: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    state.withLock { state in
      state.given += 1
      let (number, before) = (state.given, state.tails[key]?.task)
      let task = Task.detached(executorPreference: executor) {
        await before?.value
        return await work()
      }
      let tail = Task.detached(executorPreference: executor) {
        _ = await task.value
        self.leave(key, number)
      }
      state.tails[key] = (number, tail)
      return task
    }
  }

  /// As `add`, and waits for the work.
  func run<Value: Sendable, Failure: Error>(
    _ key: Key, _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await add(key) { await Result.catching(work) }.value.get()
  }

  func wait(for key: Key) async {
    await state.withLock { $0.tails[key]?.task }?.value
  }

  private func leave(_ key: Key, _ number: Int) {
    state.withLock { state in
      if state.tails[key]?.number == number { state.tails[key] = nil }
    }
  }
}
