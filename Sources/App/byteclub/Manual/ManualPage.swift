import ArgumentParser
import Backends
import Basics
import JSON
import ManualPages
import Screens
import TextUI

/// Generated from the program's own tables: commands, settings, keys, exit codes.
enum ManualPage {
  static func text(_ stores: StoreRegistry = .standard) -> String {
    var page = Roff()
    page.raw(".TH BYTECLUB 1 \"\" \"byteclub \(BuildVersion.number)\" \"User Commands\"")
    page.heading("Name")
    page.raw("byteclub \\- notes and panoramic photos that the members of a club share, in a terminal")
    page.heading("Synopsis")
    page.raw(".B byteclub\n[\\-\\-club NAME | \\-\\-folder DIR] [\\-\\-config FILE]\n.br\n.B byteclub\nNOUN VERB ...")
    page.heading("Description")
    page.paragraph(
      "A club is a folder that several members share: notes, and panoramic photos in its photos folder. Without "
        + "a noun, byteclub shows the club full screen. With one it runs a single command, for scripts: results go to "
        + "standard output, everything else to standard error.")
    page.paragraph(
      "Without a config file the club is ~/ByteClub. The first start makes it, with a welcome note."
    )
    commands(&page)
    settings(&page, ClubSetup.settings(stores))
    keys(&page)
    page.heading("Exit status")
    for status in ExitStatus.allCases { page.item(String(status.rawValue), sentence(status.meaning)) }
    environment(&page)
    files(&page)
    page.heading("Output for scripts")
    page.paragraph(
      "With --json a command prints one document: {\"ok\":true,\"results\":[...]} or {\"ok\":false,\"error\":{\"kind\":"
        + "\"...\",\"message\":\"...\",\"path\":\"...\"}}. Fields and kinds of errors are in docs/json.md.")
    return page.text
  }

  private static func commands(_ page: inout Roff) {
    guard let root = CommandEntry.tree() else { return }
    page.commands(root.verbs)
    page.heading("Options")
    page.paragraph("Every command takes these options, before the noun or after the verb:")
    for parameter in root.parameters { page.item(parameter.spelling, parameter.about) }
    page.item("-h, --help", "Show help, examples first.")
    page.item("--version", "Show the version.")
  }

  private static func settings(_ page: inout Roff, _ table: SettingTable) {
    page.heading("Configuration")
    page.paragraph(
      "The config is a JSON file. A flag overrides a variable, a variable the file, and the file the "
        + "default. An unknown setting is a warning. A wrong value is an error that names the allowed ones.")
    for setting in table.settings {
      var meaning = setting.about + " Must be \(setting.allowed)."
      if let fallback = setting.fallback { meaning += " Default: \(fallback.json.encoded)." }
      if let variable = setting.variable { meaning += " Variable: \(variable)." }
      if let flag = setting.flag { meaning += " Flag: \(flag)." }
      if !setting.stores.isEmpty { meaning += " Store: \(setting.stores.joined(separator: ", "))." }
      page.item(setting.key, meaning)
    }
  }

  private static func keys(_ page: inout Roff) {
    page.heading("Keys")
    page.paragraph("Each can be changed in the config under \"keys\", by the name in brackets.")
    for place in KeyCommand.Place.allCases {
      let commands = KeyCommand.all.filter { $0.place == place }
      guard !commands.isEmpty else { continue }
      page.subheading(place.title)
      for command in commands {
        page.item(
          command.keys.map(\.name).joined(separator: ", "), "\(sentence(command.help)) [\(command.id.rawValue)]")
      }
    }
    page.subheading(ViKeyTable.title)
    page.paragraph("These are fixed. Of the keys of the editor above, those that save work in every mode.")
    for row in ViKeyTable.rows { page.item(row.keys, sentence(row.help)) }
  }

  private static func environment(_ page: inout Roff) {
    page.heading("Environment")
    page.item("BYTECLUB_CONFIG", "The config file, as --config.")
    for setting in ClubSetup.settings().settings {
      if let variable = setting.variable { page.item(variable, "The setting \(setting.key).") }
    }
    page.item(
      Environment.tokenVariable,
      "An access token for the club, for scripts. It overrides the club's tokenCommand and the sign-in of "
        + "byteclub login. Programs that byteclub starts do not get it.")
    page.item("VISUAL, EDITOR", "The editor that note edit starts.")
    page.item("NO_COLOR, COLORTERM, TERM", "The colours that byteclub uses.")
    page.item(
      "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR",
      "Where byteclub keeps its own files; see FILES.")
  }

  private static func files(_ page: inout Roff) {
    page.heading("Files")
    page.item("~/.config/byteclub/config.json", "The config.")
    page.item(
      "~/.local/share/byteclub/",
      "Files that must not be lost: drafts, unsent saves, copies in an editor, sign-ins. Only you can read them.")
    page.item("~/.cache/byteclub/", "Cached files: small pictures, the catalogue.")
    page.item("~/.local/state/byteclub/log", "The log, without any text of notes.")
  }

  private static func sentence(_ words: String) -> String {
    guard let first = words.first else { return words }
    return first.uppercased() + words.dropFirst() + (words.hasSuffix(".") ? "" : ".")
  }
}

extension CommandEntry {
  /// From the parser's own description, so the two cannot differ.
  static func tree() -> CommandEntry? {
    tree(ofHelp: RootCommand._dumpHelp(), shared: ["--config", "--club", "--folder", "--json", "--quiet"])
  }
}

struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the source of the manual page (roff).",
    discussion: Examples.text([
      "byteclub manual | man -l -": "read the manual",
      "byteclub manual --json | less": "the page about JSON and exit codes, for scripts (Markdown)",
    ]))

  @OptionGroup var shared: SharedOptions

  func run() throws {
    let output = Output()
    output.text(shared.json ? JSONPage.text() : ManualPage.text())
    guard CommandEnd.written(output) else { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
