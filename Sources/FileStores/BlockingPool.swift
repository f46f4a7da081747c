internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads for calls that block (file I/O, fsync, decoding), so that Swift's own pool, which has one thread a core,
/// is never held up.
///
/// Threads start when first needed, wait without using the processor, and end when the pool is released and nothing is
/// in line any more.
public final class BlockingPool: Sendable {
  private let line = Line()
  private let limit: Int
  /// Where the tasks run that wait for this pool's work; nil for Swift's own pool.
  public let tasks: TaskThreads?

  /// A pool of at most `threads` threads.
  public convenience init(threads: Int = 4) { self.init(threads: threads, tasks: true) }

  init(threads: Int, tasks: Bool) {
    limit = threads
    self.tasks = tasks ? TaskThreads(threads: 2) : nil
  }

  /// What was submitted still runs.
  deinit { line.close() }

  /// Runs `body` on one of the threads and returns what it returns. Jobs start in the order of the calls.
  /// Cancellation is not looked at: `body` runs whole.
  public func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withUnsafeContinuation { continuation in
      submit {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Runs `job` on one of the threads, without waiting for it.
  public func submit(_ job: @escaping @Sendable () -> Void) { line.add(job, threads: limit) }

  /// What the threads share, and all that they hold: never the pool itself.
  private final class Line: Sendable {
    private struct State {
      var jobs: [@Sendable () -> Void] = []
      var head = 0
      var threads = 0
      /// Threads that sleep and that nobody has woken yet.
      var idle = 0
      var isClosed = false
    }

    /// What a thread that looks for work finds.
    private enum Next {
      case job(@Sendable () -> Void)
      case nothing, end
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void, threads limit: Int) {
      // A thread falls asleep only when it has seen, under the lock, that nothing is in line: where all are busy, one
      // of them takes the job.
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
      var thread = pthread_t()
      let box = Unmanaged.passRetained(self)
      let failed = pthread_create(
        &thread, nil,
        { pointer in
          guard let pointer else { return nil }
          Unmanaged<Line>.fromOpaque(pointer).takeRetainedValue().work()
          return nil
        }, box.toOpaque())
      guard failed != 0 else {
        pthread_detach(thread)
        return
      }
      // No thread to be had: those that there are do it when they are through with their jobs. Where there is none, the
      // caller's thread does the work, late rather than never.
      box.release()
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
