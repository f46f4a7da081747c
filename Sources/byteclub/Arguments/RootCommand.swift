import ArgumentParser
import JSON

/// `byteclub`: without a noun, the full-screen app.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byteclub",
    abstract: "Notes and panoramic photos that the members of a club share, in a terminal.",
    usage: """
      byteclub [--club <name> | --folder <dir>] [--config <file>]
      byteclub <noun> <verb> ...
      """,
    discussion: Examples.text([
      "byteclub": "open the club",
      "byteclub demo": "try everything in a club that is removed when you quit",
      "byteclub --folder DIR": "open a directory as the club",
      "byteclub note ls": "list the notes",
      "byteclub note cat Welcome": "print a note",
      "date | byteclub note append Log": "add a line to a note",
      "byteclub photo put *.jpg": "upload photos to the club",
      "byteclub photo view beach.jpg": "draw a photo in the terminal",
    ]),
    version: BuildVersion.number,
    subcommands: [
      NoteCommand.self, PhotoCommand.self, TransferNoun.self, TrashCommand.self, DraftCommand.self, SearchCommand.self,
      LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, ServeCommand.self, DemoCommand.self, ClubCommand.self,
      ConfigCommand.self, CacheCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ])

  @OptionGroup var shared: SharedOptions

  func run() throws {
    if shared.json { throw ValidationError("--json needs a command, such as: byteclub note ls --json") }
    throw ExitCode(try Self.open(shared.start))
  }

  /// Opens the app full screen.
  /// - Returns: the exit code.
  static func open(_ options: StartOptions) throws -> Int32 { try FullScreen.run(try ClubSetup(options)) }
}
