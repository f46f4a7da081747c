import Foundation
import POSIX
import TestKit
import Testing

/// What scripts rely on: streams, JSON, exit codes, signals, settings.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct ContractTests {
  private struct Document: Decodable {
    struct Fault: Decodable { let kind: String }
    let ok: Bool
    let error: Fault?
  }

  @Test(arguments: [
    (["note", "cat", "nothing"], Int32(4), "notFound"), (["note", "cat", "../secret"], 1, "badName"),
    (["--club", "nowhere", "note", "ls"], 2, "badInput"), (["note", "frobnicate"], 2, "badInput"),
    (["--folder", "/nowhere/at/all", "note", "ls"], 4, "notFound"),
    (["--folder", "/etc/passwd", "note", "ls"], 1, "badInput"), (["photo", "put", "/etc/passwd"], 1, "corrupt"),
  ])
  func `an error is one JSON document and an exit code`(_ row: (words: [String], status: Int32, kind: String)) throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    let outcome = try home.start(row.words + ["--json"]).finish()
    #expect(outcome.status == row.status)
    let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output))
    #expect(!document.ok)
    #expect(document.error?.kind == row.kind)
    #expect(outcome.text.split(separator: "\n").count == 1)
    let plain = try home.start(row.words).finish()
    #expect(plain.status == row.status)
    #expect(plain.output.isEmpty)
    #expect(!plain.said.isEmpty)
    #expect(!plain.said.contains("Fatal error"))
  }

  @Test(arguments: [
    (["note", "frob"], #"byteclub has no command \"byteclub note frob\"."#),
    (["--json", "nota"], #"byteclub has no command \"byteclub nota\". Did you mean \"byteclub note\"?"#),
    (["--club", "x", "note", "--json", "frob"], #"byteclub has no command \"byteclub note frob\"."#),
    (["nota", "--help"], #"byteclub has no command \"byteclub nota\". Did you mean \"byteclub note\"?"#),
    (["--club=x", "note", "lss", "-h"], #"no command \"byteclub note lss\". Did you mean \"byteclub note ls\"?"#),
    (["note"], #"\"byteclub note\" needs a verb: ls"#), (["completion", "bash"], "A completion script is not JSON"),
    (["demo"], "The demo is full screen"), (["note", "history", "x", "--limit", "0"], "--limit must be 1 or more"),
    (["photo", "get", "x", "--to", "-"], "--to - and --json both write to standard output"),
    (["photo", "view", "x"], "JSON cannot hold a drawing."),
  ])
  func `wrong usage under --json is one document that says what was meant, and ends with 2`(
    _ row: (words: [String], sentence: String)
  ) throws {
    let outcome = try CommandLineHome().start(row.words + (row.words.contains("--json") ? [] : ["--json"])).finish()
    #expect(outcome.status == 2)
    #expect(outcome.text.contains(row.sentence), "\(outcome.text)")
    #expect(try JSONDecoder().decode(Document.self, from: Data(outcome.output)).error?.kind == "badInput")
    #expect(outcome.said == "")
  }

  @Test func `manual --json prints the page about JSON`() throws {
    let outcome = try CommandLineHome().run("manual", "--json")
    #expect(outcome.status == 0)
    #expect(outcome.text.hasPrefix("# For scripts: JSON and exit codes\n"))
    #expect(outcome.text.contains("| `badInput` | 1; 2 when the command line or the config is wrong |"))
  }

  @Test(arguments: [
    #"{"clubs":{"lab":{"store":"dropbox","server":"x:8443"}}}"#, #"{"clubs":{"lab":{"store":"dropbox"}}}"#,
    #"{"clubs":{"lab":{"store":"dropbox-v1"}}}"#, #"{"clubs":{"lab":{}}}"#,
    #"{"clubs":{"lab":{"store":"dropbox","server":"http://club.example"}}}"#,
  ])
  func `a wrong config ends each command with 2, as config check does`(_ config: String) throws {
    let home = try CommandLineHome()
    try home.write(config.utf8, to: ".config/byteclub/config.json")
    var sentences: Set<String> = []
    for words in [["config", "check"], ["note", "ls"], ["photo", "ls"], ["login"], ["whoami"], ["club", "init"]] {
      let outcome = try home.start(words).finish()
      #expect(outcome.status == 2, "\(words)")
      sentences.insert(outcome.said)
    }
    #expect(sentences.count == 1, "\(sentences)")
  }

  @Test(arguments: [["--help"], ["note", "-h"], ["note", "put", "--help"], ["doctor", "-h"]])
  func `help goes to standard output, with the examples first`(_ words: [String]) throws {
    let outcome = try CommandLineHome().start(words).finish()
    #expect(outcome.status == 0)
    let examples = try #require(outcome.text.range(of: "EXAMPLES:"))
    let usage = try #require(outcome.text.range(of: "USAGE:"))
    #expect(examples.lowerBound < usage.lowerBound)
    #expect(outcome.said.isEmpty)
  }

  @Test func `a reader that has gone away ends the program quietly`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "long.md", input: String(repeating: "line\n", count: 400_000))
    let program = try home.start(["note", "cat", "long.md"])
    program.closeOutput()
    let outcome = try program.finish()
    #expect(outcome.status == 0)
    #expect(outcome.said == "")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted put ends with 130 and leaves nothing behind`(_ number: Int32) throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    let session = try PtySession(
      try #require(CommandLineHome.binary), ["note", "put", "half.md"],
      environment: ["HOME": home.path, "XDG_RUNTIME_DIR": ""])
    try session.wait(for: "Type the note.")
    session.send("half\n")
    session.signal(number)
    #expect(try session.waitExit() == .exited(130))
    #expect(home.files(ending: ".md") == ["ByteClub/Welcome.md"])
  }

  @Test func `hostile names are spelled on a terminal and untouched in a pipe`() throws {
    let home = try CommandLineHome()
    let name = "\u{1B}]0;pwned\u{7}\u{202E}x.md"
    try home.write("text\n".utf8, to: "ByteClub/\(name)")
    #expect(try home.run("note", "ls").text == name + "\n")
    let session = try PtySession(
      try #require(CommandLineHome.binary), ["note", "ls"], environment: ["HOME": home.path, "XDG_RUNTIME_DIR": ""])
    #expect(try session.waitExit() == .exited(0))
    #expect(session.screen.row(0) == "^[]0;pwned^G<U+202E>x.md")
    #expect(!session.rawBytes.contains(0x1B))
    #expect(!session.rawBytes.contains(0x07))
    #expect(try !home.run("note", "ls", "--json").output.contains(0x1B))
  }

  @Test func `flag goes before variable, variable before file, file before default`() throws {
    let home = try CommandLineHome()
    func shown(_ flags: [String], _ variables: [String: String]) throws -> String {
      let outcome = try home.start(["config", "show"] + flags, variables).finish()
      return outcome.text.split(separator: "\n").first { $0.hasPrefix("club =") }.map(String.init) ?? outcome.said
    }
    #expect(try shown([], [:]).hasSuffix("# default"))
    let file = #"{"club":"a","clubs":{"a":{"path":"/a"},"b":{"path":"/b"},"c":{"path":"/c"}}}"#
    try home.write(file.utf8, to: ".config/byteclub/config.json")
    #expect(try shown([], [:]).contains(#""a""#))
    #expect(try shown([], ["BYTECLUB_CLUB": "b"]).contains(#""b""#))
    #expect(try shown(["--club", "c"], ["BYTECLUB_CLUB": "b"]).contains(#""c""#))
  }

  @Test func `without HOME a sentence says what to set`() throws {
    let outcome = try CommandLineHome().start(["note", "ls"], ["HOME": ""]).finish()
    #expect(outcome.status == 2)
    #expect(outcome.said.contains("HOME is not set"))
  }

  @Test func `doctor says what is wrong and what to do, and ends with 1`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    #expect(try home.run("doctor").status == 0)
    chmod(home.path + "/.local/share/byteclub", 0o755)
    let outcome = try home.run("doctor")
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("WRONG"))
    #expect(outcome.text.contains("chmod 700"))
  }

  @Test func `the log says what failed, and never what a note says`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", "--if-rev", "none", input: "the secret of the lighthouse\n")
    let log = String(decoding: try #require(home.read(".local/state/byteclub/log")), as: UTF8.self)
    #expect(log.contains("a.md"))
    #expect(!log.contains("lighthouse"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `there is a completion for each shell`(_ shell: String) throws {
    let outcome = try CommandLineHome().run("completion", shell)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("photo"))
  }
}
