import Glibc
import HummingbirdCore

/// How many files and connections the process may have open at once.
public enum DescriptorLimit {
  /// What the server's own files, threads and watches take.
  static let reserved = 64
  /// What a connection takes at most: itself, and the files of an upload or download.
  static let perConnection = 3

  /// Raises the limit as far as the system lets this process, and as far as is of use.
  /// - Returns: what it is then.
  @discardableResult
  public static func raise(to wanted: UInt = 8192) -> UInt {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    if limit.rlim_cur < wanted {
      var higher = limit
      higher.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &higher) == 0 { limit = higher }
    }
    return limit.rlim_cur
  }

  /// The most connections that fit into a limit.
  public static func connections(within limit: UInt) -> Int {
    let limit = Int(clamping: limit)
    return max(4, (limit - min(reserved, limit / 2)) / perConnection)
  }

  /// Whether some descriptors are left.
  static func isRoomLeft() -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
    // The lowest free number is given out first: when none near the limit is free, few are.
    let high = Int32(clamping: limit.rlim_cur) - 16
    guard high > 0 else { return true }
    let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, high)
    if copy >= 0 { close(copy) }
    return copy >= 0 || errno != EMFILE
  }
}

/// Takes connections up to a number, and none while the process is out of descriptors: to accept one would fail again and
/// again. It goes on when a connection closes.
struct AvailableConnections: AvailableConnectionsDelegate {
  let most: Int
  private var count = 0

  init(most: Int) { self.most = most }

  mutating func connectionOpened() { count += 1 }

  mutating func connectionClosed() { count -= 1 }

  func isAcceptingNewConnections() -> Bool { count < most && (count == 0 || DescriptorLimit.isRoomLeft()) }
}
