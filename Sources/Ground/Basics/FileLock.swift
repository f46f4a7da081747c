internal import POSIX

/// A lock on an open file or folder (`flock(2)`) among all processes of this machine. The system releases it with its
/// last descriptor, however the process ends.
public enum FileLock {
  /// Takes the lock. Blocks at most for the time, and tries every 1 to 10 ms.
  /// - Parameter isShared: true to allow others that share it, too.
  /// - Returns: false if another descriptor still has it.
  /// - Throws: if the file cannot be locked, as on some network file systems.
  public static func take(
    _ descriptor: Int32, isShared: Bool = false, waiting time: Duration = .zero
  ) throws(SystemError) -> Bool {
    let end = ContinuousClock.now + time
    var pause: UInt32 = 1000
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK where ContinuousClock.now < end:
        usleep(pause)
        pause = min(2 * pause, 10_000)
      case EWOULDBLOCK: return false
      case let code: throw SystemError(code: code)
      }
    }
    return true
  }

  public static func release(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }
}
