internal import ClubServices
internal import FileStores

/// The pauses between tries of what fails for a while: growing, and ended early by a store that answers again.
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

  /// Runs `body` until it succeeds or fails for good. `failed` gets each failure; one that passes by itself has the
  /// pause before the next try as its `retryAfter`.
  static func run(
    connection: StoreConnection?, clock: any Clock<Duration>, failed: (StoreError) -> Void,
    _ body: () async throws(StoreError) -> Void
  ) async {
    var tries = NextTries(connection: connection, clock: clock)
    while true {
      do throws(StoreError) {
        return try await body()
      } catch {
        // A cancelled effect tells nothing: a newer one of its kind may be under way.
        guard !Task.isCancelled else { return }
        guard error.isTemporary else { return failed(error) }
        failed(tries.announced(error))
        guard await tries.pause(atLeast: error.retryAfter) else { return }
      }
    }
  }

  /// It went well: the next pause is short again.
  mutating func begin() { seconds = NextTries.first }

  /// The error with the next pause as its `retryAfter`.
  func announced(_ error: StoreError) -> StoreError {
    StoreError(
      error.kind, error.message, remedy: error.remedy, path: error.path, retryAfter: next(atLeast: error.retryAfter),
      current: error.current)
  }

  /// Waits until the next try, at least as long as the store asks for.
  /// - Returns: false when the task was cancelled meanwhile.
  mutating func pause(atLeast wish: Duration?) async -> Bool {
    let pause = next(atLeast: wish)
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

  private func next(atLeast wish: Duration?) -> Duration { max(.seconds(seconds), wish ?? .zero) }
}
