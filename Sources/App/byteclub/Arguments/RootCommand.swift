import ArgumentParser
import ManualPages

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
      "byteclub join LINE": "join a club by its invitation",
      "byteclub --folder DIR": "open a directory as the club",
      "byteclub note ls": "list the notes",
      "byteclub note cat Welcome": "print a note",
      "date | byteclub note append Log": "add a line to a note",
      "byteclub photo put *.jpg": "upload photos to the club",
      "byteclub photo view beach.jpg": "draw a photo in the terminal",
    ]),
    version: BuildVersion.number,
    subcommands: [
      NoteCommand.self, PhotoCommand.self, LinkCommand.self, TransferNoun.self, TrashCommand.self, DraftCommand.self,
      SyncCommand.self,
      SearchCommand.self, TalkCommand.self, NewsCommand.self, WallCommand.self, JoinCommand.self, DeviceCommand.self,
      LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, ServeCommand.self, DemoCommand.self, ClubCommand.self,
      ConfigCommand.self, CacheCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ])

  @OptionGroup var shared: SharedOptions

  func run() throws {
    if shared.json { throw ValidationError("--json needs a command, such as: byteclub note ls --json") }
    throw ExitCode(try Self.open(shared.start))
  }

  static func open(_ options: StartOptions) throws -> Int32 { try FullScreen.run(options) }
}

/// A fast path for starting the app with at most a club or folder and a config file.
/// ArgumentParser takes 1.5 ms, because it inspects the properties of all commands at run time: a tenth of the time
/// until 10,000 notes are on the screen.
enum PlainStart {
  /// As `RootCommand` would parse them; nil leaves the parsing to it.
  static func options(_ arguments: [String]) -> StartOptions? {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    var found: [String: String] = [:]
    for place in stride(from: 0, to: arguments.count, by: 2) {
      let (name, value) = (arguments[place], arguments[place + 1])
      guard ["--config", "--club", "--folder"].contains(name), found[name] == nil else { return nil }
      guard !value.isEmpty, !value.hasPrefix("-") else { return nil }
      found[name] = value
    }
    guard found["--club"] == nil || found["--folder"] == nil else { return nil }
    return StartOptions(config: found["--config"], club: found["--club"], folder: found["--folder"])
  }
}
