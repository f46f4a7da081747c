import Synchronization

/// Limits long polls. Each holds a connection for minutes, and needs a cursor but no token.
final class LongPolls: Sendable {
  private let mostOfMember: Int
  private let most: Int
  private let running = Mutex<[String: Int]>([:])

  init(perMember: Int, all: Int) { (mostOfMember, most) = (perMember, all) }

  var waiting: Int { running.withLock { $0.values.reduce(0, +) } }

  /// - Throws: 429 if too many run; errors of `body`.
  func with<Value>(_ member: String, _ body: () async throws -> Value) async throws -> Value {
    let mayWait = running.withLock { running in
      let count = running[member, default: 0]
      guard count < mostOfMember, running.values.reduce(0, +) < most else { return false }
      running[member] = count + 1
      return true
    }
    guard mayWait else { throw APIFailure.tooMany(retryAfter: 30) }
    defer {
      running.withLock { running in
        let rest = running[member, default: 1] - 1
        running[member] = rest > 0 ? rest : nil
      }
    }
    return try await body()
  }
}
