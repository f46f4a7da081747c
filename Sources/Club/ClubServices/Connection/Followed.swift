import Synchronization

/// A value with followers. A follower may miss values in quick succession.
///
/// Values are sent outside of the lock, because a follower may run at once. Only one thread at a time sends, so the
/// newest value arrives last.
final class Followed<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var version = 0
    var isSending = false
    var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    var joined = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  var value: Value { state.withLock(\.value) }

  var followers: Int { state.withLock { $0.followers.count } }

  func change(_ next: (Value) -> Value?) {
    var round = state.withLock { state in
      guard let value = next(state.value) else { return nil as Round? }
      state.value = value
      state.version += 1
      guard !state.isSending else { return nil }
      state.isSending = true
      return Round(state)
    }
    while let sent = round {
      for follower in sent.followers { follower.yield(sent.value) }
      round = state.withLock { state in
        state.isSending = state.version != sent.version
        return state.isSending ? Round(state) : nil
      }
    }
  }

  func values(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let number = state.withLock { state in
      state.joined += 1
      state.followers[state.joined] = continuation
      continuation.yield(state.value)
      return state.joined
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return stream
  }

  private func leave(_ number: Int) { state.withLock { _ = $0.followers.removeValue(forKey: number) } }

  private struct Round {
    let value: Value
    let version: Int
    let followers: [AsyncStream<Value>.Continuation]

    init(_ state: State) {
      (value, version) = (state.value, state.version)
      followers = Array(state.followers.values)
    }
  }
}
