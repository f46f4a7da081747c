import Synchronization

/// Limits calls that take long, of each member and of all: long polls, each of which holds a connection for minutes, and
/// needs a cursor but no token; watches of those who are there; and searches of the club's pages.
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
    try begin(member)
    defer { end(member) }
    return try await body()
  }

  /// Counts a call until `end`.
  /// - Throws: the refusal if there are too many.
  func begin(_ member: String) throws(APIFailure) {
    let mayBegin = calls.withLock { calls in
      let count = calls[member, default: 0]
      guard count < mostOfMember, calls.values.reduce(0, +) < most else { return false }
      calls[member] = count + 1
      return true
    }
    guard mayBegin else { throw refusal }
  }

  func end(_ member: String) {
    calls.withLock { calls in
      let rest = calls[member, default: 1] - 1
      calls[member] = rest > 0 ? rest : nil
    }
  }
}
