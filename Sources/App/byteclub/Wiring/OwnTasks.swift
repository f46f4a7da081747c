import Basics
import CPlatform

/// The program's own threads run all Swift tasks.
/// Swift's pool on Linux is libdispatch's, which from its first worker on looks after its threads each second by a file
/// in /proc. Without a free descriptor for that file, it ends the program by SIGILL.
enum OwnTasks {
  private static let pool = BlockingPool(threads: 4)

  /// Called once, before there is a task.
  static func begin() {
    // Opens the timer's descriptor while some are free.
    _ = TimerThread.shared
    cp_take_tasks(
      { job in OwnTasks.run(UInt(bitPattern: job)) },
      { time, job in
        let job = UInt(bitPattern: job)
        TimerThread.shared.call(at: time) { OwnTasks.run(job) }
      })
  }

  /// - Parameter job: the address of the runtime's own object.
  private static func run(_ job: UInt) { pool.submit { cp_run_task(UnsafeMutableRawPointer(bitPattern: job)) } }
}
