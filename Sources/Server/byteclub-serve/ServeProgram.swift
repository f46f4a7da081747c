import ArgumentParser
import Basics
import Decoding
import FileStores
import ManualPages
import POSIX

/// "byteclub serve" becomes this program.
@main struct ServeProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byteclub serve", abstract: "Serve a club's folder to its members, as Dropbox does.",
    version: BuildVersion.number,
    subcommands: [
      RunCommand.self, InviteCommand.self, MemberCommand.self, AppCommand.self, BackupCommand.self, RestoreCommand.self,
      ServerManualCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  private static let commands = ["run", "invite", "member", "app", "backup", "restore", "manual", "help"]

  /// ArgumentParser prints the help of the command before a word that is none.
  private static func check(_ words: [String]) throws {
    var known = commands
    for (place, word) in words.prefix(2).enumerated() {
      guard !known.isEmpty, !word.hasPrefix("-") else { return }
      guard known.contains(word) else {
        throw ValidationError(
          "byteclub serve has no command \"\(words[...place].joined(separator: " "))\". The commands are: "
            + "\(known.joined(separator: ", ")). To serve a folder: byteclub serve --root DIR")
      }
      let noun = configuration.subcommands.first { $0._commandName == word }?.configuration
      // Behind a noun with a verb of its own, such as "invite", the word may be a name.
      known = noun?.defaultSubcommand == nil ? noun?.subcommands.map { $0._commandName } ?? [] : []
    }
  }

  static func main() async {
    if WorkerProgram.isWanted(ProgramArguments.words) { POSIX.exit(WorkerProgram.run()) }
    // `write` then reports a file at its size limit, and a pipe that nobody reads.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let typed = Array(ProgramArguments.words.dropFirst())
    let asJSON = typed.prefix { $0 != "--" }.contains("--json")
    do {
      let words = try OptionsFile.expanded(typed) { ServeProgram._dumpHelp() }
      try check(words)
      var command = try parseAsRoot(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as StoreError {
      Reply.refuse(error, asJSON: asJSON)
      POSIX.exit(ExitStatus(error.kind).rawValue)
    } catch {
      let text = fullMessage(for: error)
      if exitCode(for: error) == .validationFailure {
        // Scripts get no usage text.
        if asJSON {
          Reply.refuse(StoreError(.badInput, message(for: error)), asJSON: true)
        } else {
          Output.complain(text)
        }
        POSIX.exit(ExitStatus.wrongUsage.rawValue)
      }
      do throws(StoreError) {
        if !text.isEmpty { try Output.say(text) }
      } catch {
        Reply.refuse(error, asJSON: false)
        POSIX.exit(ExitStatus.failed.rawValue)
      }
      POSIX.exit(exitCode(for: error).rawValue)
    }
  }
}
