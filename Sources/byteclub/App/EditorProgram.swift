import TextUI

/// The member's own editor: `$VISUAL`, or else `$EDITOR`.
struct EditorProgram: Sendable {
  private let command: String?

  init(_ environment: Environment) {
    command = environment["VISUAL"] ?? environment["EDITOR"]
  }

  /// What edits a file; nil when neither variable is set.
  ///
  /// As git does: the variable may hold arguments, so a shell splits it; the file is one argument, whatever its name.
  @Sendable
  func program(file: String) -> ExternalProgram? {
    guard let command, !command.isEmpty else { return nil }
    return ExternalProgram(["/bin/sh", "-c", command + " \"$@\"", command, file])
  }
}
