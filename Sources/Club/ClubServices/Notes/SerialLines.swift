import Basics
import Synchronization

/// Serial queues by key: work runs in the order of the calls. Cancelling the calling task does not cancel the work.
final class SerialLines<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var tails: [Key: (number: Int, task: Task<Void, Never>)] = [:]
    /// Work across lines, and the keys whose later work it holds up.
    var across: [(number: Int, holds: @Sendable (Key) -> Bool, task: Task<Void, Never>)] = []
    var given = 0

    func before(_ key: Key) -> [Task<Void, Never>] {
      across.filter { $0.holds(key) }.map(\.task) + (tails[key].map { [$0.task] } ?? [])
    }
  }

  private let state = Mutex(State())
  private let executor: (any TaskExecutor)?

  init(on executor: (any TaskExecutor)?) { self.executor = executor }

  func add<Value: Sendable>(
    _ key: Key, _ work: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    state.withLock { state in
      state.given += 1
      let (number, before) = (state.given, state.before(key))
      let task = Task.detached(executorPreference: executor) {
        for task in before { await task.value }
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

  /// Runs work after all earlier work of the keys that it `holds`, of whatever number, and before their later work. It must
  /// not wait for a line of such a key.
  func runAcross<Value: Sendable, Failure: Error>(
    _ holds: @escaping @Sendable (Key) -> Bool, _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let task = state.withLock { state in
      state.given += 1
      let number = state.given
      let before = state.across.map(\.task) + state.tails.filter { holds($0.key) }.map(\.value.task)
      let task = Task.detached(executorPreference: executor) {
        for task in before { await task.value }
        return await Result.catching(work)
      }
      let tail = Task.detached(executorPreference: executor) {
        _ = await task.value
        self.state.withLock { $0.across.removeAll { $0.number == number } }
      }
      state.across.append((number, holds, tail))
      return task
    }
    return try await task.value.get()
  }

  func wait(for key: Key) async {
    for task in state.withLock({ $0.before(key) }) { await task.value }
  }

  private func leave(_ key: Key, _ number: Int) {
    state.withLock { state in
      if state.tails[key]?.number == number { state.tails[key] = nil }
    }
  }
}

/// Items that wait for the same work, which takes all that have come when it begins.
final class GatheredWork<Item: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var work: Task<Answer, Never>?
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.items.count } }

  /// `start` makes the work, which calls its argument once, at its beginning.
  /// - Returns: the item's place among those of its work, and the work.
  func add(
    _ item: Item, _ start: (_ take: @escaping @Sendable () -> [Item]) -> Task<Answer, Never>
  ) -> (place: Int, work: Task<Answer, Never>) {
    state.withLock { state in
      state.items.append(item)
      let work = state.work ?? start(take)
      state.work = work
      return (state.items.count - 1, work)
    }
  }

  @Sendable private func take() -> [Item] {
    state.withLock { state in
      defer { state = State() }
      return state.items
    }
  }
}
