import POSIX
import Synchronization

/// The limit of open files and connections of this process (getrlimit(2)).
package enum DescriptorLimit {
  private static let most: rlim_t = 65_536
  private static let first = Mutex<rlim_t?>(nil)

  /// Raises the limit as far as possible and useful. Returns the new limit.
  @discardableResult
  package static func raise() -> UInt {
    guard let limit = current() else { return 1024 }
    let wanted = min(most, limit.rlim_max)
    guard limit.rlim_cur < wanted, set(wanted, of: limit) else { return UInt(limit.rlim_cur) }
    first.withLock { $0 = $0 ?? limit.rlim_cur }
    return UInt(wanted)
  }

  /// The limit for other programs; nil for the present one. Programs with select(2) take no descriptor above 1,024.
  package static var ofPrograms: UInt? { first.withLock { $0.map(UInt.init) } }

  /// Runs `start` with the limit that this process began with.
  package static func lowered<Value>(_ start: () -> Value) -> Value {
    first.withLock { first in
      guard let first, let limit = current(), first < limit.rlim_cur, set(first, of: limit) else { return start() }
      defer { _ = set(limit.rlim_cur, of: limit) }
      return start()
    }
  }

  package static func now() -> UInt? { current().map { UInt($0.rlim_cur) } }

  private static func current() -> rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }

  private static func set(_ soft: rlim_t, of limit: rlimit) -> Bool {
    var limit = limit
    limit.rlim_cur = soft
    return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  }
}
