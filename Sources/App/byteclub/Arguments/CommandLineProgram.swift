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
    let arguments = withExclusionsLast(withNumbersJoined(arguments))
    do {
      if let options = PlainStart.options(arguments) { return try RootCommand.open(options) }
      if arguments.first == "help", let hint = hint(Array(arguments.dropFirst())) {
        return refuse(hint, prefix: "", .wrongUsage, Output(), false)
      }
      // No message repeats the code of an invitation.
      if arguments.first == "join",
        arguments.contains(where: { $0.hasPrefix("-") && $0.utf8.count >= 22 && !$0.contains("=") })
      {
        throw ValidationError("The line of an invitation begins with https://. Copy all of it.")
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

  /// `serve` reads its own arguments.
  private static func isServe(_ arguments: [String]) -> Bool {
    firstWord(in: arguments[...]).map { arguments[$0] == "serve" } ?? false
  }

  /// `--yaw -90` as `--yaw=-90`: ArgumentParser takes a number below zero for an option of its own.
  static func withNumbersJoined(_ arguments: [String]) -> [String] {
    guard !isServe(arguments) else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var joined: [String] = []
    for word in arguments[..<end] {
      if let option = joined.last, option.hasPrefix("--"), !option.contains("="), isNegativeNumber(word) {
        joined[joined.count - 1] = option + "=" + word
      } else {
        joined.append(word)
      }
    }
    return joined + arguments[end...]
  }

  private static func isNegativeNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let first = word.dropFirst().first(where: { $0 != "." }) else { return false }
    return first.isASCII && first.isNumber
  }

  /// An argument such as "-dash2". ArgumentParser takes it for a cluster of flags and prints the help for its "h", but
  /// only `-l`, `-q` and `-z` are clustered. A number is an option's value.
  private static func cluster(in arguments: [String]) -> String? {
    guard !isServe(arguments) else { return nil }
    return arguments.prefix { $0 != "--" }.first(where: isCluster)
  }

  private static func isCluster(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.dropFirst().first?.isNumber == false
      && !word.dropFirst().allSatisfy("lqz".contains)
  }

  /// `search tide -boat` as `search tide -- -boat`: there a minus excludes a word.
  static func withExclusionsLast(_ arguments: [String]) -> [String] {
    guard let verb = firstWord(in: arguments[...]), arguments[verb] == "search" else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let words = arguments[..<end].filter { !isCluster($0) }
    guard words.count < end else { return arguments }
    return words + ["--"] + arguments[..<end].filter(isCluster) + arguments[end...].dropFirst()
  }

  private static func noOption(_ word: String) -> String {
    "byteclub has no option \"\(word)\". Put -- before names that begin with a dash: byteclub note put -- \(PathText.plainWord(word))"
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
    let hint = arguments.first == "help" ? nil : hint(arguments)
    // ArgumentParser prints the help of the noun before a word that is no command.
    if RootCommand.exitCode(for: error).isSuccess, hint == nil {
      output.text(message + "\n")
      return CommandEnd.written(output) ? ExitStatus.done.rawValue : ExitStatus.failed.rawValue
    }
    guard let hint else {
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

  /// The first word behind shared options; nil behind any other option, whose value it may be.
  private static func firstWord(in words: ArraySlice<String>) -> Int? {
    var rest = words
    while let word = rest.first {
      if ["--config", "--club", "--folder"].contains(word) {
        rest = rest.dropFirst(2)
      } else if ["--json", "--quiet", "-q", "--help", "-h"].contains(word) || word.hasPrefix("--") && word.contains("=")
      {
        rest = rest.dropFirst()
      } else {
        return word.hasPrefix("-") ? nil : rest.startIndex
      }
    }
    return nil
  }

  private static func hint(_ arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = RootCommand.self
    var typed = "byteclub"
    var words = arguments[...]
    while let place = firstWord(in: words) {
      let word = words[place]
      words = words[(place + 1)...]
      let below = command.configuration.subcommands
      guard !below.isEmpty else { return nil }
      if let next = below.first(where: { $0._commandName == word }) {
        command = next
        typed += " " + word
        continue
      }
      if word.contains("/join#") { return "The line of an invitation goes after \"byteclub join\", in quotes." }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let near = NearestWord.to(word, in: names).map { " Did you mean \"\(typed) \($0)\"?" } ?? ""
      return "byteclub has no command \"\(typed) \(word)\".\(near)\n"
        + "The commands are: \(names.joined(separator: ", ")). See '\(typed) --help' for more."
    }
    return nil
  }
}

enum CommandEnd {
  /// Writes what is left of the results. False if standard output could not take all (a full disk), which it says.
  static func written(_ output: Output) -> Bool {
    output.finish()
    guard let code = output.failure else { return true }
    output.notice("byteclub: Standard output cannot be written: \(SystemError.text(code)).", isNeeded: true)
    return false
  }

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
    guard written(output) else { throw ExitCode(ExitStatus.failed.rawValue) }
    guard answer.status == .done else { throw ExitCode(answer.status.rawValue) }
  }
}
