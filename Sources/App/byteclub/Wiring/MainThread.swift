import Basics
import CPlatform
import Dispatch
import POSIX
import Synchronization

/// Lets synchronous commands on the main thread wait for asynchronous services.
enum MainThread {
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private static let listener = BlockingPool(threads: 1)
  /// The longest time of a write to standard output or error after a first signal.
  private static let stuckMilliseconds: Int32 = 1000

  /// Runs `body` and waits for it. The first Ctrl-C, SIGTERM or SIGHUP cancels its task; the second ends the program
  /// with 130, as does the first if nobody reads the program's output. Without `isInterruptible` the task is not
  /// cancelled, because another program has the terminal.
  static func run<Value: Sendable>(
    isInterruptible: Bool = true, on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> Value
  ) -> Value? {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    cp_signals_catch(numbers, Int32(numbers.count))
    let task = Task(executorPreference: executor) {
      let value = await body()
      box.value.withLock { $0 = value }
      done.signal()
    }
    let heard = DispatchSemaphore(value: 0)
    listener.submit {
      listen { if isInterruptible { task.cancel() } }
      heard.signal()
    }
    done.wait()
    cp_signals_leave()
    heard.wait()
    return box.value.withLock { $0 }

    @Sendable func listen(_ cancel: () -> Void) {
      var stuck: Int?
      while true {
        switch cp_signals_wait(stuck == nil ? -1 : stuckMilliseconds) {
        case Int32(CP_SIGNALS_END): return
        case Int32(CP_SIGNALS_TIMEOUT):
          let write = Output.writeUnderWay
          if write != 0, write == stuck { _exit(ExitStatus.interrupted.rawValue) }
          stuck = write
        default:
          if stuck != nil { _exit(ExitStatus.interrupted.rawValue) }
          cancel()
          stuck = Output.writeUnderWay
        }
      }
    }
  }
}
