import Basics

/// The turns of slow secrets (`Scrypt`), one at a time over all clubs, because each takes memory and a good part of a
/// second. Of one network only one caller waits in line, and the others behind it: whoever asks much waits for itself.
final class GuessTurns: Sendable {
  private static let turn = "turn"
  private let locks = KeyedLocks()

  /// The callers in line, without the one whose turn it is.
  var waiting: Int { locks.waiting(for: GuessTurns.turn) }

  /// For a check of a secret. It gives its place up when its task is cancelled.
  /// - Parameter peer: the caller's address.
  func with<Value>(_ peer: String, _ body: () async throws -> Value) async throws -> Value {
    try await locks.reading("of " + ClientAddress(peer).network) {
      try await locks.reading(GuessTurns.turn) { try await body() }
    }
  }

  /// For a member who sets a secret.
  func setting<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    try await locks.with("of members") { () throws(Failure) in
      try await locks.with(GuessTurns.turn) { () throws(Failure) in try await body() }
    }
  }
}
