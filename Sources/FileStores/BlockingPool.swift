internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads for calls that block (file I/O, fsync, decoding), so that Swift's own pool, which has one thread a core,
/// is never held up.
///
/// Threads start when first needed and wait without using the processor.
public final class BlockingPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var head = 0
    var threads = 0
    var idle = 0
  }

  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)
  private let limit: Int
  /// Where the tasks run that wait for this pool's work; nil for Swift's own pool.
  public let tasks: TaskThreads?

  /// A pool of at most `threads` threads.
  public convenience init(threads: Int = 4) { self.init(threads: threads, tasks: true) }

  init(threads: Int, tasks: Bool) {
    limit = threads
    self.tasks = tasks ? TaskThreads(threads: 2) : nil
  }

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
  public func submit(_ job: @escaping @Sendable () -> Void) {
    let start = state.withLock { state in
      state.jobs.append(job)
      guard state.idle < state.jobs.count - state.head, state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    if start { startThread() } else { signal.signal() }
  }

  private func work() {
    while true {
      let job: (@Sendable () -> Void)? = state.withLock { state in
        guard state.head < state.jobs.count else {
          state.idle += 1
          return nil
        }
        let job = state.jobs[state.head]
        state.head += 1
        if state.head == state.jobs.count {
          state.jobs.removeAll(keepingCapacity: true)
          state.head = 0
        }
        return job
      }
      if let job {
        job()
      } else {
        signal.wait()
        state.withLock { $0.idle -= 1 }
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
        Unmanaged<BlockingPool>.fromOpaque(pointer).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    guard failed != 0 else {
      pthread_detach(thread)
      return
    }
    // No thread to be had: the caller's thread does the work, late rather than never.
    box.release()
    let jobs = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else {
        // The threads that there are do it; one of them may be asleep.
        signal.signal()
        return [@Sendable () -> Void]()
      }
      defer { (state.jobs, state.head) = ([], 0) }
      return Array(state.jobs[state.head...])
    }
    for job in jobs { job() }
  }
}
