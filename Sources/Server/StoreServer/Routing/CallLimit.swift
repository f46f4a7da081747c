import Synchronization

/// Limits calls that take long, of each member and of all: long polls, each of which holds a connection for minutes, and
/// needs a cursor but no token; and searches of the club's pages.
final class CallLimit: Sendable {
  private let mostOfMember: Int
  private let most: Int
  private let refusal: APIFailure
  private let calls = Mutex<[String: Int]>([:])

  init(perMember: Int, all: Int, else refusal: APIFailure) {
    (mostOfMember, most, self.refusal) = (perMember, all, refusal)
  }

  /// The calls that have begun and not ended.
  var count: Int { calls.withLock { $0.values.reduce(0, +) } }

  /// - Throws: the refusal if there are too many; errors of `body`.
  func with<Value>(_ member: String, _ body: () async throws -> Value) async throws -> Value {
    let mayBegin = calls.withLock { calls in
      let count = calls[member, default: 0]
      guard count < mostOfMember, calls.values.reduce(0, +) < most else { return false }
      calls[member] = count + 1
      return true
    }
    guard mayBegin else { throw refusal }
    defer {
      calls.withLock { calls in
        let rest = calls[member, default: 1] - 1
        calls[member] = rest > 0 ? rest : nil
      }
    }
    return try await body()
  }
}
