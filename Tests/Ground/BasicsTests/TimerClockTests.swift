import Basics
import Testing

/// Sleeps by the program's own timer.
@Suite(.timeLimit(.minutes(5))) struct TimerClockTests {
  @Test func `sleepers wake when their times have come, whoever began first`() async throws {
    let start = ContinuousClock.now
    // at any pace: it is cancelled.
    let longest = Task { try await TimerClock().sleep(for: .seconds(3600)) }
    let sleepers = [3, 1, 2].map { number in
      Task {
        // at any pace: it may wake late, and not early.
        try await TimerClock().sleep(for: .milliseconds(50 * number))
        return ContinuousClock.now - start >= .milliseconds(50 * number)
      }
    }
    for sleeper in sleepers { #expect(try await sleeper.value, "woken too early") }
    longest.cancel()
    await #expect(throws: CancellationError.self, "the longest sleeps on") { try await longest.value }
  }

  @Test func `a cancelled task does not sleep on`() async {
    // at any pace: it is cancelled.
    let sleeping = Task { try await TimerClock().sleep(for: .seconds(3600)) }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }

  @Test func `a time in the past is no sleep`() async throws {
    let clock = TimerClock()
    try await clock.sleep(until: clock.now - .seconds(5), tolerance: nil)
  }
}
