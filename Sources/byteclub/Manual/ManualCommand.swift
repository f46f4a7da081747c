import ArgumentParser

/// `byteclub manual`: the source of the man page.
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
    output.bytes(Array((shared.json ? JSONPage.text() : ManualPage.text()).utf8))
    output.finish()
  }
}
