import ArgumentParser

/// What every command takes.
struct SharedOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Read this config file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Open this club of the config.", valueName: "name"))
  var club: String?

  @Option(
    name: .long, help: ArgumentHelp("Open this directory as the club, whatever the config says.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Flag(name: .long, help: "Print one JSON document instead of lines.")
  var json = false

  func validate() throws {
    if club != nil, folder != nil {
      throw ValidationError("--club and --folder name two clubs. Leave one of them out.")
    }
    if folder == "" { throw ValidationError("--folder needs a directory.") }
  }

  /// Where to start.
  var start: StartOptions { StartOptions(config: config, club: club, folder: folder) }
}
