/// Threads that tasks run on instead of Swift's own pool.
///
/// Swift's pool on Linux is libdispatch's, and as soon as that has had a worker thread, it looks after its pools once a
/// second for ever: a program that should sleep wakes up. These threads sleep until there is a job. Give them to each
/// task that is not part of another (`executorPreference`); child tasks and actors follow.
public final class TaskThreads: TaskExecutor {
  private let pool: BlockingPool

  /// At most `threads` threads.
  init(threads: Int) { pool = BlockingPool(threads: threads, tasks: false) }

  /// Puts a job at the end of the line.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
