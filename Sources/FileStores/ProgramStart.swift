package import Glibc

/// A program that is to be started beside this one. Whatever this process does with signals, in the program none is
/// ignored or blocked.
package struct ProgramStart: Sendable {
  /// Where one of its standard streams leads.
  package enum Stream: Sendable {
    /// Where this process's does.
    case same
    /// To `/dev/null`.
    case nothing
    /// To an open descriptor, which stays open here.
    case descriptor(Int32)
    /// To the end of a file, which is made for this user alone when it is not there.
    case appending(String)
  }

  /// With whom it gets the terminal's keys, and is ended.
  package enum Group: Sendable {
    /// With this process.
    case same
    /// With what it starts itself.
    case own
    /// With what it starts itself, and without a terminal.
    case session
  }

  /// Why it did not start: the error number.
  package struct Failure: Error {
    package let code: Int32
  }

  /// This process's own program, also when its file was replaced by a newer one meanwhile.
  package static let itself = "/proc/self/exe"
  /// POSIX_SPAWN_SETSID of spawn.h, which Swift's importer does not see.
  private static let newSession: Int32 = 0x80

  private let program: String
  private let arguments: [String]
  private let environment: [String]
  private let streams: [Stream]
  private let group: Group

  /// Describes a program; nothing is started yet.
  /// - Parameters:
  ///   - program: its path, or a name to be looked for along PATH.
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

  /// Starts it.
  /// - Returns: its number, which the caller waits for.
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
    let code = posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(code: code) }
    return child
  }

  /// The variables of this process, each `NAME=value`.
  package static func variables() -> [String] {
    var variables: [String] = []
    var next = environ
    while let text = next.pointee {
      variables.append(String(cString: text))
      next += 1
    }
    return variables
  }

  /// Waits for a program's end. Blocks.
  /// - Returns: its exit status, or 128 more than the number of the signal that ended it.
  package static func wait(for child: pid_t) -> Int32 {
    var word: Int32 = 0
    while waitpid(child, &word, 0) < 0, errno == EINTR {}
    return status(of: word)
  }

  /// How a program has ended.
  /// - Returns: its exit status, or 128 more than the number of the signal that ended it; nil while it runs.
  package static func ended(_ child: pid_t) -> Int32? {
    var word: Int32 = 0
    return waitpid(child, &word, WNOHANG) == child ? status(of: word) : nil
  }

  private static func status(of word: Int32) -> Int32 { word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F }
}
