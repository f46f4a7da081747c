internal import Dispatch
internal import Synchronization

/// Threads for calls that block (file I/O, fsync, decoding), because Swift's own pool has only one thread a core.
/// Threads start when first needed, sleep when idle, and end when the pool is released and no job waits.
public final class BlockingPool: Sendable {
  private let line: Line
  private let limit: Int
  private let ownsLine: Bool
  /// The threads of tasks that wait for this pool; nil for Swift's own pool.
  public let tasks: TaskThreads?

  public convenience init(threads: Int = 4) { self.init(threads: threads, tasks: true) }

  init(threads: Int, tasks: Bool) {
    (line, limit, ownsLine) = (Line(), threads, true)
    self.tasks = tasks ? TaskThreads(threads: 2) : nil
  }

  private init(line: Line, ownsLine: Bool, tasks: TaskThreads?) {
    (self.line, limit, self.ownsLine, self.tasks) = (line, 1, ownsLine, tasks)
  }

  /// A pool with one thread for blocking jobs and for tasks, so that the order of all work follows from the calls. For
  /// simulations: a job that waits for a task would wait forever.
  package static func oneThread() -> BlockingPool {
    let line = Line()
    // The threads of tasks may outlive the pool.
    let tasks = TaskThreads(on: BlockingPool(line: line, ownsLine: true, tasks: nil))
    return BlockingPool(line: line, ownsLine: false, tasks: tasks)
  }

  /// The number of jobs that have not begun.
  package var waitingJobs: Int { line.count }

  deinit { if ownsLine { line.close() } }

  /// Runs `body` on one of the threads. Jobs start in the order of the calls. Cancelling the task does not stop `body`.
  public func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withUnsafeContinuation { continuation in
      submit { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  /// Runs `body` as `run` does, for work that others do not depend on. `report` gets an error.
  /// - Returns: nil after an error.
  @discardableResult
  public func run<Value: Sendable, Failure: Error>(
    reporting report: (Failure) -> Void, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Value? {
    do throws(Failure) {
      return try await run(body)
    } catch {
      report(error)
      return nil
    }
  }

  /// Runs `body` to its end on the threads of tasks, even if the calling task is cancelled.
  public func finishing<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Task(executorPreference: tasks) { await Result.catching(body) }.value.get()
  }

  public func submit(_ job: @escaping @Sendable () -> Void) { line.add(job, threads: limit) }

  private final class Line: Sendable {
    private struct State {
      var jobs: [@Sendable () -> Void] = []
      var head = 0
      var threads = 0
      /// Sleeping threads without a pending wake-up.
      var idle = 0
      var isClosed = false
    }

    private enum Next {
      case job(@Sendable () -> Void)
      case nothing, end
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void, threads limit: Int) {
      // A thread sleeps only after it has seen an empty queue under the lock, so a busy one takes the job.
      let (wakes, starts) = state.withLock { state in
        state.jobs.append(job)
        if state.idle > 0 {
          state.idle -= 1
          return (true, false)
        }
        guard state.threads < limit else { return (false, false) }
        state.threads += 1
        return (false, true)
      }
      if wakes { signal.signal() }
      if starts { startThread() }
    }

    var count: Int { state.withLock { $0.jobs.count - $0.head } }

    func close() {
      let asleep = state.withLock { state in
        state.isClosed = true
        defer { state.idle = 0 }
        return state.idle
      }
      for _ in 0..<asleep { signal.signal() }
    }

    private func next() -> Next {
      state.withLock { state in
        guard state.head < state.jobs.count else {
          if state.isClosed { return .end }
          state.idle += 1
          return .nothing
        }
        let job = state.jobs[state.head]
        state.head += 1
        if state.head == state.jobs.count {
          state.jobs.removeAll(keepingCapacity: true)
          state.head = 0
        }
        return .job(job)
      }
    }

    private func work() {
      while true {
        switch next() {
        case .job(let job): job()
        case .nothing: signal.wait()
        case .end: return
        }
      }
    }

    private func startThread() {
      if DetachedThread.start({ self.work() }) { return }
      // Without a new thread, an existing one takes the job later. Without any thread, the caller's does.
      let jobs = state.withLock { state in
        state.threads -= 1
        guard state.threads == 0 else { return [@Sendable () -> Void]() }
        defer { (state.jobs, state.head) = ([], 0) }
        return Array(state.jobs[state.head...])
      }
      for job in jobs { job() }
    }
  }
}

/// Threads that tasks run on instead of Swift's own pool. Give them to each task that is not part of another
/// (`executorPreference`); child tasks and actors follow.
///
/// Swift's pool on Linux is that of libdispatch, which wakes up every second forever once it has had a worker thread.
/// These threads sleep until there is a job.
public final class TaskThreads: TaskExecutor {
  private let pool: BlockingPool

  convenience init(threads: Int) { self.init(on: BlockingPool(threads: threads, tasks: false)) }

  init(on pool: BlockingPool) { self.pool = pool }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
