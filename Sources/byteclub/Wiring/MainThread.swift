import Dispatch
import FileStores
import Glibc
import Synchronization

/// Lets commands, which are synchronous and hold the main thread, wait for services, which are not.
enum MainThread {
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Runs `body` and waits for it. Ctrl-C, SIGTERM and SIGHUP cancel its task the first time and end the program with
  /// 130 the second time; when `isInterruptible` is false they are left to the program that has the terminal.
  static func run<Value: Sendable>(
    isInterruptible: Bool = true, on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> Value
  ) -> Value? {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    let task = Task(executorPreference: executor) {
      let value = await body()
      box.value.withLock { $0 = value }
      done.signal()
    }
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    let before = numbers.map { signal($0, SIG_IGN) }
    let sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        guard isInterruptible else { return }
        if task.isCancelled { _exit(ExitStatus.interrupted.rawValue) }
        task.cancel()
      }
      source.resume()
      return source
    }
    done.wait()
    for source in sources { source.cancel() }
    for (number, handler) in zip(numbers, before) { signal(number, handler) }
    return box.value.withLock { $0 }
  }
}
