import Foundation
import TestKit
import TextUI
import Testing

/// `byteclub note link`, `photo link` and `link`, by the real program and server.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct LinkVerbTests {
  private final class World {
    let home: MemberHome
    let server: ClubServer
    private let token: String

    init(options: [String] = ["--shared-links"]) throws {
      home = try MemberHome(hasClub: false)
      server = try ClubServer(home, folder: "served", options: options)
      token = try server.admit("ray")
      let clubs = [
        "lab": ["store": "dropbox", "server": server.address, "folder": "/"],
        "here": ["store": "folder", "path": home.path + "/served"],
      ]
      let config = try JSONSerialization.data(withJSONObject: ["club": "lab", "clubs": clubs] as [String: Any])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      try home.write("# The pier\n", to: "served/The pier.md")
      try home.write("no picture\n", to: "served/photos/Far/pier.jpg")
    }

    private var environment: [String: String] {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(["BYTECLUB_TOKEN": token]) { all[name] = value.isEmpty ? nil : value }
      return all
    }

    func run(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
      try Spawn(MemberHome.binary(), arguments, environment: environment, input: Array(input.utf8)).finish()
    }

    func type(_ arguments: String...) throws -> PtySession {
      try PtySession(
        MemberHome.binary(), arguments, size: Size(100, 24), environment: home.environment(["BYTECLUB_TOKEN": token]),
        workingDirectory: home.path)
    }
  }

  @Test func `a note and a photo are shared, listed and no longer shared`() throws {
    let world = try World()
    let note = try world.run("note", "link", "The pier", "--expires", "never")
    #expect(note.status == 0 && note.said == "It never expires.\n", "\(note.said)")
    let url = note.text.trimmingCharacters(in: .newlines)
    #expect(url.hasPrefix(world.server.address + "/s/") && url.hasSuffix("/The%20pier.md?dl=0") && !url.contains("\n"))
    #expect(try world.run("note", "link", "The pier").text == note.text)
    let photo = try world.run("photo", "link", "Far/pier.jpg")
    #expect(
      photo.status == 0 && photo.said.hasPrefix("It ends on 2") && photo.said.hasSuffix(" UTC.\n"), "\(photo.said)")
    let list = try world.run("link", "ls")
    #expect(
      list.text.split(separator: "\n").map { String($0.split(separator: "  ", maxSplits: 1)[1]) }
        == ["The pier.md", "photos/Far/pier.jpg"], "\(list.text)")
    let long = try world.run("link", "ls", "--long").text.split(separator: "\n")
    #expect(long[0].hasPrefix("never ") && long[1].hasPrefix("20"), "\(long)")
    let json = try world.run("link", "ls", "--json").text
    #expect(json.contains(#""name":"The pier.md","path":"The pier.md","hasPassword":false"#), "\(json)")
    let gone = try world.run("link", "rm", "Far/pier.jpg", url)
    #expect(
      gone.said == "The link to \"photos/Far/pier.jpg\" has ended.\nThe link to \"The pier.md\" has ended.\n",
      "\(gone.said)")
    #expect(try world.run("link", "ls").text.isEmpty)
    let again = try world.run("link", "rm", "The pier")
    #expect(again.status == 4 && again.said.contains("You have no link to \"The pier\"."), "\(again.said)")
    #expect(try world.run("link", "rm", url).status == 4)
    #expect(try world.run("note", "link", "nothing").status == 4)
  }

  @Test func `a password comes from standard input, and other settings are refused until the link is ended`() throws {
    let world = try World()
    let made = try world.run("note", "link", "The pier", "--password", input: "low tide\n")
    #expect(made.status == 0 && made.said.hasSuffix("It asks for its password.\n"), "\(made.said)")
    #expect(try world.run("link", "ls", "--long").text.contains("  password  http"))
    #expect(try world.run("note", "link", "The pier", "--password", input: "low tide\n").text == made.text)
    let other = try world.run("note", "link", "The pier", "--password", input: "high tide\n")
    #expect(other.status == 5 && other.said.contains("byteclub link rm"), "\(other.said)")
    #expect(try world.run("note", "link", "The pier", "--expires", "2100-12-31").status == 5)
    #expect(try world.run("note", "link", "The pier").text == made.text)
    let empty = try world.run("note", "link", "The pier", "--password", input: "\n")
    #expect(empty.status == 1 && empty.said.contains("There was no password."), "\(empty.said)")
    for wrong in ["soon", "0d", "2026-02-30", "2026-13-01", "5", "2026-01-01T25:00:00Z"] {
      let outcome = try world.run("note", "link", "The pier", "--expires", wrong)
      #expect(outcome.status == 2 && outcome.said.contains("is no time for the end"), "\(wrong): \(outcome.said)")
    }
    let past = try world.run("note", "link", "The pier", "--expires", "2001-01-01")
    #expect(past.status == 1 && past.said.contains("has passed: 2001-01-01 at 23:59 UTC."), "\(past.said)")
  }

  @Test func `on a terminal the password is asked twice and not shown`() throws {
    let world = try World()
    let session = try world.type("note", "link", "The pier", "--password")
    try session.wait(for: "Password for the link:", timeout: .patient)
    session.send("low tide\r")
    try session.wait(for: "The same again:", timeout: .patient)
    session.send("high tide\r")
    let screen = try session.wait(for: "The two passwords differ.", timeout: .patient)
    #expect(!screen.text.contains("tide"))
    #expect(try session.waitExit(timeout: .patient) == .exited(1))
  }

  @Test func `in the demo's app Y copies a link, which the terminal's clipboard gets`() throws {
    let demo = try RunningDemo(size: Size(120, 40))
    try demo.session.see("Guestbook.md")
    demo.session.press("Y")
    try demo.session.see("with anyone who has its link?")
    demo.session.press("w")
    let screen = try demo.session.wait(for: "Copied the link to \"", timeout: .patient)
    #expect(screen.text.contains("\": http://127.0.0.1:"))
    try demo.session.waitForBytes("\u{1B}]52;c;aHR0cDovLzEyNy4wLjAuMT", timeout: .patient)
  }

  @Test func `a server whose owner does not allow links, and a club without a server, say so`() throws {
    let world = try World(options: [])
    let refused = try world.run("note", "link", "The pier")
    #expect(refused.status == 7 && refused.text.isEmpty, "\(refused.text)")
    #expect(
      refused.said.contains("does not let you share \"The pier.md\" by a link.")
        && refused.said.contains("byteclub serve --shared-links"), "\(refused.said)")
    let folder = try world.run("note", "link", "The pier", "--club", "here")
    #expect(folder.status == 1 && folder.said.contains("cannot share files by links."), "\(folder.said)")
    #expect(try world.run("link", "ls", "--club", "here", "--json").text.contains(#""kind":"unsupported""#))
  }
}
