import ArgumentParser

/// `byteclub config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check and show the settings.",
    discussion: Examples.text([
      "byteclub config check": "errors and warnings, if any",
      "byteclub config show": "every setting and where it comes from",
      "$EDITOR \"$(byteclub config path)\"": "edit the config file",
    ]),
    subcommands: [ConfigCheck.self, ConfigShow.self, ConfigPath.self])
}
