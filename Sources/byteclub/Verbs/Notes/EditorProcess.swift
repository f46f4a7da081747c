import FileStores

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
    let editor = ProgramStart("/bin/sh", ["sh", "-c", command + " \"$@\"", command, file])
    do throws(ProgramStart.Failure) {
      let status = ProgramStart.wait(for: try editor.start())
      return status == 0 ? nil : .failed(status)
    } catch {
      return .didNotStart(error.code)
    }
  }
}
