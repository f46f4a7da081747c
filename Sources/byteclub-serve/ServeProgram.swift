import ArgumentParser
import Glibc

/// Gives the members of a club its folder over HTTP. "byteclub serve" becomes this program.
@main struct ServeProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byteclub serve", abstract: "Serve a club's folder to its members, as Dropbox does.",
    subcommands: [RunCommand.self, MemberCommand.self, AppCommand.self], defaultSubcommand: RunCommand.self)

  /// Runs what the arguments say. Ends with 0 when done, 1 when it failed, 2 for wrong usage.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      Output.complain(failure.text)
      Glibc.exit(1)
    } catch {
      let isWrong = exitCode(for: error) == .validationFailure
      let text = fullMessage(for: error)
      if !text.isEmpty { if isWrong { Output.complain(text) } else { Output.say(text) } }
      Glibc.exit(isWrong ? 2 : exitCode(for: error).rawValue)
    }
  }
}
