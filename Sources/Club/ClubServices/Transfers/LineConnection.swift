import Basics
import CPlatform
import POSIX
import Synchronization

/// One end of a connection that carries lines, with its own thread. A slow peer delays no caller: lines wait here, a
/// newer line replaces a waiting one with the same key, and the connection is cut when too much waits.
///
/// `State` has all fields that change: a queue without other rules. The thread alone has the lines that are half read or
/// half sent.
final class LineConnection: Sendable {
  enum Event: Sendable {
    /// A line without its end. The receiver calls `handled` afterwards: only so many lines are read ahead.
    case line([UInt8])
    case end
  }

  private struct Waiting {
    var line: [UInt8]
    let key: String?
  }

  private struct State {
    var waiting: [Int: Waiting] = [:]
    var first = 0
    var next = 0
    var keys: [String: Int] = [:]
    var bytes = 0
    var unhandled = 0
    var isFinishing = false
    var isCut = false
  }

  static let maxWaitingBytes = 32 << 20
  private static let maxUnhandled = 64
  private static let pieceBytes = 64 * 1024
  /// The time limit for sending the last lines.
  private static let finishMilliseconds: Int32 = 2_000

  private let descriptor: Int32
  /// nil if the system has no free descriptor.
  private let wake: WakeSignal?
  private let maxLineBytes: Int
  private let receive: @Sendable (Event) -> Void
  private let state = Mutex(State())

  /// Takes over a non-blocking socket. Nothing is read before `start`.
  /// - Parameters:
  ///   - maxLineBytes: a longer line cuts the connection.
  ///   - receive: called from the connection's thread; must return at once.
  init(owning descriptor: Int32, maxLineBytes: Int, receive: @escaping @Sendable (Event) -> Void) {
    self.descriptor = descriptor
    self.maxLineBytes = maxLineBytes
    self.receive = receive
    do throws(SystemError) {
      wake = try WakeSignal()
    } catch {
      wake = nil
    }
  }

  deinit { close(descriptor) }

  /// The thread holds the connection until it has ended.
  func start() {
    guard let wake, DetachedThread.start({ self.run(wake) }) else { return receive(.end) }
  }

  func send(_ line: [UInt8], replacing key: String? = nil) {
    state.withLock { state in
      guard !state.isCut, !state.isFinishing else { return }
      if let key, let number = state.keys[key], let old = state.waiting[number] {
        state.bytes += line.count - old.line.count
        state.waiting[number]?.line = line
        return
      }
      state.waiting[state.next] = Waiting(line: line, key: key)
      if let key { state.keys[key] = state.next }
      state.next += 1
      state.bytes += line.count
      if state.bytes > Self.maxWaitingBytes { state.isCut = true }
    }
    wake?.send()
  }

  /// Later lines with this key replace no line that waits now.
  func settle(_ key: String) { state.withLock { _ = $0.keys.removeValue(forKey: key) } }

  func handled() {
    let wasFull = state.withLock { state in
      state.unhandled -= 1
      return state.unhandled == Self.maxUnhandled - 1
    }
    if wasFull { wake?.send() }
  }

  /// Ends when all waiting lines are sent, at the latest after two seconds without progress.
  func finish() {
    state.withLock { $0.isFinishing = true }
    wake?.send()
  }

  func cut() {
    state.withLock { $0.isCut = true }
    wake?.send()
  }

  private func run(_ wake: WakeSignal) {
    var partial: [UInt8] = []
    var sending: ArraySlice<UInt8> = []
    while true {
      if sending.isEmpty { sending = nextLine()[...] }
      let (reads, isFinishing, isCut) = state.withLock {
        ($0.unhandled < Self.maxUnhandled && !$0.isFinishing, $0.isFinishing, $0.isCut)
      }
      if isCut || (isFinishing && sending.isEmpty) { break }
      var polls = [
        pollfd(fd: descriptor, events: Int16((reads ? POLLIN : 0) | (sending.isEmpty ? 0 : POLLOUT)), revents: 0),
        pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&polls, 2, isFinishing ? Self.finishMilliseconds : -1)
      if ready == 0 || (ready < 0 && errno != EINTR) { break }
      if ready < 0 { continue }
      if polls[1].revents != 0 { wake.clear() }
      if polls[0].revents & Int16(POLLERR | POLLNVAL) != 0 { break }
      if polls[0].revents & Int16(POLLOUT) != 0, !write(&sending) { break }
      if polls[0].revents & Int16(POLLIN) != 0 {
        if !read(&partial) { break }
      } else if polls[0].revents & Int16(POLLHUP) != 0 {
        break
      }
    }
    state.withLock { state in
      state.isCut = true
      (state.waiting, state.keys) = ([:], [:])
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
    receive(.end)
  }

  private func nextLine() -> [UInt8] {
    state.withLock { state in
      guard state.first < state.next, let line = state.waiting.removeValue(forKey: state.first) else { return [] }
      if let key = line.key, state.keys[key] == state.first { state.keys[key] = nil }
      state.first += 1
      state.bytes -= line.line.count
      return line.line + [0x0A]
    }
  }

  /// Returns false if the connection is broken.
  private func write(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let count = rest.withUnsafeBytes { POSIX.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    rest = rest.dropFirst(count)
    return true
  }

  /// Returns false if the connection has ended, or a line is too long.
  private func read(_ partial: inout [UInt8]) -> Bool {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, filled in
      count = POSIX.read(descriptor, buffer.baseAddress, Self.pieceBytes)
      filled = max(0, count)
    }
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    var rest = piece[...]
    while let end = rest.firstIndex(of: 0x0A) {
      partial += rest[..<end]
      guard partial.count <= maxLineBytes else { return false }
      state.withLock { $0.unhandled += 1 }
      receive(.line(partial))
      partial = []
      rest = rest[(end + 1)...]
    }
    partial += rest
    return partial.count <= maxLineBytes
  }
}
