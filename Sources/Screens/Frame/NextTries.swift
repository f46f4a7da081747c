internal import ClubServices

/// The pauses between tries of what fails for a while: growing, and ended at once by a store that answers again.
struct NextTries: Sendable {
  /// The first pause, in seconds, and the longest. A retrying store has tried five times by then.
  private static let (first, longest) = (Int64(1), Int64(30))

  let connection: StoreConnection?
  let clock: any Clock<Duration>
  private var seconds = NextTries.first

  init(connection: StoreConnection?, clock: any Clock<Duration>) {
    self.connection = connection
    self.clock = clock
  }

  /// It went well: the next pause is short again.
  mutating func begin() { seconds = NextTries.first }

  /// Waits until the next try, at least as long as the store asks for.
  /// - Returns: false when the task was cancelled meanwhile.
  mutating func pause(atLeast wish: Duration?) async -> Bool {
    let pause = max(.seconds(seconds), wish ?? .zero)
    seconds = min(seconds * 2, NextTries.longest)
    do {
      if let connection, wish == nil {
        try await connection.pause(pause, clock: clock)
      } else {
        try await clock.sleep(for: pause)
      }
      return true
    } catch {
      return false
    }
  }
}
