import Basics
import CPlatform
import POSIX

/// Runs a program for its output, without a shell, standard input, or `BYTECLUB_TOKEN`. Its own session has no
/// terminal, so its prompts fail at once and cannot spoil the screen.
struct ChildProgram: Sendable {
  struct Limits: Sendable {
    /// A password manager may ask its owner to unlock it.
    var time: Duration = .seconds(60)
    /// The most bytes of output.
    var outputBytes = 65_536
    var noticeBytes = 2000
  }

  enum Outcome: Sendable, Equatable {
    /// The error number.
    case didNotStart(Int32)
    case tookTooLong(String)
    case printedTooMuch
    case cancelled
    /// The exit status, or 128 plus the signal's number; the output; the standard error.
    case ended(Int32, output: [UInt8], notices: String)
  }

  let words: [String]
  let limits: Limits
  var now: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Blocks until the program ends; calls `isCancelled` every 20 ms.
  func run(isCancelled: () -> Bool) -> Outcome {
    var pipes = [Int32](repeating: -1, count: 4)
    defer { for pipe in pipes where pipe >= 0 { close(pipe) } }
    let code = pipes.withUnsafeMutableBufferPointer { ends -> Int32 in
      guard let base = ends.baseAddress else { return ENOMEM }
      let first = cp_pipe(base)
      return first < 0 ? -first : -cp_pipe(base + 2)
    }
    guard code == 0 else { return .didNotStart(code) }
    let variables = ProgramStart.variables().filter { !$0.hasPrefix("BYTECLUB_TOKEN=") }
    let program = ProgramStart(
      words.first ?? "", words, environment: variables,
      streams: (.nothing, .descriptor(pipes[1]), .descriptor(pipes[3])), group: .session)
    let deadline = now() + limits.time
    let child: pid_t
    do throws(ProgramStart.Failure) {
      child = try program.start()
    } catch {
      return .didNotStart(error.code)
    }
    close(pipes[1])
    close(pipes[3])
    (pipes[1], pipes[3]) = (-1, -1)
    return watch(child, until: deadline, pipes[0], pipes[2], isCancelled)
  }

  private func watch(
    _ child: pid_t, until deadline: ContinuousClock.Instant, _ output: Int32, _ notices: Int32,
    _ isCancelled: () -> Bool
  ) -> Outcome {
    var printed: [UInt8] = []
    var said: [UInt8] = []
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: notices, events: Int16(POLLIN), revents: 0),
    ]
    var status: Int32?
    while true {
      // Its children may keep the pipes open for ever: only the program's own end counts.
      let isOver = status != nil
      _ = poll(&polled, 2, isOver ? 0 : 20)
      let ready = polled.contains { $0.revents != 0 }
      if polled[0].revents != 0, !ChildProgram.take(output, into: &printed) { polled[0].fd = -1 }
      if polled[1].revents != 0, !ChildProgram.take(notices, into: &said) { polled[1].fd = -1 }
      if said.count > limits.noticeBytes { said.removeLast(said.count - limits.noticeBytes) }
      if printed.count > limits.outputBytes {
        ChildProgram.end(child, status)
        return .printedTooMuch
      }
      if isOver, !ready { break }
      if status == nil { status = ProgramStart.ended(child) }
      if status == nil, isCancelled() {
        ChildProgram.end(child, nil)
        return .cancelled
      }
      if status == nil, now() >= deadline {
        ChildProgram.end(child, nil)
        return .tookTooLong(String(decoding: said, as: UTF8.self))
      }
    }
    return .ended(status ?? 0, output: printed, notices: String(decoding: said, as: UTF8.self))
  }

  private static func take(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0 || (count < 0 && errno == EINTR)
  }

  private static func end(_ child: pid_t, _ status: Int32?) {
    guard status == nil else { return }
    kill(-child, SIGKILL)
    kill(child, SIGKILL)
    _ = ProgramStart.wait(for: child)
  }
}
