import TestKit
import TextUI
import Testing

/// Terminals, languages, colours, and what is no terminal.
@Suite(.serialized) struct SurroundingsTests {
  private func home() throws -> MemberHome { try MemberHome(notes: ["a.md": "a", "日本 é.md": "b"]) }

  @Test(
    "A terminal that cannot do it is refused in a sentence, without an escape, with exit code 1",
    arguments: ["dumb", "", "nonsense-9"])
  func refusedTerminals(_ name: String) throws {
    let home = try home()
    let session = try home.start(size: Size(200, 10), ["TERM": name])
    #expect(try session.waitExit(timeout: .patient) == .exited(1))
    #expect(session.screen.contains("byteclub: "))
    #expect(!session.rawBytes.contains(0x1B))
    #expect(session.modes == .cooked)
  }

  @Test(
    "Without a terminal at either end it refuses in a sentence", arguments: ["% | cat", "% </dev/null", "% >/dev/null"])
  func pipes(_ command: String) throws {
    let home = try home()
    let call = "'\(try MemberHome.binary())' --folder '\(home.club)'"
    let line = command.replacing("%", with: call)
    let session = try PtySession(
      "sh", ["-c", line + (command.contains("|") ? "" : "; echo \"code $?\"")], size: Size(200, 10),
      environment: home.environment())
    _ = try session.waitExit(timeout: .patient)
    #expect(session.screen.contains("byteclub draws on a whole terminal"))
    if !command.contains("|") { #expect(session.screen.contains("code 1")) }
    #expect(!session.rawBytes.contains(0x1B))
  }

  @Test(
    "Marks are ASCII in a locale that is not UTF-8, unless the setting says otherwise",
    arguments: [
      (["LANG": "C.UTF-8"], false), (["LANG": ""], true), (["LC_ALL": "C"], true),
      (["LANG": "C", "LC_CTYPE": "en_US.utf8"], false), (["LC_ALL": "C", "BYTECLUB_UI_ASCII": "false"], false),
      (["LANG": "C.UTF-8", "BYTECLUB_UI_ASCII": "true"], true),
    ])
  func marks(variables: [String: String], isASCII: Bool) throws {
    let home = try home()
    let session = try home.open(showing: "a.md", size: Size(120, 30), variables)
    #expect(session.screen.contains(isASCII ? "Name ^" : "Name ▲"))
    try session.wait("the rule", timeout: .patient) { $0.grid[48, 5].base == (isASCII ? 0x7C : 0x2502) }
    try session.quit()
  }

  @Test(
    "Other terminals, languages and colours show the same list",
    arguments: [
      ["TERM": "xterm-kitty"], ["TERM": "xterm-256color"], ["TERM": "vt100"], ["TERM": "tmux-256color"],
      ["LANG": "C"], ["LANG": ""], ["LC_ALL": "POSIX"], ["NO_COLOR": "1"], ["COLORTERM": "truecolor"],
      ["TERM": "linux"], ["TERM": "xterm", "NO_COLOR": "1"],
    ])
  func surroundings(_ variables: [String: String]) throws {
    let home = try home()
    try home.write(Pictures.jpeg, to: "club/photos/beach.jpg")
    // Not every terminal has a second screen.
    let session = try home.start(nil, variables)
    try session.see("a.md")
    try session.see("日本 é.md")
    session.press("2")
    try session.see("beach.jpg")
    let isASCII = variables["LANG"] != nil || variables["LC_ALL"] != nil
    if variables["NO_COLOR"] == nil, variables["TERM"] != "vt100", !isASCII {
      try session.wait("the thumbnail", timeout: .patient) { screen in
        (1..<9).contains { y in (2..<24).contains { screen.grid[$0, y].base == 0x2580 } }
      }
    }
    session.press("1")
    try session.see("a.md")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    #expect(session.modes == .cooked)
    let text = String(decoding: session.rawBytes, as: UTF8.self)
    if variables["NO_COLOR"] != nil || variables["TERM"] == "vt100" {
      #expect(!text.contains("38;5;") && !text.contains("38;2;"))
    }
    if variables["COLORTERM"] == "truecolor" { #expect(text.contains("38;2;")) }
    if (variables["TERM"] ?? "xterm").hasPrefix("xterm") { #expect(EscapeAudit.findings(in: session.rawBytes) == []) }
  }

  @Test func `the mouse opens rows and tabs`() throws {
    let home = try home()
    let session = try home.open(showing: "a.md")
    // The number of the notes moves the next tab.
    let tab = try #require(try session.see("1 Notes 2 ").place(of: "2 PanoPhotos"))
    session.send(bytes: Array("\u{1B}[<0;\(tab.x + 2);1M\u{1B}[<0;\(tab.x + 2);1m".utf8))
    try session.see("No photos yet.")
    session.press("1")
    try session.see("a.md")
    let row = try #require(session.screen.place(of: "日"))
    session.send(bytes: Array("\u{1B}[<0;\(row.x + 1);\(row.y + 1)M\u{1B}[<0;\(row.x + 1);\(row.y + 1)m".utf8))
    try session.wait("the clicked row is chosen", timeout: .patient) { $0.chosen == row.y }
    try session.quit()
  }
}
