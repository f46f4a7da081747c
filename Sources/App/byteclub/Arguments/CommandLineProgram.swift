import ArgumentParser
import Basics
import FileStores
import POSIX

enum CommandLineProgram {
  /// The exit code of the arguments, which are without the program's name.
  static func run(_ arguments: [String]) -> Int32 {
    // `write` then reports a closed pipe, and a file at its size limit.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      if let options = PlainStart.options(arguments) { return try RootCommand.open(options) }
      if arguments.first == "help", let hint = hint(Array(arguments.dropFirst())) {
        return refuse(hint, prefix: "", .wrongUsage, Output(), false)
      }
      if let word = cluster(in: arguments) { throw ValidationError(noOption(word)) }
      var command = try RootCommand.parseAsRoot(arguments)
      if asksForJSON(arguments), let sentence = needsVerb(command) {
        return refuse(sentence, prefix: "byteclub: ", .wrongUsage, Output(), true)
      }
      try command.run()
      return ExitStatus.done.rawValue
    } catch {
      return end(error, arguments, Output())
    }
  }

  /// An argument such as "-dash2". ArgumentParser takes it for a cluster of flags and prints the help for its "h", but
  /// no flag of byteclub can be clustered. A number is an option's value. `serve` reads its own arguments.
  private static func cluster(in arguments: [String]) -> String? {
    guard arguments.first != "serve" else { return nil }
    return arguments.prefix { $0 != "--" }.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.dropFirst().first?.isNumber == false
    }
  }

  private static func noOption(_ word: String) -> String {
    "byteclub has no option \"\(word)\". Put -- before names that begin with a dash: byteclub note put -- \(word)"
  }

  private static func end(_ error: any Error, _ arguments: [String], _ output: Output) -> Int32 {
    let asJSON = asksForJSON(arguments)
    switch error {
    case let code as ExitCode: return code.rawValue
    case let fault as ConfigFault:
      return refuse(fault.description, prefix: "byteclub: ", .wrongUsage, output, asJSON)
    case let failure as StoreError:
      var answer = Answer()
      answer.failures = [failure]
      answer.write(to: output, asJSON: asJSON)
      return answer.status.rawValue
    default: break
    }
    let message = RootCommand.fullMessage(for: error)
    if RootCommand.exitCode(for: error).isSuccess {
      output.text(message + "\n")
      output.finish()
      return ExitStatus.done.rawValue
    }
    guard let hint = hint(arguments) else {
      // Scripts get no usage text.
      return refuse(asJSON ? RootCommand.message(for: error) : message, prefix: "", .wrongUsage, output, asJSON)
    }
    return refuse(hint, prefix: "Error: ", .wrongUsage, output, asJSON)
  }

  private static func asksForJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// The error for a noun without a verb, with `--json`; nil for a complete command.
  private static func needsVerb(_ command: any ParsableCommand) -> String? {
    let type = type(of: command)
    let verbs = type.configuration.subcommands.map { $0._commandName }
    guard !(command is RootCommand), !verbs.isEmpty else { return nil }
    return "\"byteclub \(type._commandName)\" needs a verb: \(Setting.spoken(verbs))."
  }

  private static func refuse(
    _ message: String, prefix: String, _ status: ExitStatus, _ output: Output, _ asJSON: Bool
  ) -> Int32 {
    if asJSON {
      var answer = Answer()
      answer.failures = [StoreError(.badInput, message)]
      answer.write(to: output, asJSON: true)
    } else {
      output.notice(prefix == "byteclub: " ? Output.named(message) : prefix + message)
    }
    return status.rawValue
  }

  private static func hint(_ arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = RootCommand.self
    var typed = "byteclub"
    var words = arguments[...]
    while let word = words.popFirst() {
      if word == "--json" { continue }
      if ["--config", "--club", "--folder"].contains(word) {
        words = words.dropFirst()
        continue
      }
      // After any other option a word may be its value.
      guard !word.hasPrefix("-") else { return nil }
      let below = command.configuration.subcommands
      guard !below.isEmpty else { return nil }
      if let next = below.first(where: { $0._commandName == word }) {
        command = next
        typed += " " + word
        continue
      }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let near = NearestWord.to(word, in: names).map { " Did you mean \"\(typed) \($0)\"?" } ?? ""
      return "byteclub has no command \"\(typed) \(word)\".\(near)\n"
        + "The commands are: \(names.joined(separator: ", ")). See '\(typed) --help' for more."
    }
    return nil
  }
}

enum CommandEnd {
  /// Writes the answer or the error, and throws the exit code of an error.
  static func finish(
    _ result: Result<Answer, StoreError>?, name: String, output: Output, asJSON: Bool, log: ActivityLog?
  ) throws {
    var answer = Answer()
    switch result {
    case .success(let value): answer = value
    case .failure(let error): answer.failures = [error]
    case nil: answer.failures = [StoreError(.server, "The command ended without an answer.")]
    }
    // A reader that closes the pipe early (as in `byteclub note ls | head -1`) is no failure.
    if output.readerIsGone { answer.failures.removeAll { $0.kind == .cancelled } }
    for failure in answer.failures { log?.error("\(name) failed", failure) }
    answer.write(to: output, asJSON: asJSON)
    if let code = output.failure {
      output.notice("byteclub: Standard output cannot be written: \(SystemError.text(code)).")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    guard answer.status == .done else { throw ExitCode(answer.status.rawValue) }
  }
}
