internal import POSIX

/// A thread for work that waits most of the time and often has no end.
public enum DetachedThread {
  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread.
  /// - Parameter blocksSignals: blocks every signal in the thread. Signals then go to the other threads, and a write to
  ///   a closed connection raises no SIGPIPE.
  /// - Returns: false if the system has no thread left; then `body` is not called.
  @discardableResult
  public static func start(blocksSignals: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    var before = sigset_t()
    if blocksSignals {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &before)
    }
    let code = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    if blocksSignals { pthread_sigmask(SIG_SETMASK, &before, nil) }
    guard code == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
