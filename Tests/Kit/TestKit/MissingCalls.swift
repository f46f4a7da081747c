internal import CVTerm
internal import POSIX
internal import Synchronization

/// Kernel calls that older kernels and other file systems lack. A test can remove them from a process.
public struct MissingCalls: OptionSet, Sendable {
  public struct Failure: Error {
    public let code: Int32
  }

  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// openat2(2), which Linux has since 5.6: `ENOSYS`.
  public static let openat2 = MissingCalls(rawValue: 1)
  /// openat2(2), refused by seccomp profiles older than the call: `EPERM`.
  public static let refusedOpenat2 = MissingCalls(rawValue: 4)
  /// The flags of renameat2(2), which many file systems lack: `EINVAL`.
  public static let renameFlags = MissingCalls(rawValue: 2)
  /// inotify(7): `ENOSYS`.
  public static let inotify = MissingCalls(rawValue: 8)

  /// The calls that this process does without: by `takeAway`, or by the variable `TEST_WITHOUT`.
  public static var ofThisProcess: MissingCalls { taken.withLock { $0 } }
  private static let taken = Mutex(
    MissingCalls(named: getenv("TEST_WITHOUT").map { String(cString: $0) } ?? ""))

  /// Names that `refuse.c` knows: with others the run has ended before.
  private init(named names: String) {
    let calls: [Substring: MissingCalls] = ["openat2": .openat2, "renameat2": .renameFlags, "inotify": .inotify]
    self.init(names.split(separator: ",").compactMap { calls[$0] })
  }

  /// True if `takeAway` works on this system (it needs seccomp filters).
  public static var canBeTakenAway: Bool { cvt_can_refuse() }

  /// Removes the calls from this process for good: only for processes made for one test. Returns after a check that
  /// they fail.
  public func takeAway() throws(Failure) {
    var calls = 0
    if !isDisjoint(with: [.openat2, .refusedOpenat2]) { calls |= CVT_OPENAT2 }
    if contains(.renameFlags) { calls |= CVT_RENAME_FLAGS }
    if contains(.inotify) { calls |= CVT_INOTIFY }
    let code = cvt_refuse(UInt32(calls), contains(.refusedOpenat2) ? EPERM : ENOSYS)
    if code != 0 { throw Failure(code: code) }
    MissingCalls.taken.withLock { $0.formUnion(self) }
  }
}
