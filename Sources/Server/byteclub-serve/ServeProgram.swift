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

  static func main() async {
    if WorkerProgram.isWanted(ProgramArguments.words) { POSIX.exit(WorkerProgram.run()) }
    // `write` then reports a file at its size limit, and a pipe that nobody reads.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let typed = Array(ProgramArguments.words.dropFirst())
    let asJSON = typed.prefix { $0 != "--" }.contains("--json")
    do {
      let words = try OptionsFile.expanded(typed) { ServeProgram._dumpHelp() }
      if let word = words.first, !word.hasPrefix("-"), !commands.contains(word) {
        throw ValidationError(
          "byteclub serve has no command \"\(word)\". The commands are: \(commands.joined(separator: ", ")). "
            + "To serve a folder: byteclub serve --root DIR")
      }
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
