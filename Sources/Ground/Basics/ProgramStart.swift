internal import CPlatform
package import POSIX

/// A program to start as a child process. It ignores and blocks no signals, whatever this process does, and gets the
/// limit of open files that this process was started with. Of this process's descriptors it has the three streams alone: no
/// connection stays open with it.
package struct ProgramStart: Sendable {
  /// The other end of a standard stream.
  package enum Stream: Sendable {
    case same
    case nothing
    /// An open descriptor, which stays open here.
    case descriptor(Int32)
    /// The end of a file, which is made for this user alone if missing.
    case appending(String)
  }

  /// The process group, which gets the terminal's keys and is ended together; `session` has no terminal.
  package enum Group: Sendable {
    case same
    case own
    case session
  }

  package struct Failure: Error {
    package let code: Int32
  }

  /// This process's own program, even if its file was replaced meanwhile.
  package static let itself = String(cString: cp_own_program())
  /// POSIX_SPAWN_SETSID of spawn.h, which Swift's importer does not see.
  private static let newSession: Int32 = 0x80

  private let program: String
  private let arguments: [String]
  private let environment: [String]
  private let streams: [Stream]
  private let group: Group

  /// Describes a program without starting it.
  /// - Parameters:
  ///   - program: its path, or a name to look for in PATH.
  ///   - arguments: the first is its own name.
  ///   - environment: its variables, each `NAME=value`.
  ///   - streams: input, output and errors.
  package init(
    _ program: String, _ arguments: [String], environment: [String] = ProgramStart.variables(),
    streams: (input: Stream, output: Stream, errors: Stream) = (.same, .same, .same), group: Group = .same
  ) {
    (self.program, self.arguments, self.environment, self.group) = (program, arguments, environment, group)
    self.streams = [streams.input, streams.output, streams.errors]
  }

  /// Returns the process id, which the caller waits for.
  package func start() throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .same: break
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let open): posix_spawn_file_actions_adddup2(&actions, open, number)
      case .appending(let file):
        posix_spawn_file_actions_addopen(&actions, number, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    let closing = cp_inherit_streams_alone(&actions)
    guard closing == 0 else { throw Failure(code: closing) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let flag: Int32 =
      switch group {
      case .same: 0
      case .own: Int32(POSIX_SPAWN_SETPGROUP)
      case .session: ProgramStart.newSession
      }
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | flag))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child = pid_t()
    let code = DescriptorLimit.lowered { posix_spawnp(&child, program, &actions, &attributes, &words, &variables) }
    guard code == 0 else { throw Failure(code: code) }
    return child
  }

  package static func variables() -> [String] {
    var variables: [String] = []
    var next = environ
    while let text = next.pointee {
      variables.append(String(cString: text))
      next += 1
    }
    return variables
  }

  /// Waits for a program's end. Blocks. Returns its exit status, or 128 plus the number of the signal that ended it.
  package static func wait(for child: pid_t) -> Int32 {
    var word: Int32 = 0
    while waitpid(child, &word, 0) < 0, errno == EINTR {}
    return status(of: word)
  }

  /// The status of a program that has ended, as `wait` returns it; nil while it runs.
  package static func ended(_ child: pid_t) -> Int32? {
    var word: Int32 = 0
    return waitpid(child, &word, WNOHANG) == child ? status(of: word) : nil
  }

  private static func status(of word: Int32) -> Int32 { word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F }
}
