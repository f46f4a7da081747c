internal import Glibc

/// A thread of its own for work that never ends.
enum DetachedThread {
  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread. Without one to be had, nothing runs.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.release() }
  }
}
