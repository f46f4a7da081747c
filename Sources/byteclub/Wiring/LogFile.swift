import Database
import Glibc
import Synchronization

/// A log that begins anew when it has grown: the old one becomes `log.1`, that one `log.2`, and so on.
///
/// A log that cannot be written is no reason to fail: lines are then dropped.
final class LogFile: Sendable {
  private let path: String
  private let limitBytes: Int
  private let kept: Int
  private let state = Mutex((descriptor: Int32(-1), bytes: 0, isBroken: false))

  /// Nothing is touched before the first line.
  init(path: String, limitBytes: Int = 1 << 20, kept: Int = 3) {
    self.path = path
    self.limitBytes = limitBytes
    self.kept = kept
  }

  deinit {
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Appends a line in one write, so that the lines of several processes do not mix.
  func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    state.withLock { state in
      guard !state.isBroken else { return }
      if state.descriptor >= 0, state.bytes + bytes.count > limitBytes { rotate(&state.descriptor) }
      if state.descriptor < 0 {
        guard let opened = open() else {
          state.isBroken = true
          return
        }
        (state.descriptor, state.bytes) = opened
        if state.bytes > 0, state.bytes + bytes.count > limitBytes {
          rotate(&state.descriptor)
          (state.descriptor, state.bytes) = open() ?? (-1, 0)
        }
      }
      guard state.descriptor >= 0 else { return }
      state.bytes += max(0, write(state.descriptor, bytes, bytes.count))
    }
  }

  private func open() -> (Int32, Int)? {
    let cut = path.lastIndex(of: "/") ?? path.startIndex
    guard (try? PrivateDirectory(making: String(path[..<cut]))) != nil else { return nil }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    return (descriptor, fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0)
  }

  private func rotate(_ descriptor: inout Int32) {
    close(descriptor)
    descriptor = -1
    for number in stride(from: kept - 1, to: 0, by: -1) { rename("\(path).\(number)", "\(path).\(number + 1)") }
    rename(path, "\(path).1")
  }
}
