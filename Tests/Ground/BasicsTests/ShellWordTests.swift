import Basics
import Foundation
import Testing

@Suite struct ShellWordTests {
  @Test(
    "A name is one word of a command that a member pastes, and nothing in it runs",
    arguments: [
      "Low tide.md", "$(touch here).md", "`id`.md", "a\"; id; \".md", "it's $HOME.md", "back\\slash.md", "news!.md",
    ])
  func words(name: String) throws {
    for word in [PathText.shellWord(name), PathText.plainWord(name)] { try check(word, of: name) }
  }

  private func check(_ word: String, of name: String) throws {
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "printf '<%s>' " + word]
    shell.standardOutput = output
    try shell.run()
    let said = try #require(try output.fileHandleForReading.readToEnd())
    shell.waitUntilExit()
    #expect(String(decoding: said, as: UTF8.self) == "<\(name)>")
  }

  @Test func `an ordinary path of the member stays as it is, and the home before the quotes`() {
    #expect(PathText.plainWord("/srv/garage") == "/srv/garage" && PathText.plainWord("/a b") == "'/a b'")
    #expect(PathText.plainWord("~/club") == "~/club" && PathText.plainWord("~/my club") == "~/'my club'")
    #expect(PathText.plainWord("~/club", atHome: false) == "'~/club'" && PathText.plainWord("") == "''")
  }

  @Test func `an ordinary name stays as people write it`() {
    #expect(PathText.shellWord("Low tide.md") == "\"Low tide.md\"" && PathText.shellWord("it's") == "\"it's\"")
  }
}
