import Glibc

/// The member's editor as a process.
enum EditorProcess {
  /// How it went wrong.
  enum Failure: Error, Equatable {
    /// The error number.
    case didNotStart(Int32)
    /// The exit status (128 more than the signal's number, when one ended it).
    case failed(Int32)
  }

  /// Runs a command of the shell with a file as its last argument, in this terminal, and waits for its end.
  /// Blocks. Nil when it ended well.
  static func run(_ command: String, file: String) -> Failure? {
    // As git does: the command may have arguments and variables in it; the file is one argument, whatever its name.
    let arguments = ["sh", "-c", command + " \"$@\"", command, file]
    var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that are ignored here must not stay so there.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var child = pid_t()
    let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &texts, environ)
    guard code == 0 else { return .didNotStart(code) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status & 0x7F != 0 { return .failed(128 + status & 0x7F) }
    let exit = status >> 8 & 0xFF
    return exit == 0 ? nil : .failed(exit)
  }
}
