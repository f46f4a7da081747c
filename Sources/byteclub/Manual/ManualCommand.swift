import ArgumentParser

/// `byteclub manual`: the source of the man page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the source of the manual page (roff).",
    discussion: Examples.text(["byteclub manual | man -l -": "read the manual"]))

  @Flag(
    name: .long, help: ArgumentHelp("Print the page about JSON and exit codes instead (Markdown).", visibility: .hidden)
  )
  var json = false

  func run() throws {
    let output = Output()
    output.bytes(Array((json ? JSONPage.text() : ManualPage.text()).utf8))
    output.finish()
  }
}
