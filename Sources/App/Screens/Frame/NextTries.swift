internal import ClubServices
internal import FileStores

/// Growing pauses between tries after temporary errors. They end early when the store answers again.
public struct NextTries: Sendable {
  /// In seconds. A retrying store has tried five times before the first pause.
  private static let (first, longest) = (Int64(1), Int64(30))

  let connection: StoreConnection?
  let clock: any Clock<Duration>
  private var seconds = NextTries.first

  init(connection: StoreConnection?, clock: any Clock<Duration>) {
    self.connection = connection
    self.clock = clock
  }

  /// Runs `body` until it succeeds or fails for good. `failed` receives each failure; a temporary one carries the next
  /// pause as its `retryAfter`.
  func run(failed: (StoreError) -> Void, _ body: () async throws(StoreError) -> Void) async {
    var tries = self
    while true {
      do throws(StoreError) {
        return try await body()
      } catch {
        // A cancelled effect reports nothing: a newer one of its kind may be running.
        guard !Task.isCancelled else { return }
        guard error.isTemporary else { return failed(error) }
        failed(tries.announced(error))
        guard await tries.pause(atLeast: error.retryAfter) else { return }
      }
    }
  }

  mutating func begin() { seconds = NextTries.first }

  /// With the next pause as its `retryAfter`.
  func announced(_ error: StoreError) -> StoreError {
    StoreError(
      error.kind, error.message, remedy: error.remedy, path: error.path, retryAfter: next(atLeast: error.retryAfter),
      current: error.current)
  }

  /// Waits at least as long as the store asks for; false if the task was cancelled.
  mutating func pause(atLeast least: Duration?) async -> Bool {
    let pause = next(atLeast: least)
    seconds = min(seconds * 2, NextTries.longest)
    do {
      if let connection, least == nil {
        try await connection.pause(pause, clock: clock)
      } else {
        try await clock.sleep(for: pause)
      }
      return true
    } catch {
      return false
    }
  }

  private func next(atLeast least: Duration?) -> Duration { max(.seconds(seconds), least ?? .zero) }
}
