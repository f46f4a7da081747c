internal import CVTerm
internal import Glibc

/// Kernel calls that older kernels and other file systems lack: a process can do without them, for a test.
public struct MissingCalls: OptionSet, Sendable {
  /// Why a process could not be made to do without.
  public struct Failure: Error {
    /// The error number.
    public let code: Int32
  }

  /// The bits.
  public let rawValue: Int
  /// From bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// openat2(2), which Linux has since 5.6: `ENOSYS`.
  public static let openat2 = MissingCalls(rawValue: 1)
  /// openat2(2), which seccomp profiles that are older than it refuse: `EPERM`.
  public static let refusedOpenat2 = MissingCalls(rawValue: 4)
  /// The flags of renameat2(2), which many file systems lack: `EINVAL`.
  public static let renameFlags = MissingCalls(rawValue: 2)

  /// Whether `takeAway` can work on this system (it needs seccomp filters).
  public static var canBeTakenAway: Bool { cvt_can_refuse() }

  /// From now on this process does not have them, for good: for processes that are made for one test.
  /// When this returns, that has been tried.
  public func takeAway() throws(Failure) {
    let error = contains(.openat2) ? ENOSYS : contains(.refusedOpenat2) ? EPERM : 0
    let code = cvt_refuse(error, contains(.renameFlags))
    if code != 0 { throw Failure(code: code) }
  }
}
