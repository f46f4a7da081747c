internal import Basics
internal import FileStores

/// Runs `end` after `body`, whatever happens.
func always<Value>(
  _ end: () async throws(StoreError) -> Void, after body: () async throws(StoreError) -> Value
) async throws(StoreError) -> Value {
  let result = await Result.catching(body)
  try await end()
  return try result.get()
}

extension Clock<Duration> {
  /// Sleeps.
  /// - Throws: `cancelled`.
  func rest(_ time: Duration, _ what: String, _ path: StorePath) async throws(StoreError) {
    do { try await sleep(for: time) } catch { throw .cancelled(what, path: path) }
  }
}

/// Repeats single requests of a work that has begun.
///
/// A write is several requests. A caller that began it anew after a lost answer would find its own half in the way. So each
/// step is repeated by itself, and the store recognises what an earlier try has done. The first request of a work is not
/// repeated here: an absent server shows at once, and the caller decides.
struct SteadySteps: Sendable {
  /// 13 seconds of pauses in all.
  private static let policy = RetryPolicy(attempts: 8, firstPause: .milliseconds(250), longestPause: .seconds(5))

  let clock: any Clock<Duration>

  /// Repeats a step after temporary errors.
  /// - Parameters:
  ///   - isBeginning: true for the first request of a work.
  ///   - isFinal: true if the error is not the server's.
  func callAsFunction<Value>(
    isBeginning: Bool = false, isFinal: () -> Bool = { false }, _ step: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var next = 2
    while true {
      do throws(StoreError) {
        return try await step()
      } catch {
        guard !isBeginning, !isFinal(),
          let pause = SteadySteps.policy.pause(before: next, after: error, draw: 0.5)
        else { throw error }
        next += 1
        try await clock.rest(pause, "The work on the club", .root)
      }
    }
  }
}
