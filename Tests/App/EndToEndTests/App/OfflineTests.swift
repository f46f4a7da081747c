import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// A member whose server goes away and comes back.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OfflineTests {
  private final class Member {
    let home: MemberHome
    let server: ClubServer
    private let variables: [String: String]

    init(notes: [String: String]) throws {
      home = try MemberHome(hasClub: false)
      server = try ClubServer(home, folder: "served")
      for (name, text) in notes { try home.write(text, to: "served/\(name)") }
      let club = ["store": "dropbox", "server": server.address, "folder": "/"]
      let config = try JSONSerialization.data(withJSONObject: ["clubs": ["pier": club]])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      variables = ["BYTECLUB_TOKEN": try server.admit("Ray")]
    }

    func run(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(variables) { all[name] = value.isEmpty ? nil : value }
      return try Spawn(MemberHome.binary(), arguments, environment: all, input: Array(input.utf8)).finish()
    }

    func open(showing text: String, size: Size = Size(100, 24)) throws -> PtySession {
      let session = try home.start([], size: size, variables)
      try session.wait("the list with \"\(text)\"", timeout: .patient) { $0.isFullScreen && $0.contains(text) }
      return session
    }

    func served(_ name: String) -> String? { home.text("served/\(name)") }
  }

  @Test func `everything done while the server is away is sent when it is back, without a key`() throws {
    let member = try Member(notes: ["a.md": "text a\n", "b.md": "text b\n", "c.md": "text c\n", "d.md": "text d\n"])
    let first = try member.run("sync", "now")
    #expect(first.status == 0, "\(first.said)")
    try member.server.crash()

    let session = try member.open(showing: "a.md")
    try session.see("offline")
    // Read and write.
    session.press("Enter")
    try session.see("text a")
    session.press("i")
    try session.see("unchanged  line 1  column 1")
    session.send("my ")
    try session.see("my text a")
    session.press("Ctrl-Q")
    try session.see("1 to send")
    session.press("q")
    try session.see("n new")
    // Rename.
    try session.choose("b.md")
    session.press("R")
    try session.see("New name:")
    session.press("Ctrl-U")
    session.send("bee.md\n")
    try session.see("Renamed \"b.md\" to \"bee.md\".")
    try session.see("2 to send")
    // Trash.
    session.press("j")
    try session.wait("the row of c.md", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("c.md") } == true
    }
    session.press("D")
    try session.see("Move \"c.md\" to the trash?")
    session.press("y")
    try session.see("Moved \"c.md\" to the trash.")
    try session.see("3 to send")
    // The command line.
    let put = try member.run("note", "put", "new", "-", input: "a new note\n")
    #expect(put.status == 6 && put.said.contains("is kept on this machine"), "\(put.said)")
    let move = try member.run("note", "mv", "d", "dee")
    #expect(move.status == 6 && move.said.contains("is kept on this machine"), "\(move.said)")
    let list = try member.run("note", "ls")
    #expect(list.text == "a.md\nbee.md\ndee.md\nnew.md\n", "\(list.text) \(list.said)")
    #expect(try member.run("note", "cat", "new").text == "a new note\n")
    let mine = try member.run("note", "cat", "a")
    #expect(mine.text == "my text a\n" && mine.said.contains("The club does not have it yet"), "\(mine.said)")
    #expect(list.said.contains("The server does not answer"), "\(list.said)")
    #expect(try member.run("sync", "ls").text.split(separator: "\n").count == 5)
    // Quitting says how much waits.
    session.press("q")
    try session.see("not in the club yet")
    session.press("Esc")
    try session.seeGone("not in the club yet")

    let start = ContinuousClock.now
    try member.server.start()
    try session.wait("everything to be sent", timeout: .patient) { _ in
      member.served("a.md") == "my text a\n" && member.served("bee.md") == "text b\n" && member.served("b.md") == nil
        && member.served("c.md") == nil && member.served("new.md") == "a new note\n"
        && member.served("dee.md") == "text d\n" && member.served("d.md") == nil
    }
    print("sent after \(ContinuousClock.now - start)")
    try session.seeGone("to send")
    try session.see("bee.md")
    try session.quit()
    let end = try member.run("note", "ls")
    #expect(end.text == "a.md\nbee.md\ndee.md\nnew.md\n", "\(end.said)")
  }

  @Test func `what waits is sent by a command, and counted until then`() throws {
    let member = try Member(notes: ["a.md": "text a\n", "b.md": "text b\n"])
    #expect(try member.run("sync", "now").status == 0)
    try member.server.crash()
    #expect(try member.run("note", "mv", "a", "aa").status == 6)
    #expect(try member.run("note", "rm", "b").status == 6)
    #expect(try member.run("note", "cat", "aa").text == "text a\n")
    let status = try member.run("sync", "status", "--json")
    #expect(status.text.contains("\"toSend\":2"), "\(status.text)")
    let away = try member.run("sync", "now")
    #expect(away.status == 6, "\(away.said)")
    try member.server.start()
    let now = try member.run("sync", "now")
    #expect(now.status == 0, "\(now.said)")
    #expect(member.served("aa.md") == "text a\n" && member.served("a.md") == nil && member.served("b.md") == nil)
    #expect(try member.run("sync", "ls").text == "")
  }

  @Test func `what waits is sent by the next command that the server answers, whatever it is`() throws {
    let member = try Member(notes: ["a.md": "text a\n", "b.md": "text b\n"])
    #expect(try member.run("sync", "now").status == 0)
    try member.server.crash()
    #expect(try member.run("note", "mv", "a", "aa").status == 6)
    #expect(try member.run("note", "put", "new", "-", input: "a new note\n").status == 6)
    let away = try member.run("note", "cat", "b")
    #expect(away.text == "text b\n" && !away.said.contains("new.md"), "nothing is sent to no server: \(away.said)")
    try member.server.start()
    let status = try member.run("sync", "status", "--json")
    #expect(status.text.contains("\"toSend\":2"), "showing what waits sends nothing: \(status.text)")
    let cat = try member.run("note", "cat", "b")
    #expect(cat.status == 0 && cat.text == "text b\n", "\(cat.said)")
    #expect(cat.said.contains("Sent from earlier: \"aa.md\", \"new.md\"."), "\(cat.said)")
    #expect(member.served("aa.md") == "text a\n" && member.served("a.md") == nil)
    #expect(member.served("new.md") == "a new note\n")
    #expect(try member.run("sync", "ls").text == "")
    #expect(try member.run("note", "cat", "b").said == "")
  }

  @Test func `a conflict that the next command finds is said, and does not fail the command`() throws {
    let member = try Member(notes: ["a.md": "text a\n", "b.md": "text b\n"])
    #expect(try member.run("sync", "now").status == 0)
    try member.server.crash()
    #expect(try member.run("note", "put", "a", "-", input: "my text\n").status == 6)
    try member.home.write("their text\n", to: "served/a.md")
    try member.server.start()
    let cat = try member.run("note", "cat", "b")
    #expect(cat.status == 0 && cat.text == "text b\n")
    #expect(cat.said.contains("Someone else changed \"a.md\" in the meantime. Your text is kept."), "\(cat.said)")
    #expect(cat.said.contains("byteclub draft send \"a.md\" --both"), "\(cat.said)")
    #expect(member.served("a.md") == "their text\n")
    // A conflict is the member's to resolve: later commands leave it alone.
    #expect(try member.run("note", "cat", "b").said == "")
    #expect(try member.run("sync", "ls").text.contains("conflict"))
  }

  @Test func `a move to the trash is taken back before it is sent`() throws {
    let member = try Member(notes: ["a.md": "text a\n", "b.md": "text b\n"])
    #expect(try member.run("sync", "now").status == 0)
    try member.server.crash()
    let session = try member.open(showing: "a.md")
    try session.see("offline")
    session.press("D")
    try session.see("Move \"a.md\" to the trash?")
    session.press("y")
    try session.see("1 to send")
    session.press("z")
    try session.see("\"a.md\" is back.")
    try session.seeGone("to send")
    try session.quit()
  }

  @Test func `lists and texts of the copy say that the server no longer has them, or does not answer`() throws {
    let member = try Member(
      notes: Dictionary(uniqueKeysWithValues: (10..<40).map { ("n\($0).md", "text \($0)\n") }))
    #expect(try member.run("sync", "now").status == 0)
    for number in 10..<40 { #expect(unlink(member.home.path + "/served/n\(number).md") == 0) }
    // The server sees it in a moment; only the verbs of `sync` ask for it without showing a list.
    while try member.run("sync", "now").status == 0 {}
    let list = try member.run("note", "ls")
    #expect(list.text.hasPrefix("n10.md\n"))
    let sentence =
      "byteclub: The server no longer has 30 files that the copy keeps. To agree: byteclub sync now --accept\n"
    #expect(list.said == sentence)
    #expect(try member.run("note", "ls", "--json").text.contains(#""state":"gone""#))
    try member.server.crash()
    let text = try member.run("note", "cat", "n10.md")
    #expect(text.text == "text 10\n" && text.said.contains("this is the local copy") && text.said.hasSuffix(sentence))
    let json = try member.run("note", "cat", "n10.md", "--json").text
    #expect(json.contains(#""state":"gone""#) && json.contains(#""asOf":"20"#), "\(json)")
  }
}
