import Glibc

/// Held by the one that renews a sign-in, among all processes of this machine. The system lets go of it when its holder
/// ends, however it ends. The file stays: to remove it would give two holders the lock.
struct TokenLock: Sendable {
  private let descriptor: Int32

  /// Owns an open file that is locked.
  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Lets the next one in. Once.
  func release() { close(descriptor) }
}
