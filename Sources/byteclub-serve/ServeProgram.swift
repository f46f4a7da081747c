import ArgumentParser
import FileStores
import Glibc

/// Gives the members of a club its folder over HTTP. "byteclub serve" becomes this program.
@main struct ServeProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byteclub serve", abstract: "Serve a club's folder to its members, as Dropbox does.",
    subcommands: [RunCommand.self, MemberCommand.self, AppCommand.self], defaultSubcommand: RunCommand.self)

  /// Runs what the arguments say. Ends as `ExitStatus` has it.
  static func main() async {
    let asJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as StoreError {
      Reply.refuse(error, asJSON: asJSON)
      Glibc.exit(ExitStatus(error.kind).rawValue)
    } catch {
      let text = fullMessage(for: error)
      if exitCode(for: error) == .validationFailure {
        // Scripts are told the sentence without the usage below it.
        if asJSON {
          Reply.refuse(StoreError(.badInput, message(for: error)), asJSON: true)
        } else {
          Output.complain(text)
        }
        Glibc.exit(ExitStatus.wrongUsage.rawValue)
      }
      if !text.isEmpty { Output.say(text) }
      Glibc.exit(exitCode(for: error).rawValue)
    }
  }
}
