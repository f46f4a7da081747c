import Basics
import CPlatform
import POSIX
import Synchronization

/// Lets synchronous commands on the main thread wait for asynchronous services.
enum MainThread {
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// The longest time of a write to standard output or error after a first signal.
  private static let stuckMilliseconds: Int32 = 1000

  /// Runs `body` and waits for it and for signals, which need no thread of their own. The first Ctrl-C, SIGTERM or SIGHUP
  /// cancels its task; the second ends the program with 130, as does the first if nobody reads the program's output. While
  /// an editor has the terminal, Ctrl-C is the editor's, and the task is not cancelled.
  static func run<Value: Sendable>(
    on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> Value
  ) -> Value? {
    let box = Box<Value>()
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    cp_signals_catch(numbers, Int32(numbers.count))
    let task = Task(executorPreference: executor) {
      let value = await body()
      box.value.withLock { $0 = value }
      cp_signals_leave()
    }
    listen { task.cancel() }
    return box.value.withLock { $0 }
  }

  /// Hears signals until `cp_signals_leave`.
  private static func listen(_ cancel: () -> Void) {
    var stuck: Int?
    while true {
      switch cp_signals_wait(stuck == nil ? -1 : stuckMilliseconds) {
      case Int32(CP_SIGNALS_END): return
      case Int32(CP_SIGNALS_TIMEOUT):
        let write = Output.writeUnderWay
        if write != 0, write == stuck { _exit(ExitStatus.interrupted.rawValue) }
        stuck = write
      case SIGINT where EditorProcess.hasTerminal: continue
      default:
        if stuck != nil { _exit(ExitStatus.interrupted.rawValue) }
        cancel()
        stuck = Output.writeUnderWay
      }
    }
  }
}
