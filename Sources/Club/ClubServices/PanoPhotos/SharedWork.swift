import Basics
import FileStores
import Synchronization

/// Shares work among simultaneous callers with equal keys. A cancelled caller stops waiting; when the last one is
/// cancelled, so is the work, and later callers begin it anew.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, StoreError>

  private struct Work {
    let number: Int
    let task: Task<Void, Never>
    var askers: [PendingAnswer<Outcome>]
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
    if Task.isCancelled { throw .cancelled("The work") }
    let answer = PendingAnswer<Outcome>()
    state.withLock { join(key, answer, body, &$0) }
    guard let outcome = await answer.value() else {
      state.withLock { leave(key, answer, &$0) }?.cancel()
      throw .cancelled("The work")
    }
    return try outcome.get()
  }

  func askers(of key: Key) -> Int { state.withLock { $0.works[key]?.askers.count ?? 0 } }

  private func join(
    _ key: Key, _ answer: PendingAnswer<Outcome>, _ body: @escaping @Sendable () async throws(StoreError) -> Value,
    _ state: inout State
  ) {
    guard state.works[key]?.askers.append(answer) == nil else { return }
    state.counter += 1
    let number = state.counter
    // The task's end needs the lock that is held here, so it cannot come before the registration below.
    let task = Task.detached(executorPreference: executor) { [self] in
      end(key, number, await .catching(body))
    }
    state.works[key] = Work(number: number, task: task, askers: [answer])
  }

  private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
    let askers = state.withLock { state -> [PendingAnswer<Outcome>] in
      // Work that all callers have left is no longer registered.
      guard let work = state.works[key], work.number == number else { return [] }
      state.works[key] = nil
      return work.askers
    }
    for asker in askers { asker.give(outcome) }
  }

  /// The work to cancel, if nobody waits for it any more.
  private func leave(_ key: Key, _ answer: PendingAnswer<Outcome>, _ state: inout State) -> Task<Void, Never>? {
    guard let index = state.works[key]?.askers.firstIndex(where: { $0 === answer }) else { return nil }
    state.works[key]?.askers.remove(at: index)
    guard state.works[key]?.askers.isEmpty == true else { return nil }
    return state.works.removeValue(forKey: key)?.task
  }
}
