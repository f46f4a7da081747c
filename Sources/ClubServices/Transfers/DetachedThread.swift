import Glibc

/// A thread for something that sleeps most of the time, such as a connection.
enum DetachedThread {
  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts one. False when there is none to be had.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let failed = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard failed == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
