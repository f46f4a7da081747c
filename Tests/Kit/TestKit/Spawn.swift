import POSIX
import Synchronization

/// One start at a time: a new pipe is briefly inheritable, and another program would keep it open.
private let starting = Mutex(())

/// A program without a terminal. Its standard input comes from bytes; its two outputs are pipes that are read until
/// both close.
public final class Spawn {
  public struct Outcome: Sendable, Equatable {
    /// The exit code, or 128 plus the number of the signal that ended it.
    public let status: Int32
    public let output: [UInt8]
    /// Standard error.
    public let notices: [UInt8]

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var said: String { String(decoding: notices, as: UTF8.self) }
  }

  public enum Failure: Error, Equatable {
    /// The error number of the failed call.
    case didNotStart(Int32)
    /// The program exceeded the time limit and was killed; with its output so far.
    case tookTooLong(String)
  }

  /// The process id, valid until `finish` has returned.
  public let process: Int32
  private var output: [UInt8] = []
  private var notices: [UInt8] = []
  private var input: ArraySlice<UInt8>
  private var descriptors: (input: Int32, output: Int32, notices: Int32)

  /// Starts a program (a path) with only these variables. Without `input` its standard input stays open until
  /// `closeInput`.
  public init(
    _ executable: String, _ arguments: [String], environment: [String: String], input: [UInt8]? = []
  ) throws(Failure) {
    self.input = (input ?? [])[...]
    let variables = environment.merging(Spawn.coverage) { given, _ in given }
    (process, descriptors) = try starting.withLock { _ throws(Failure) in
      try Spawn.start(executable, arguments, variables)
    }
    _ = fcntl(descriptors.input, F_SETFL, O_NONBLOCK)
    if input?.isEmpty == true { closeInput() }
  }

  /// In a coverage run, the variable that names the file of a program's counters. Otherwise a program would write one
  /// where it runs.
  static var coverage: [String: String] {
    getenv("LLVM_PROFILE_FILE").map { ["LLVM_PROFILE_FILE": String(cString: $0)] } ?? [:]
  }

  private static func start(
    _ executable: String, _ arguments: [String], _ environment: [String: String]
  ) throws(Failure) -> (pid_t, (input: Int32, output: Int32, notices: Int32)) {
    var pipes = [[Int32]](repeating: [-1, -1], count: 3)
    for index in pipes.indices {
      if pipe(&pipes[index]) != 0 { throw .didNotStart(errno) }
      for descriptor in pipes[index] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipes[0][0], 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1][1], 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[2][1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var child = pid_t()
    let code = posix_spawn(&child, executable, &actions, &attributes, &words, &variables)
    for word in words + variables { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    for descriptor in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(descriptor) }
    guard code == 0 else {
      for descriptor in [pipes[0][1], pipes[1][0], pipes[2][0]] { close(descriptor) }
      throw .didNotStart(code)
    }
    return (child, (pipes[0][1], pipes[1][0], pipes[2][0]))
  }

  public func signal(_ number: Int32) { kill(process, number) }

  /// Lets the program run for a moment at a time until `isSo` or its end, and leaves it stopped: however long this
  /// process itself is kept from running, the program gets no further than it was seen.
  public func hold(when isSo: () throws -> Bool) rethrows {
    var facts = siginfo_t()
    while try !isSo(), waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0, facts.si_signo == 0 {
      signal(SIGCONT)
      // at any pace: a moment between two looks.
      usleep(2_000)
      signal(SIGSTOP)
    }
  }

  public func closeInput() {
    if descriptors.input >= 0 { close(descriptors.input) }
    descriptors.input = -1
  }

  /// Closes our end of its standard output, like `head` after it has read enough.
  public func closeOutput() {
    if descriptors.output >= 0 { close(descriptors.output) }
    descriptors.output = -1
  }

  /// Waits for a text on standard error.
  public func wait(forNotice text: String, seconds: Int32 = 180) throws(Failure) {
    try pump(seconds) { String(decoding: notices, as: UTF8.self).contains(text) }
  }

  /// Waits until a text was so often on standard output.
  public func wait(forOutput text: String, times: Int = 1, seconds: Int32 = 180) throws(Failure) {
    try pump(seconds) { String(decoding: output, as: UTF8.self).ranges(of: text).count >= times }
  }

  /// The standard error that has been read so far, as text.
  public var said: String { String(decoding: notices, as: UTF8.self) }

  /// The standard output that has been read so far, as text.
  public var told: String { String(decoding: output, as: UTF8.self) }

  /// Feeds the program its input and waits for its end.
  public func finish(seconds: Int32 = 180) throws(Failure) -> Outcome {
    try pump(seconds) { descriptors.output < 0 && descriptors.notices < 0 }
    closeInput()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let exit = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    return Outcome(status: exit, output: output, notices: notices)
  }

  private func pump(_ seconds: Int32, until isEnough: () -> Bool) throws(Failure) {
    var left = seconds * 10
    while !isEnough() {
      var polled = [
        pollfd(fd: descriptors.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptors.notices, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.isEmpty ? -1 : descriptors.input, events: Int16(POLLOUT), revents: 0),
      ]
      if poll(&polled, 3, 100) == 0 {
        left -= 1
        guard left > 0 else {
          kill(process, SIGKILL)
          throw .tookTooLong(String(decoding: output + notices, as: UTF8.self))
        }
      }
      if polled[0].revents != 0 { Spawn.drain(&descriptors.output, into: &output) }
      if polled[1].revents != 0 { Spawn.drain(&descriptors.notices, into: &notices) }
      if polled[2].revents != 0 { feed() }
      if descriptors.output < 0, descriptors.notices < 0 { return }
    }
  }

  private func feed() {
    let count = input.withUnsafeBytes { write(descriptors.input, $0.baseAddress, $0.count) }
    input = count < 0 ? [] : input.dropFirst(count)
    if input.isEmpty { closeInput() }
  }

  private static func drain(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer[..<count]
    } else {
      close(descriptor)
      descriptor = -1
    }
  }
}
