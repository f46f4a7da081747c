import ArgumentParser
import FileStores

/// How a command ends: what it says, and the exit code.
enum CommandEnd {
  /// Writes the answer or the error. Returns when all is well.
  /// - Throws: the exit code otherwise.
  static func finish(
    _ result: Result<Answer, StoreError>?, name: String, output: Output, asJSON: Bool, log: ActivityLog?
  ) throws {
    var answer = Answer()
    switch result {
    case .success(let value): answer = value
    case .failure(let error): answer.failures = [error]
    case nil: answer.failures = [StoreError(.server, "The command ended without an answer.")]
    }
    // The reader has what it wanted (as in `byteclub note ls | head -1`): that is no failure.
    if output.readerIsGone { answer.failures.removeAll { $0.kind == .cancelled } }
    for failure in answer.failures { log?.error("\(name) failed", failure) }
    answer.write(to: output, asJSON: asJSON)
    if let code = output.failure {
      output.notice("byteclub: Standard output cannot be written: \(SystemError.sentence(code)).")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    guard answer.status == .done else { throw ExitCode(answer.status.rawValue) }
  }
}
