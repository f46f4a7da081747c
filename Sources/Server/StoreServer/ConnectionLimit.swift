import Basics
import POSIX
import HummingbirdCore

public enum ConnectionLimit {
  /// Descriptors for the server's own files, threads and watches.
  static let reserved = 64
  /// The most descriptors of a connection: its socket and the files of an upload or download.
  static let perConnection = 3

  /// The most connections that fit into this many descriptors.
  public static func connections(within limit: UInt) -> Int {
    let limit = Int(clamping: limit)
    return max(4, (limit - min(reserved, limit / 2)) / perConnection)
  }

  static func isRoomLeft() -> Bool {
    guard let limit = DescriptorLimit.now() else { return true }
    // The kernel hands out the lowest free number. If no number near the limit is free, few are left.
    let high = Int32(clamping: min(limit, 65_536)) - 16
    guard high > 0 else { return true }
    let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, high)
    if copy >= 0 { close(copy) }
    return copy >= 0 || errno != EMFILE
  }
}

/// Stops accepting at a limit, or while descriptors are out and each accept would fail, until a connection closes.
struct AvailableConnections: AvailableConnectionsDelegate {
  let most: Int
  private var count = 0

  init(most: Int) { self.most = most }

  mutating func connectionOpened() { count += 1 }

  mutating func connectionClosed() { count -= 1 }

  func isAcceptingNewConnections() -> Bool { count < most && (count == 0 || ConnectionLimit.isRoomLeft()) }
}
