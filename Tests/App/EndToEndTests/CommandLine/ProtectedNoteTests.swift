import Foundation
import POSIX
import TestKit
import Testing

/// Notes that a folder protects, that other systems wrote, and that an editor has open longer than the command.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct ProtectedNoteTests {
  /// Runs byteclub as a user whom the modes of files concern: without the privileges of root.
  private func run(
    _ home: CommandLineHome, _ words: [String], input: String = "", _ variables: [String: String] = [:]
  ) throws -> Spawn.Outcome {
    guard geteuid() == 0 else { return try home.start(words, input: Array(input.utf8), variables).finish() }
    return try Spawn(
      "/usr/bin/setpriv",
      ["--bounding-set", "-all", "--inh-caps", "-all", try #require(CommandLineHome.binary)] + words,
      environment: home.environment.merging(variables) { $1 }, input: Array(input.utf8)
    ).finish()
  }

  private func home(_ bytes: some Sequence<UInt8>, mode: Int = 0o644) throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write(bytes, to: "ByteClub/n.md")
    #expect(chmod(home.club + "/n.md", mode_t(mode)) == 0)
    return home
  }

  @Test(arguments: [
    ["note", "put", "n"], ["note", "append", "n", "more"], ["photo", "caption", "p.png", "more"],
    ["note", "edit", "n"],
  ])
  func `a note that its member may not write is not replaced`(_ words: [String]) throws {
    let home = try home("old\n".utf8, mode: 0o444)
    try home.write(Pictures.jpeg, to: "ByteClub/photos/p.png")
    try home.write("old\n".utf8, to: "ByteClub/photos/p.png.md")
    #expect(chmod(home.club + "/photos/p.png.md", 0o444) == 0)
    let name = words[0] == "note" ? "n.md" : "photos/p.png.md"
    try home.write("#!/bin/sh\necho new >\"$1\"\n".utf8, to: "editor")
    #expect(chmod(home.path + "/editor", 0o755) == 0)
    let outcome = try run(home, words, input: "new\n", ["EDITOR": home.path + "/editor"])
    #expect(outcome.status == 7, "\(outcome.said)")
    #expect(outcome.said.contains("\"\(name)\" is write-protected (mode 444)."), "\(outcome.said)")
    #expect(home.read("ByteClub/\(name)") == Array("old\n".utf8))
    #expect(try home.mode("ByteClub/\(name)") == 0o444)
  }

  @Test(.enabled(if: geteuid() == 0, "another user's file needs root"), arguments: [0o644, 0o600])
  func `another user's note stays theirs`(_ mode: Int) throws {
    let home = try home("old\n".utf8, mode: mode)
    #expect(chown(home.club + "/n.md", 12_345, 12_345) == 0)
    let outcome = try run(home, ["note", "append", "n", "more"])
    #expect(outcome.status == 7, "\(outcome.said)")
    #expect(home.read("ByteClub/n.md") == Array("old\n".utf8))
    var facts = stat()
    #expect(stat(home.club + "/n.md", &facts) == 0 && facts.st_uid == 12_345)
  }

  @Test func `a note that its group may write is written`() throws {
    let home = try home("old\n".utf8, mode: 0o664)
    #expect(try run(home, ["note", "append", "n", "more"]).status == 0)
    #expect(home.read("ByteClub/n.md") == Array("old\nmore\n".utf8))
  }

  @Test func `notes in UTF-16 and Latin-1 are shown and found, and get nothing in another encoding`() throws {
    let wide: [UInt8] =
      [0xFF, 0xFE] + "café\n".utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let narrow: [UInt8] = [0x63, 0x61, 0x66, 0xE9, 0x0A]
    for bytes in [wide, narrow] {
      let home = try home(bytes)
      #expect(try home.run("note", "show", "n").text.contains("café"))
      #expect(try home.run("search", "café").text == "n.md:1: café\n")
      #expect(try home.run("note", "cat", "n").output == bytes)
      let refused = try home.run("note", "append", "n", "größer")
      #expect(refused.status == 1, "\(refused.said)")
      #expect(refused.said.contains("the added text is UTF-8: no program could read them together"))
      #expect(home.read("ByteClub/n.md") == bytes)
      #expect(try home.run("draft", "ls").text.contains("n.md"))
      #expect(try home.run("draft", "cat", "n.md").text.contains("größer"))
    }
  }

  @Test func `a note with the line ends of Windows keeps them when text is added`() throws {
    let home = try home("one\r\ntwo\r\n".utf8)
    #expect(try home.run("note", "append", "n", "new").status == 0)
    #expect(home.read("ByteClub/n.md") == Array("one\r\ntwo\r\nnew\r\n".utf8))
  }

  @Test func `what is saved in an editor that does not wait reaches the club with the next command`() throws {
    let home = try home("old\n".utf8)
    try home.write("#!/bin/sh\nprintf %s \"$1\" >'\(home.path)/place'\n".utf8, to: "code")
    #expect(chmod(home.path + "/code", 0o755) == 0)
    let variables = ["EDITOR": home.path + "/code"]
    let outcome = try home.start(["note", "edit", "n"], variables).finish()
    #expect(outcome.status == 0)
    #expect(outcome.said.hasPrefix("\"n.md\" is not changed."), "\(outcome.said)")
    let place = String(decoding: try #require(home.read("place")), as: UTF8.self)
    for text in ["typed late\n", "typed later\n"] {
      try Data(text.utf8).write(to: URL(filePath: place))
      // The time of the text is a second's beginning, and only what is older than the command is sent with it.
      let sent = try home.run("note", "ls")
      #expect(sent.status == 0 && sent.said.contains("Sent from earlier: \"n.md\"."), "\(sent.said)")
      #expect(home.read("ByteClub/n.md") == Array(text.utf8))
    }
  }
}
