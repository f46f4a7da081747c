import ClubServices
import FileStores
import Synchronization
import TestKit
import Testing

@Suite struct StoreConnectionTests {
  private let far = StoreError(.offline, "Far.")
  private let busy = StoreError(.rateLimited, "Too often.")

  private func state(after reports: [CallReport]) -> StoreConnection.State {
    let time = Mutex<Int64>(99)
    let connection = StoreConnection(
      now: {
        time.withLock { time in
          time += 1
          return time
        }
      })
    for report in reports { connection.observe(report) }
    return connection.state
  }

  @Test func `an outage has the time of its first failure and the reason of its last`() {
    let last = StoreError(.offline, "Farther.")
    #expect(state(after: []) == .unknown)
    #expect(state(after: [.asks]) == .unknown)
    #expect(state(after: [.answered]) == .online)
    #expect(state(after: [.answered, .waits(far, .seconds(1)), .asks, .failed(last)]) == .offline(since: 101, last))
    #expect(state(after: [.failed(far), .answered, .failed(far)]) == .offline(since: 102, far))
  }

  @Test func `a call that fails at a server that answers says nothing of the connection`() {
    let failure = StoreError(.server, "It failed.")
    #expect(state(after: [.answered, .waits(failure, .seconds(1)), .failed(failure)]) == .online)
    #expect(state(after: [.failed(failure)]) == .unknown)
  }

  @Test func `a store that asks for a pause has the moment at which it ends`() {
    #expect(state(after: [.waits(busy, .milliseconds(30_500))]) == .waiting(until: 130, busy))
    #expect(state(after: [.waits(busy, .seconds(Int64.max))]) == .waiting(until: .max, busy))
    #expect(state(after: [.waits(busy, .seconds(30)), .answered]) == .online)
  }

  @Test func `a listener is told the present state and each later one`() async {
    let connection = StoreConnection(now: { 7 })
    var states = connection.states().makeAsyncIterator()
    #expect(await states.next() == .unknown)
    connection.observe(.failed(far))
    #expect(await states.next() == .offline(since: 7, far))
    connection.observe(.failed(far))
    connection.observe(.answered)
    #expect(await states.next() == .online)
  }

  @Test func `a pause ends at its time, or when the store answers again`() async throws {
    let connection = StoreConnection(now: { 7 })
    let moving = ManualClock(advancesOnSleep: true)
    try await connection.pause(.seconds(9), clock: moving)
    #expect(moving.slept == [.seconds(9)])
    connection.observe(.failed(far))
    let still = ManualClock()
    async let paused: Void = connection.pause(.seconds(9), clock: still)
    await still.waitForSleepers()
    connection.observe(.answered)
    try await paused
  }

  @Test func `any answer ends a pause after a quarter of it`() async throws {
    let connection = StoreConnection(now: { 7 })
    connection.observe(.answered)
    let still = ManualClock()
    let isOver = Mutex(false)
    let task = Task {
      try await connection.pause(.seconds(8), clock: still)
      isOver.withLock { $0 = true }
    }
    await still.waitForSleepers()
    while still.dozing == 0 { await Task.yield() }
    connection.observe(.answered)
    still.advance(by: .seconds(1))
    #expect(!isOver.withLock { $0 })
    still.advance(by: .seconds(1))
    try await task.value
    #expect(isOver.withLock { $0 })
  }

  @Test func `answers and cancelled pauses never wait for each other`() async {
    let connection = StoreConnection(now: { 7 })
    let still = ManualClock()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2000 {
            connection.observe(.failed(StoreError(.offline, "No.")))
            connection.observe(.answered)
          }
        }
        group.addTask {
          for _ in 0..<500 {
            let pause = Task { try await connection.pause(.seconds(9), clock: still) }
            await Task.yield()
            pause.cancel()
            _ = await pause.result
          }
        }
      }
    }
    #expect(connection.state == .online)
  }

  @Test func `a pause that is cancelled says so`() async {
    let connection = StoreConnection(now: { 7 })
    let still = ManualClock()
    let task = Task { try await connection.pause(.seconds(9), clock: still) }
    await still.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
