public import Basics
internal import Database
public import FileStores

/// An address that gets the events of the served clubs, in batches.
public struct EventHook: Sendable {
  /// Sends a body with header fields, and returns the status of the answer.
  public typealias Post =
    @Sendable (_ body: [UInt8], _ headers: [(String, String)]) async throws(StoreError) -> Int

  /// The longest wait for an answer.
  static let longestAnswer = Duration.seconds(30)
  private static let retries = RetryPolicy(attempts: .max, firstPause: .seconds(10), longestPause: .seconds(3600))
  private static let leastKeyBytes = 16

  private let key: [UInt8]
  private let post: Post
  let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  let now: @Sendable () -> Int64
  private let start = ContinuousClock.Instant.now

  /// - Parameters:
  ///   - key: for the signatures; its owner gives it to the receiver.
  ///   - now: seconds since 1970.
  /// - Throws: `badInput` for a short key.
  public init(
    key: [UInt8], clock: any Clock<Duration> = TimerClock(), now: (@Sendable () -> Int64)? = nil,
    post: @escaping Post
  ) throws(StoreError) {
    guard key.count >= EventHook.leastKeyBytes else {
      throw StoreError(
        .badInput, "The key of the hook has less than \(EventHook.leastKeyBytes) characters.",
        remedy: "Make a new one, such as with: openssl rand -hex 32")
    }
    (self.key, self.post, self.now) = (key, post, now ?? { ServerOptions.now() })
    (self.clock, elapsed) = (clock, clock.stopwatch())
  }

  /// The time of the hook's clock, as batches count it.
  var instant: ContinuousClock.Instant { start.advanced(by: elapsed()) }

  /// Sends a batch once.
  /// - Throws: `offline` without an answer in time; `server` for any status but 2xx, so also for a redirect.
  func deliver(_ batch: ServerHookDatabase.Batch) async throws(StoreError) {
    let body = Array(batch.body.utf8)
    let headers = [
      ("Content-Type", "application/json"), ("X-Byteclub-Delivery", batch.id),
      ("X-Byteclub-Signature", signature(of: batch.body)),
    ]
    let answer: Result<Int, StoreError>? = await withTaskGroup(of: Result<Int, StoreError>?.self) { group in
      group.addTask { await Result.catching { () throws(StoreError) in try await post(body, headers) } }
      group.addTask {
        // A cancelled sleep is an answer in time. Nothing but a limit depends on it.
        try? await clock.sleep(for: EventHook.longestAnswer, tolerance: .milliseconds(100))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    guard let answer else {
      throw StoreError(.offline, "It did not answer within \(EventHook.longestAnswer.components.seconds) seconds.")
    }
    let status = try answer.get()
    guard (200...299).contains(status) else {
      throw StoreError(.server, "It answered with status \(status).")
    }
  }

  /// `t` is the time of the try, `v1` the HMAC-SHA256 over the time, a dot and the body.
  func signature(of body: String) -> String {
    let time = now()
    return "t=\(time),v1=\(SHA256.hexadecimal(HMAC.sha256("\(time).\(body)", key: key)))"
  }

  /// The pause after so many failures in a row; the longest for an error that waiting does not mend.
  func pause(after error: StoreError, failures: Int) -> Duration {
    EventHook.retries.pause(after: error, failures: min(failures, 30), draw: .random(in: 0..<1))
      ?? EventHook.retries.longestPause
  }
}
