import CLinux
import FileStores
import Glibc

/// A program that a demo starts.
struct DemoProcess: Sendable {
  let id: pid_t
  /// The end of its standard input that is ours; it ends when this process does.
  let input: Int32
  /// The end of its standard output that is ours.
  let output: Int32

  /// Starts a program away from the terminal, in a process group of its own, so that the terminal's keys are not for
  /// it. What it complains of goes into a file.
  static func start(
    aside program: String, _ arguments: [String], environment: [String: String], log: String
  ) throws(StoreError) -> DemoProcess {
    let (input, output) = (try pipe(), try pipe())
    defer {
      close(input.read)
      close(output.write)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let (id, code) = spawn(program, arguments, environment, &actions, flags: POSIX_SPAWN_SETPGROUP)
    guard code == 0 else {
      close(input.write)
      close(output.read)
      throw ServeCommand.failed(code)
    }
    return DemoProcess(id: id, input: input.write, output: output.read)
  }

  /// Starts this program once more, in this terminal.
  static func start(self arguments: [String], environment: [String: String]) throws(StoreError) -> DemoProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let (id, code) = spawn("/proc/self/exe", arguments, environment, &actions, flags: 0)
    guard code == 0 else {
      throw StoreError(.notPermitted, "byteclub could not be started: \(SystemError.sentence(code)).")
    }
    return DemoProcess(id: id, input: -1, output: -1)
  }

  /// The first line that it prints; nil when it ends without one.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(output, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Waits for its end; the exit code, or 128 more than the signal's number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return DemoProcess.code(of: status)
  }

  /// Lets go of what is open.
  func letGo() {
    if input >= 0 { close(input) }
    if output >= 0 { close(output) }
  }

  static func code(of status: Int32) -> Int32 {
    status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t, flags: Int32
  ) -> (pid_t, Int32) {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that are blocked or ignored here must not be so there.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | flags))
    var id = pid_t()
    let code = posix_spawnp(&id, program, &actions, &attributes, &words, &variables)
    return (id, code)
  }

  private static func pipe() throws(StoreError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = ends.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { cl_pipe($0) } ?? -EINVAL }
    guard code == 0 else {
      throw StoreError(.server, "No pipe could be made: \(SystemError.sentence(-code)).")
    }
    return (ends[0], ends[1])
  }
}
