import ArgumentParser

/// `byteclub config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check and show the settings.",
    discussion: Examples.text([
      "byteclub config check": "what is wrong or odd, if anything",
      "byteclub config show": "every setting, and who said so",
      "$EDITOR \"$(byteclub config path)\"": "edit the config file",
    ]),
    subcommands: [ConfigCheck.self, ConfigShow.self, ConfigPath.self])
}
