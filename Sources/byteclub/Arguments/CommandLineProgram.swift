import ArgumentParser
import FileStores
import Glibc

/// The program as the command line sees it.
enum CommandLineProgram {
  /// Does what the arguments (without the program's name) say. Returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    // A closed pipe is told by `write`.
    signal(SIGPIPE, SIG_IGN)
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

  /// A word such as "-dash2", which ArgumentParser takes for a cluster of flags: with an "h" in it, it would print the
  /// help and succeed. No flag of byteclub is meant to be clustered; `serve` reads its own arguments.
  private static func cluster(in arguments: [String]) -> String? {
    guard arguments.first != "serve" else { return nil }
    return arguments.prefix { $0 != "--" }.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
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
      output.bytes(Array((message + "\n").utf8))
      output.finish()
      return ExitStatus.done.rawValue
    }
    guard let hint = hint(arguments) else {
      // Scripts are told the sentence without the usage below it.
      return refuse(asJSON ? RootCommand.message(for: error) : message, prefix: "", .wrongUsage, output, asJSON)
    }
    return refuse(hint, prefix: "Error: ", .wrongUsage, output, asJSON)
  }

  private static func asksForJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// That a noun does nothing alone; nil for what does something. Without `--json` the noun's help is shown.
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

  /// A better sentence for a noun or verb that is not there.
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
      // Behind any other option, a word may be its value: no guess there.
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
