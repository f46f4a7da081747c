internal import CVTerm
internal import Foundation
internal import POSIX
internal import TextUI

/// The shared state of a session and its two threads: one reads the program's output, one waits for its end.
final class PtyCore: @unchecked Sendable {
  // Unchecked: all mutable state is in `state`, behind `condition`.
  let process: pid_t
  private let master: Int32
  private let stop: (read: Int32, write: Int32)
  private let condition = NSCondition()
  private var state: State

  struct State {
    var terminal: OpaquePointer
    var size: Size
    var raw: [UInt8] = []
    var strings = StringFilter()
    var frames = FrameMarks()
    /// Whole screens since the last input that `watch` has not looked at; nil after it until the next input.
    var unseen: [ScreenSnapshot]?
    static let mostUnseen = 256
    var end: PtySession.End?
    var outputEnded = false
    /// True while the reading thread has output, or is about to take it, that is not in `raw` yet.
    var isTaking = false
    var isHungUp = false

    /// True once no more output can come.
    var isFinished: Bool { end != nil && outputEnded }

    func snapshot() -> ScreenSnapshot { ScreenSnapshot(terminal, size: size) }

    /// Takes the program's output.
    mutating func take(_ output: ArraySlice<UInt8>) {
      raw += output
      for part in frames.parts(of: strings.text(of: output)) {
        cvt_feed(terminal, Array(part.bytes), part.bytes.count)
        guard unseen != nil, part.isWhole else { continue }
        let screen = snapshot()
        unseen?.append(screen)
        if let count = unseen?.count, count > Self.mostUnseen { unseen?.removeFirst(count - Self.mostUnseen) }
      }
    }
  }

  private let answers: Bool

  init(
    _ path: String, _ arguments: [String], size: Size, environment: [String], workingDirectory: String?,
    answers: Bool
  ) throws(PtyError) {
    var (master, process): (Int32, pid_t) = (-1, 0)
    let error = Self.withStrings(arguments) { arguments in
      Self.withStrings(environment) { environment in
        cvt_spawn(
          path, arguments, environment, workingDirectory, Int32(size.height), Int32(size.width), &master, &process)
      }
    }
    guard error == 0 else {
      throw PtyError(message: "\(path) could not be started: \(String(cString: strerror(error)))", screen: "")
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let terminal = cvt_open(Int32(size.height), Int32(size.width)) else {
      throw PtyError(message: "no pipe or no terminal: \(String(cString: strerror(errno)))", screen: "")
    }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (self.master, self.process, stop) = (master, process, (ends[0], ends[1]))
    state = State(terminal: terminal, size: size)
    self.answers = answers
    Thread.detachNewThread { self.readOutput() }
    Thread.detachNewThread { self.awaitEnd() }
  }

  deinit {
    for descriptor in [state.isHungUp ? -1 : master, stop.read, stop.write] where descriptor >= 0 { close(descriptor) }
    cvt_close(state.terminal)
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }

  /// The screen after the frame that is being drawn.
  var screen: ScreenSnapshot {
    _ = wait(.seconds(180)) { !$0.frames.isOpen || $0.isFinished ? true : nil }
    return locked { $0.snapshot() }
  }

  var rawBytes: [UInt8] { locked { $0.raw } }
  var end: PtySession.End? { locked { $0.end } }
  var modeBits: Int32 { locked { $0.isHungUp ? 0 : cvt_modes(master) } }

  /// Calls `check` now and after each change; nil after the timeout.
  func wait(_ timeout: Duration, _ check: (inout State) -> Bool?) -> Bool? {
    let parts = timeout.components
    let deadline = Date(timeIntervalSinceNow: Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let answer = check(&state) { return answer }
      if !condition.wait(until: deadline) { return check(&state) }
    }
  }

  /// True once all that the ended program has written was taken, though another process may hold the terminal open.
  func hasAll(_ state: State) -> Bool {
    guard state.end != nil, !state.isTaking, !state.isHungUp else { return state.isFinished }
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    return state.isFinished || poll(&polled, 1, 0) == 0
  }

  /// Looks at each frame since the last input, or at the screen now, and after each frame, also of those that came while
  /// this thread slept; one thread at a time.
  /// - Returns: the screen that `isReached` accepts, or the last one; its answer is nil after the timeout.
  func watch(_ timeout: Duration, _ isReached: (ScreenSnapshot) -> Bool) -> (isReached: Bool?, screen: ScreenSnapshot) {
    var shown = locked { state in
      let screen = state.snapshot()
      state.unseen = (state.unseen ?? []) + (state.frames.isOpen ? [] : [screen])
      return screen
    }
    defer { locked { $0.unseen = nil } }
    let deadline = ContinuousClock.now + timeout
    while true {
      let isDue = wait(deadline - .now) { $0.unseen?.isEmpty == false || $0.isFinished ? true : nil }
      let (screens, isFinished) = locked { state in
        defer { state.unseen = [] }
        return ((state.unseen ?? []) + (state.isFinished ? [state.snapshot()] : []), state.isFinished)
      }
      for screen in screens {
        shown = screen
        if isReached(screen) { return (true, screen) }
      }
      if isFinished { return (false, shown) }
      if isDue == nil { return (nil, shown) }
    }
  }

  /// Input of the member: what it changes may be on the screen for a moment only.
  func type(_ bytes: [UInt8]) {
    locked { $0.unseen = [] }
    write(bytes)
  }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { POSIX.write(master, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  func resize(_ size: Size) {
    locked { state in
      (state.size, state.unseen) = (size, [])
      // libvterm (0.1.4) reads past the row if a wide character arrives in a terminal of one column, as output for the
      // previous size may contain.
      cvt_resize(state.terminal, Int32(size.height), Int32(max(size.width, 2)))
      _ = cvt_set_size(master, Int32(size.height), Int32(size.width))
    }
  }

  func signal(_ number: Int32) { locked { state in if state.end == nil { kill(process, number) } } }

  func hangUp() {
    _ = POSIX.write(stop.write, "x", 1)
    _ = wait(.seconds(180)) { $0.outputEnded ? true : nil }
    locked { state in
      guard !state.isHungUp else { return }
      state.isHungUp = true
      close(master)
    }
  }

  func abandon() {
    locked { state in
      if state.end == nil {
        kill(process, SIGKILL)
        kill(-process, SIGKILL)
      }
    }
    _ = wait(.seconds(10)) { $0.end == nil ? nil : true }
    _ = POSIX.write(stop.write, "x", 1)
  }

  private func awaitEnd() {
    // Reaped only after `end` is set under the lock, so a signal never reaches another process with the same id.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    locked { state in
      let code = cvt_wait(process)
      state.end = code >= 256 ? .signalled(code - 256) : .exited(code)
      condition.broadcast()
    }
  }

  private func readOutput() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var polled = [master, stop.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&polled, 2, -1) < 0 { continue }
      if polled[1].revents != 0 { break }
      locked { $0.isTaking = true }
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR {
        locked { $0.isTaking = false }
        continue
      }
      if count <= 0 { break }
      let replies = locked { state in
        state.isTaking = false
        state.take(buffer[..<count])
        var replies = [UInt8](repeating: 0, count: 4096)
        replies.removeLast(4096 - cvt_replies(state.terminal, &replies, 4096))
        condition.broadcast()
        return replies
      }
      if answers, !replies.isEmpty { write(replies) }
    }
    locked { state in
      state.outputEnded = true
      condition.broadcast()
    }
  }
}
