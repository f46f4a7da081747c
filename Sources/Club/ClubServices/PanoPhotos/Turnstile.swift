import FileStores
import Synchronization

/// Admits a fixed number of tasks at once, in order of arrival. A whole photo takes tens of megabytes, so only a few
/// may be in memory.
final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var next = 0
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for admission, then runs `body`.
  /// - Throws: `cancelled` if the task is cancelled while it waits; the errors of `body`.
  func pass<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
    guard await enter() else { throw .cancelled("Waiting for a photo") }
    defer { leave() }
    return try await body()
  }

  var waiting: Int { state.withLock { $0.waiting.count } }

  private func enter() async -> Bool {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isIn: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let isIn { continuation.resume(returning: isIn) }
      }
    } onCancel: {
      let continuation: CheckedContinuation<Bool, Never>? = state.withLock { state in
        guard let at = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiting.remove(at: at).continuation
      }
      continuation?.resume(returning: false)
    }
  }

  private func leave() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
