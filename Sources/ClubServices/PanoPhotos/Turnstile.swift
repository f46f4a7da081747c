import FileStores
import Synchronization

/// Lets so many in at once; the others wait in the order in which they came. A whole photo in memory takes tens of
/// megabytes: only a few may be there at once, however many are asked for.
final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var next = 0
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for room, then runs `body`.
  /// - Throws: `cancelled`, when the task is cancelled while it waits; what `body` throws.
  func pass<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
    guard await enter() else { throw .cancelled("Waiting for a photo") }
    defer { leave() }
    return try await body()
  }

  /// How many wait.
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
