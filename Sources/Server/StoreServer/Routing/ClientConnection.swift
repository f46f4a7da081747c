import NIOCore

/// The connection of a request.
struct ClientConnection: Sendable {
  let channel: any Channel
  let shares: ConnectionShares
  let visitors: Visitors

  /// Marks it as a member's.
  func vouch() { shares.know(channel) }

  /// Marks it as a member's while `body` waits for changes.
  func polling<Value>(_ body: () async throws -> Value) async throws -> Value {
    let id = ObjectIdentifier(channel)
    shares.notePolls(id, 1)
    defer { shares.notePolls(id, -1) }
    return try await body()
  }
}

extension Call {
  func vouch() { connection?.vouch() }

  /// Waits for changes, as one of the member's long polls.
  /// - Throws: 429 if too many wait; errors of `body`.
  func polling<Value>(for member: String, _ body: () async throws -> Value) async throws -> Value {
    try await club.longPolls.with(member) {
      guard let connection else { return try await body() }
      return try await connection.polling(body)
    }
  }

  /// Does work for a client, and gives it up when the client has gone.
  /// - Throws: `CancellationError` then; errors of `body`.
  func whileThere<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    guard let connection else { return try await body() }
    return try await connection.visitors.whileThere(connection.channel, body)
  }
}
