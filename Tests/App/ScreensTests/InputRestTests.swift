import TestKit
import Testing

@testable import TextUI

/// Long work waits while the member types.
@Suite struct InputRestTests {
  private let input = InputTurns()
  private let clock = ManualClock()

  @Test func `without input, work goes on at once`() async {
    var rest = input.rest(on: clock)
    input.came()
    var later = input.rest(on: clock)
    await later.wait()
    #expect(clock.slept.isEmpty)
    clock.advance(by: .seconds(1))
    let waiting = Task { await rest.wait() }
    await clock.waitForSleepers()
    clock.advance(by: InputRest.length)
    await waiting.value
    #expect(clock.slept == [InputRest.length])
  }

  @Test func `each key puts work off, and the next piece does not wait for the same keys`() async {
    let waiting = Task { [input, clock] in
      var rest = input.rest(on: clock)
      input.came()
      await rest.wait()
      let slept = clock.slept.count
      await rest.wait()
      return (slept, clock.slept.count)
    }
    await clock.waitForSleepers()
    for _ in 0..<3 {
      input.came()
      clock.advance(by: InputRest.length)
      await clock.waitForSleepers()
    }
    clock.advance(by: InputRest.length)
    #expect(await waiting.value == (4, 4))
  }

  @Test func `work that is cancelled waits no longer`() async {
    let waiting = Task { [input, clock] in
      var rest = input.rest(on: clock)
      input.came()
      await rest.wait()
    }
    await clock.waitForSleepers()
    waiting.cancel()
    await waiting.value
    #expect(clock.slept.count == 1)
  }
}
