import ArgumentParser
import Basics
import ManualPages

/// The manual page of the server, generated from its own commands.
enum ServerManual {
  static func text() -> String {
    var page = Roff()
    page.raw(".TH BYTECLUB-SERVE 1 \"\" \"byteclub \(BuildVersion.number)\" \"User Commands\"")
    page.heading("Name")
    page.raw("byteclub\\-serve \\- serve a club's folder to its members")
    page.heading("Synopsis")
    page.raw(
      ".B byteclub serve\n\\-\\-root DIR [\\-\\-listen HOST:PORT] [\\-\\-tls\\-cert FILE \\-\\-tls\\-key FILE]\n.br\n"
        + ".B byteclub serve\nmember add NAME \\-\\-root DIR\n.br\n.B byteclub\\-serve\nCOMMAND ...")
    page.heading("Description")
    page.paragraph(
      "The server speaks Dropbox's HTTP API over a folder of this machine. \"byteclub serve\" becomes this program, and "
        + "both take the same commands. \"byteclub serve --club NAME\" serves a club of the config, whatever its store is."
    )
    page.paragraph(
      "Each member has an access token, which \"member add\" prints and the server keeps as a hash alone. Without TLS the "
        + "server listens on this machine only, unless --insecure is given. SIGTERM stops it; requests under way may end "
        + "within 30 seconds.")
    if let root = CommandEntry.tree(ofHelp: ServeProgram._dumpHelp()) { page.commands(root.verbs) }
    page.heading("Exit status")
    for status in ExitStatus.allCases {
      page.item(String(status.rawValue), status.meaning.prefix(1).uppercased() + status.meaning.dropFirst() + ".")
    }
    page.heading("Files")
    page.item(
      "~/.local/share/byteclub/serve/",
      "Members, app keys and the index of each served folder. XDG_DATA_HOME moves it. Only you can read it.")
    page.item(
      "byteclub-serve@.service",
      "The systemd unit of the Debian package. \"systemctl start byteclub-serve@garage\" serves "
        + "/var/lib/byteclub/garage/club on this machine.")
    page.heading("See also")
    page.raw(".BR byteclub (1)")
    return page.text
  }
}

struct ServerManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the source of the server's manual page (roff).")

  func run() throws { try Output.say(String(ServerManual.text().dropLast())) }
}
