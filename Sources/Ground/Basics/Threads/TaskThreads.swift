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
