import Foundation
import TestKit
import Testing

/// Joining and leaving clubs, and a member's devices, as a script does it.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct JoinVerbTests {
  private static let dropIn = ".config/byteclub/clubs.d/garage-2j.json"

  /// Every file below a home but the tokens', as one text.
  private func everything(_ home: CommandLineHome) -> String {
    home.files(ending: "").filter { !$0.contains("/tokens/") }
      .compactMap { home.read($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test func `a member joins, reads, and leaves, without a file edited and without a secret printed`() throws {
    let door = try FakeDoor()
    let home = try CommandLineHome()
    let join = try home.run("join", door.line, "--json")
    #expect(join.status == 0, "\(join.text)\(join.said)")
    for part in [#""name":"garage-2j""#, #""member":"ann""#, #""change":"added""#, #""isReader":false"#] {
      #expect(join.text.contains(part), "\(join.text)")
    }
    #expect(try home.mode(Self.dropIn) == 0o600)
    let token = try #require(home.files(ending: ".json").first { $0.contains("/tokens/") })
    #expect(try home.mode(token) == 0o600)
    #expect(try home.mode((token as NSString).deletingLastPathComponent) == 0o700)
    #expect(try home.run("config", "check").status == 0)
    #expect(
      try home.run("config", "show").text.contains("# ~/.config/byteclub/clubs.d/garage-2j.json, line 1"))
    #expect(try home.run("club", "ls").text.hasPrefix("* garage-2j"))
    let again = try home.run("join", door.line, "--no-open")
    #expect(again.status == 0 && again.said.hasPrefix("You are in this club already, as ann.\n"), "\(again.said)")
    let unasked = try home.run("club", "leave", "garage-2j")
    #expect(unasked.status == 2 && unasked.said.contains("Add --yes."), "\(unasked.said)")
    let whoami = try home.run("whoami")
    #expect(whoami.status == 0 && whoami.text.hasPrefix("ann on"))

    let leave = try home.run("club", "leave", "garage-2j", "--yes")
    let gone = try home.run("join", door.line, "--no-open")
    #expect(gone.status == 7 && gone.said.contains("does not accept this invitation"), "\(gone.said)")
    #expect(leave.status == 0, "\(leave.said)")
    #expect(leave.said.contains("To come back, ask the club's owner for a new invitation."))
    #expect(door.requests.contains("/2/auth/token/revoke") && home.read(Self.dropIn) == nil)
    #expect(home.files(ending: ".json").allSatisfy { !$0.contains("/tokens/") })
    for outcome in [join, again, whoami, leave, gone] { #expect(!FakeDoor.tells(outcome.text + outcome.said)) }
    #expect(!FakeDoor.tells(everything(home)))
  }

  @Test func `the answer says who the member is and what the club holds, and drives no terminal`() throws {
    let door = try FakeDoor()
    let home = try CommandLineHome()
    let join = try home.run("join", "-", input: "Come in: <\(door.line.prefix(30))\n\(door.line.dropFirst(30))>.\n")
    #expect(join.status == 0 && join.text.isEmpty, "\(join.said)")
    #expect(join.said.contains("You are ann in the club \"../../Garage"), "\(join.said)")
    #expect(
      join.said.contains("Here it is \"garage-2j\", in ~/\(Self.dropIn). Open it with: byteclub --club"))
    #expect(!join.said.contains("\u{1B}"))
    #expect(home.files(ending: ".json").filter { $0.contains("clubs.d") } == [Self.dropIn])
  }

  @Test func `a used line, a portal, a cut line and a server that is away are a sentence each, and leave nothing`()
    throws
  {
    let door = try FakeDoor()
    #expect(try CommandLineHome().run("join", door.line, "--no-open").status == 0)
    let portal = try RawServer.answering { _ in
      RawAnswer(200, body: Array("<html>Welcome to the hotel".utf8))
    }
    defer { portal.stop() }
    // Nobody listens there, and nobody else gets the port.
    let away = try HeldPort()
    defer { withExtendedLifetime(away) {} }
    let lineAway = "http://127.0.0.1:\(away.number)/join#\(FakeDoor.code)"
    let rows: [(line: String, status: Int32, words: String)] = [
      (door.line, 7, "does not accept this invitation"),
      ("\(portal.url)/join#\(FakeDoor.code)", 1, "Something else than"),
      (String(door.line.dropLast(4)), 1, "is not whole"), (lineAway, 6, "refuses connections"),
      ("http://club.example/join#\(FakeDoor.code)", 1, "not encrypted"),
      ("hello", 1, "not an invitation"),
    ]
    for row in rows {
      let home = try CommandLineHome()
      let join = try home.run("join", row.line, "--no-open")
      #expect(join.status == row.status && join.said.contains(row.words), "\(join.status): \(join.said)")
      #expect(join.text.isEmpty && join.said.split(separator: "\n").count == 1, "\(join.said)")
      #expect(!FakeDoor.tells(join.said) && !FakeDoor.tells(everything(home)))
      #expect(home.files(ending: ".json").allSatisfy { $0.contains("/joins/") })
    }
    let home = try CommandLineHome()
    for words in [[door.line], ["device", door.line], ["join", "-\(FakeDoor.code)"], ["join", "--\(FakeDoor.code)"]] {
      let refused = try home.start(words).finish()
      #expect(refused.status == 2 && refused.said.contains("The line of an invitation"), "\(refused.said)")
      #expect(!FakeDoor.tells(refused.said))
    }
  }

  @Test func `devices are added by a line, listed and removed`() throws {
    let door = try FakeDoor()
    let home = try CommandLineHome()
    #expect(try home.run("join", door.line, "--no-open").status == 0)
    let add = try home.run("device", "add")
    #expect(add.text == "\(door.server.url)/join#\(FakeDoor.deviceCode)\n", "\(add.said)")
    let list = try home.run("device", "ls")
    let lines = list.text.split(separator: "\n")
    #expect(lines.first?.hasSuffix("  2026-11-27T06:00:00Z  -") == true, "\(list.text)")
    #expect(lines.count == 2 && lines[0].hasPrefix("* d1  desk") && lines[1].hasPrefix("  d2  phone"), "\(list.text)")
    #expect(try home.run("device", "rm", "d2").status == 0)
    #expect(try home.run("device", "rm", "d9").status == 4)
    #expect(!everything(home).contains(FakeDoor.deviceCode))
  }

  @Test func `a member leaves a club whose server is away, and hears that the server does not know`() throws {
    var door: FakeDoor? = try FakeDoor()
    let home = try CommandLineHome()
    #expect(try home.run("join", try #require(door).line, "--no-open").status == 0)
    try #require(door).server.stop()
    door = nil
    let leave = try home.run("club", "leave", "garage-2j", "--yes")
    #expect(leave.status == 0 && leave.said.contains("could not be told"), "\(leave.said)")
    #expect(home.files(ending: ".json").allSatisfy { !$0.contains("clubs.d") && !$0.contains("/tokens/") })
  }

  @Test func `a club of the config, an unknown one, and a question without a terminal are refused`() throws {
    let home = try CommandLineHome()
    try home.write(#"{"clubs":{"shelf":{"path":"/shelf"}}}"#.utf8, to: ".config/byteclub/config.json")
    let own = try home.run("club", "leave", "shelf", "--yes")
    #expect(
      own.status == 1 && own.said.contains("Remove it from ~/.config/byteclub/config.json yourself."), "\(own.said)")
    #expect(try home.run("club", "leave", "shlef", "--yes").status == 2)
    // Without --yes, too, the club is looked for first.
    let unasked = try home.run("club", "leave", "shlef")
    #expect(unasked.status == 2 && unasked.said.contains("no club \"shlef\""), "\(unasked.said)")
    #expect(try home.run("club", "leave", "shelf").status == 1)
    #expect(try home.run("join", "hello", "--name", "../x").status == 2)
    let token = try home.run("join", "hello", variables: ["BYTECLUB_TOKEN": "t"])
    #expect(token.status == 1 && token.said.contains("BYTECLUB_TOKEN is set"))
  }

  @Test func `on a terminal the club opens when it is joined`() throws {
    let host = try CommandLineHome()
    let server = try RunningServer(in: host)
    try host.write("hello\n".utf8, to: "club/Hello.md")
    let home = try MemberHome(hasClub: false)
    let session = try home.start(["join", try server.invitation("ann")])
    try session.wait("the club's list", timeout: .patient) { $0.isFullScreen && $0.contains("Hello.md") }
    try session.quit()
    #expect(try server.finish().status == 0)
  }

  @Test func `two homes meet in a club by invitations and commands alone`() throws {
    let host = try CommandLineHome()
    let server = try RunningServer(in: host)
    let homes = try ["ann", "ray"].map { name in
      let line = try server.invitation(name)
      let home = try CommandLineHome()
      // As it was copied, without quotes.
      let join = try home.run("join", "Come", "in:", line, "--no-open")
      #expect(join.status == 0 && join.said.contains("You are \(name) in the club"), "\(join.said)")
      // The code has let one device in.
      #expect(try CommandLineHome().run("join", line, "--no-open").status == 7)
      return home
    }
    #expect(try homes[0].run("note", "put", "Hello", input: "from ann\n").status == 0)
    #expect(try homes[1].run("note", "cat", "Hello").text == "from ann\n")

    // A second machine of ann's is the same member.
    let added = try homes[0].run("device", "add")
    let second = try CommandLineHome()
    let join = try second.run("join", added.text, "--no-open")
    #expect(join.status == 0 && join.said.contains("You are ann"), "\(join.said)")
    let devices = try homes[0].run("device", "ls", "--json").text
    #expect(devices.components(separatedBy: "\"id\"").count == 3, "\(devices)")

    #expect(devices.components(separatedBy: #""lastUsed":"20"#).count == 3, "\(devices)")
    #expect(try homes[0].run("doctor").text.contains("Server        byteclub serve "))

    // A machine that joins once more is one device.
    #expect(try homes[0].run("join", try server.invitation("ann"), "--no-open").status == 0)
    let anew = try homes[0].run("device", "ls", "--json").text
    #expect(anew.components(separatedBy: "\"id\"").count == 3 && anew != devices, "\(anew)")
    #expect(try homes[0].run("note", "cat", "Hello").text == "from ann\n")

    let name = try #require(second.files(ending: ".json").first { $0.contains("clubs.d") })
    let club = ((name as NSString).lastPathComponent as NSString).deletingPathExtension
    #expect(try second.run("club", "leave", club, "--yes").status == 0)
    #expect(try homes[0].run("note", "cat", "Hello").status == 0)
    #expect(try server.finish().status == 0)
  }

  @Test func `a reader's commands say so at once, and a text from a pipe is kept`() throws {
    let host = try CommandLineHome()
    let server = try RunningServer(in: host)
    try host.write("hello\n".utf8, to: "club/Hello.md")
    let invited = try server.manage(
      "invite", "ben", "--read-only", "--address", "http://127.0.0.1:\(server.port)")
    let line = try #require(invited.text.split(separator: "\n").first { $0.contains("/join#") })
    let home = try CommandLineHome()
    #expect(try home.run("join", String(line), "--no-open").status == 0)
    let sentence = "You are a reader of this club: you can read everything and change nothing."
    for words in [
      ["note", "rm", "Hello"], ["note", "mv", "Hello", "Other"], ["photo", "mv", "x.jpg", "y"],
      ["trash", "restore", "Hello"], ["note", "edit", "Hello"], ["photo", "put", "/tmp/x.jpg"],
    ] {
      let run = try home.start(words).finish()
      #expect(run.status == 7 && run.said.contains(sentence), "\(words): \(run.status) \(run.said)")
    }
    #expect(try home.run("note", "cat", "Hello").text == "hello\n")
    #expect(try home.run("note", "put", "Hello", input: "mine\n").status == 7)
    #expect(try home.run("draft", "ls").text.contains("Hello.md"))
    #expect(try home.run("sync", "ls").status == 0)
    #expect(host.read("club/Hello.md") == Array("hello\n".utf8))
    #expect(try server.finish().status == 0)
  }
}
