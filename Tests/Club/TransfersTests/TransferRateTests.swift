import Testing
import Transfers

@Suite struct `A transfer's rate` {
  /// A steady stream of 1,000 bytes a second, reported every `step`.
  private func steady(seconds: Int, step: Duration = .milliseconds(100)) -> TransferRate {
    var rate = TransferRate(at: .zero)
    var now = Duration.zero
    while now < .seconds(seconds) {
      now += step
      rate.record(UInt64(now / .milliseconds(1)), at: now)
    }
    return rate
  }

  @Test(arguments: [Duration.milliseconds(20), .milliseconds(100), .seconds(1)])
  func `is that of a steady stream from the start`(step: Duration) throws {
    for seconds in [1, 5, 60] {
      let value = try #require(steady(seconds: seconds, step: step).bytesPerSecond(at: .seconds(seconds)))
      #expect(abs(value - 1000) < 1)
    }
  }

  @Test func `is not known before there is any`() {
    var rate = TransferRate(at: .seconds(7), bytes: 500)
    #expect(rate.bytesPerSecond(at: .seconds(7)) == nil)
    #expect(rate.bytesPerSecond(at: .seconds(9)) == nil)
    rate.record(500, at: .seconds(9))
    #expect(rate.bytesPerSecond(at: .seconds(9)) == nil)
    rate.record(600, at: .seconds(9))
    #expect(rate.bytesPerSecond(at: .seconds(9)) == 50)
  }

  @Test func `follows a change within some seconds`() throws {
    var rate = steady(seconds: 30)
    for tenth in 1...100 { rate.record(30_000 + UInt64(tenth) * 1000, at: .seconds(30) + .milliseconds(100 * tenth)) }
    let value = try #require(rate.bytesPerSecond(at: .seconds(40)))
    #expect(value > 8000 && value <= 10_000)
  }

  @Test func `falls while nothing comes`() throws {
    let rate = steady(seconds: 10)
    let values = try (0..<30).map { try #require(rate.bytesPerSecond(at: .seconds(10 + $0))) }
    #expect(values == values.sorted(by: >))
    #expect(values.allSatisfy { $0 >= 0 } && (values.last ?? 1000) < 10)
  }

  @Test func `starts over when the count does`() throws {
    var rate = steady(seconds: 10)
    rate.record(0, at: .seconds(11))
    #expect(rate.bytesPerSecond(at: .seconds(11)) == nil)
    rate.record(300, at: .seconds(14))
    let value = try #require(rate.bytesPerSecond(at: .seconds(14)))
    #expect(abs(value - 100) < 1)
  }

  @Test func `is never upset by a clock that goes back or stands`() throws {
    var rate = steady(seconds: 4)
    rate.record(5000, at: .seconds(2))
    rate.record(6000, at: .seconds(4))
    rate.record(7000, at: .seconds(5))
    let value = try #require(rate.bytesPerSecond(at: .seconds(1)))
    #expect(value > 1000 && value < 3001)
    #expect(rate.secondsLeft(of: 7000, at: .seconds(5)) == 0)
  }

  @Test func `gives the time left only when that says something`() {
    #expect(steady(seconds: 2).secondsLeft(of: 60_000, at: .seconds(2)) == nil)
    #expect(steady(seconds: 3).secondsLeft(of: 60_000, at: .seconds(3)) == 57)
    // A quarter is done: clear after a second.
    #expect(steady(seconds: 1).secondsLeft(of: 4000, at: .seconds(1)) == 3)
    #expect(steady(seconds: 9).secondsLeft(of: nil, at: .seconds(9)) == nil)
    #expect(steady(seconds: 9).secondsLeft(of: 9000, at: .seconds(9)) == 0)
    // A total that turns out to be too small.
    #expect(steady(seconds: 9).secondsLeft(of: 10, at: .seconds(9)) == 0)
    // Stalled.
    #expect(steady(seconds: 9).secondsLeft(of: 60_000, at: .seconds(20)) == nil)
    #expect(steady(seconds: 9).secondsLeft(of: .max, at: .seconds(9)) == nil)
  }
}
