import Basics
import Dispatch
import POSIX
import Synchronization
import Testing

/// What becomes of a pool's threads.
@Suite struct BlockingPoolTests {
  /// Tells when the threads that were marked have ended: by the destructor of a thread's own value.
  private final class Ends: Sendable {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key) { pointer in
        guard let pointer else { return }
        Unmanaged<Ends>.fromOpaque(pointer).takeRetainedValue().ended.signal()
      }
      return key
    }()
    private let ended = DispatchSemaphore(value: 0)
    private let marked = Mutex(0)

    func markThisThread() {
      guard pthread_getspecific(Self.key) == nil else { return }
      marked.withLock { $0 += 1 }
      pthread_setspecific(Self.key, Unmanaged.passRetained(self).toOpaque())
    }

    /// Waits for the ends; returns how many threads have ended, nil when one is still there after minutes.
    func waitForAll() -> Int? {
      let count = marked.withLock { $0 }
      return (0..<count).allSatisfy { _ in ended.wait(timeout: .now() + 240) == .success } ? count : nil
    }
  }

  @Test func `threads end when their pool is gone`() async throws {
    let ends = Ends()
    var pool: BlockingPool? = BlockingPool(threads: 3)
    let meeting = Meeting(3)
    for _ in 0..<3 {
      pool?.submit {
        ends.markThisThread()
        meeting.meet()
      }
    }
    meeting.waitForAll()
    // Whether they sleep by now or are about to.
    _ = await pool?.run { 1 }
    pool = nil
    #expect(ends.waitForAll() == 3)
  }

  @Test func `what is in line when the pool is released still runs`() throws {
    let ends = Ends()
    let (marked, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = Mutex(0)
    do {
      let pool = BlockingPool(threads: 1)
      pool.submit {
        ends.markThisThread()
        marked.signal()
        gate.wait()
      }
      for _ in 0..<20 { pool.submit { count.withLock { $0 += 1 } } }
    }
    marked.wait()
    gate.signal()
    #expect(ends.waitForAll() == 1)
    #expect(count.withLock { $0 } == 20)
  }

  @Test func `a pool may be released by a job of its own`() throws {
    let ends = Ends()
    let (marked, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    do {
      let pool = BlockingPool(threads: 1)
      pool.submit {
        ends.markThisThread()
        marked.signal()
        gate.wait()
        withExtendedLifetime(pool) {}
      }
    }
    marked.wait()
    gate.signal()
    #expect(ends.waitForAll() == 1)
  }

  @Test func `a task goes on where it ran, and its threads end when it has`() async throws {
    let ends = Ends()
    let (started, resumed) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    var pool: BlockingPool? = BlockingPool(threads: 1)
    let task = Task(executorPreference: pool?.tasks) {
      ends.markThisThread()
      started.continuation.finish()
      for await _ in resumed.stream {}
      ends.markThisThread()
      return 7
    }
    for await _ in started.stream {}
    pool = nil
    resumed.continuation.finish()
    #expect(await task.value == 7)
    #expect(ends.waitForAll() != nil)
  }

  @Test("No job waits for ever, whoever falls asleep meanwhile", arguments: [1, 2, 4])
  func noLostWakeUps(threads: Int) async throws {
    let pool = BlockingPool(threads: threads)
    // One after the other: each finds threads asleep, or about to be.
    for number in 0..<5000 { #expect(await pool.run { number } == number) }
    // From several sides at once.
    let sum = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var sum = 0
          for number in 0..<2000 { sum += await pool.run { number } }
          return sum
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 4 * 1_999_000)
  }

  @Test("A pool runs every job, also far more than it has threads, and hands errors on")
  func pool() async throws {
    let pool = BlockingPool(threads: 3)
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...500 { group.addTask { await pool.run { number } } }
      return await group.reduce(0, +)
    }
    #expect(sum == 125_250)
    await #expect(throws: SystemError(code: EIO)) {
      try await pool.run { () throws(SystemError) in throw SystemError(code: EIO) }
    }
  }

  @Test("A pool uses its threads at the same time")
  func parallel() async {
    let pool = BlockingPool(threads: 2)
    let meeting = Meeting(2)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { await pool.run { meeting.meet() } } }
    }
  }
}

/// All must be there before any leaves.
private final class Meeting: Sendable {
  private let missing: Mutex<Int>
  private let all = DispatchSemaphore(value: 0)

  init(_ count: Int) { missing = Mutex(count) }

  func meet() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { all.signal() }
    waitForAll()
  }

  func waitForAll() {
    all.wait()
    all.signal()
  }
}
