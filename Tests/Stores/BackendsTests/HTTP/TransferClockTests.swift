import Testing

@testable import Backends

@Suite("The clock of a transfer")
struct TransferClockTests {
  private let start = ContinuousClock.now

  private func clock(idle: Int = 30, whole: Duration? = nil) -> TransferClock {
    var clock = TransferClock(HTTPTimeouts(idle: .seconds(idle), whole: whole), start: start)
    clock.touch(start)
    return clock
  }

  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func `A byte a second is given up after two silences' time`() {
    var clock = clock()
    for second in 1..<60 {
      clock.count(1, after(second))
      #expect(clock.expiry(at: after(second), isOurs: false) == nil)
    }
    #expect(clock.next(after: after(59), isOurs: false) == after(60))
    #expect(clock.expiry(at: after(60), isOurs: false) == .slow(.seconds(60)))
  }

  @Test func `An answer that trickles for hours goes on, until it is silent`() {
    var timeouts = HTTPTimeouts(idle: .seconds(50))
    timeouts.isTrickle = true
    var clock = TransferClock(timeouts, start: start)
    for second in stride(from: 0, through: 7200, by: 20) {
      clock.count(1, after(second))
      #expect(clock.expiry(at: after(second), isOurs: false) == nil)
      #expect(clock.next(after: after(second), isOurs: false) == after(second + 50))
    }
    #expect(clock.expiry(at: after(7250), isOurs: false) == .idle(.seconds(50)))
  }

  @Test func `A line of 2 KiB a second goes on, also when sixteen share it`() {
    for rate in [2048, 128] {
      var clock = clock()
      for second in 1...7200 {
        clock.count(rate, after(second))
        #expect(clock.expiry(at: after(second), isOurs: false) == nil)
      }
    }
  }

  @Test func `A silence of thirty seconds expires as a silence`() {
    var clock = clock()
    clock.count(10_000, after(10))
    #expect(clock.expiry(at: after(39), isOurs: false) == nil)
    #expect(clock.expiry(at: after(40), isOurs: false) == .idle(.seconds(30)))
  }

  @Test func `Nothing is counted while we hold things up`() {
    var clock = clock()
    #expect(clock.expiry(at: after(300), isOurs: true) == nil)
    clock.goOn(after(300))
    clock.count(1, after(329))
    #expect(clock.expiry(at: after(330), isOurs: false) == nil)
    clock.count(1, after(358))
    #expect(clock.expiry(at: after(360), isOurs: false) == .slow(.seconds(60)))
  }

  @Test func `A long poll may bring a few bytes in ten minutes`() {
    let options = HTTPOptions(origins: [])
    let timeouts = options.timeouts(for: HTTPRequest(.post, "https://h", kind: .longPoll))
    var clock = TransferClock(timeouts, start: start)
    clock.touch(start)
    clock.count(1, after(300))
    #expect(clock.expiry(at: after(600), isOurs: false) == nil)
  }
}
