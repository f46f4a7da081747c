import Foundation
import POSIX
import TestKit
import Testing

/// Where a server keeps its own data about a folder, and what it wants of both before it serves.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct ServedStateTests {
  @Test func `a second server over one folder is refused, and the first one goes on`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let token = try server.admit("ann")
    let second = try home.run("serve", "--root", home.path + "/club", "--listen", "127.0.0.1:0")
    #expect(second.status == 5 && second.said.contains("Another server serves the club \"club\" already."), "\(second)")
    #expect(try server.upload("/a", "x", token: token).status == "200")
    #expect(try server.finish().status == 0)
    let next = try RunningServer(in: home)
    #expect(try next.upload("/b", "x", token: token).status == "200")
  }

  @Test func `a folder that the server cannot write is not served`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    #expect(chmod(home.path + "/club", 0o555) == 0)
    let words = [
      try #require(CommandLineHome.binary), "serve", "--root", home.path + "/club", "--listen", "127.0.0.1:0",
    ]
    // Modes concern a user without the capabilities of root.
    let plain =
      geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] : ["/usr/bin/env"]
    let refused = try Spawn(
      plain[0], Array(plain.dropFirst()) + words, environment: home.environment, input: []
    ).finish()
    #expect(
      refused.status == 7 && refused.said.contains("/club\" cannot be written: Permission denied."), "\(refused.said)")
    #expect(chmod(home.path + "/club", 0o755) == 0)
  }

  @Test func `all data about a club are in the directory that --state names, for each command`() throws {
    let home = try CommandLineHome()
    let (state, club) = (home.path + "/state", home.path + "/club")
    let server = try RunningServer(["--state", state], in: home)
    let added = try server.manage("member", "add", "ann", "--state", state)
    #expect(added.status == 0 && !added.said.contains("new list"), "\(added.said)")
    #expect(try server.upload("/a", "x", token: added.text.trimmingCharacters(in: .newlines)).status == "200")
    #expect(home.files(ending: "members.sqlite") == ["state/members.sqlite"])
    #expect(home.files(ending: "index.sqlite") == ["state/index.sqlite"])
    #expect(try home.mode("state") == 0o700)
    let invited = try server.manage("invite", "ben", "--address", "https://club.example", "--state", state)
    #expect(invited.status == 0, "\(invited.said)")
    let below = try home.run("serve", "member", "ls", "--root", club, "--state", club + "/state")
    #expect(below.status == 1 && below.said.contains("inside the served folder"), "\(below.said)")
    #expect(!FileManager.default.fileExists(atPath: club + "/state"))
    try home.write("mine".utf8, to: "mine/letter")
    #expect(chmod(home.path + "/mine", 0o755) == 0)
    let others = try home.run("serve", "member", "ls", "--root", club, "--state", home.path + "/mine")
    #expect(others.status == 5 && others.said.contains("files that are not a server's own data"), "\(others.said)")
    #expect(try home.mode("mine") == 0o755)
  }

  @Test func `each of several clubs has a directory of its name in that of --state`() throws {
    let home = try CommandLineHome()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: false)
    }
    let places = ["one", "two"].flatMap { ["--club-root", "\($0)=\(home.path)/\($0)"] }
    let server = try RunningServer(in: home, place: places + ["--state", home.path + "/state"])
    #expect(home.files(ending: "members.sqlite").sorted() == ["state/one/members.sqlite", "state/two/members.sqlite"])
    let token = try home.run(
      "serve", "member", "add", "ann", "--root", home.path + "/two", "--state", home.path + "/state/two"
    ).text.trimmingCharacters(in: .newlines)
    #expect(try server.upload("/a", "x", token: token).status == "200")
    #expect(home.read("two/a") == Array("x".utf8))
  }

  @Test func `a command that makes a list of members says where, and only then`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    let first = try home.run("serve", "member", "add", "ann", "--root", home.path + "/club")
    let list = try #require(home.files(ending: "/members.sqlite").first)
    let place = (home.path + "/" + list).dropLast("/members.sqlite".count)
    #expect(first.said.hasPrefix("The new list of members is in \"\(place)\".\n"))
    let second = try home.run("serve", "member", "add", "ben", "--root", home.path + "/club")
    #expect(second.status == 0 && !second.said.contains("new list"), "\(second.said)")
  }

  @Test func `data beside a folder, as the unit of the package has them, are found by whoever asks`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/garage/club", withIntermediateDirectories: true)
    let root = home.path + "/garage/club"
    let unit = ["XDG_DATA_HOME": home.path + "/garage/data"]
    let made = try home.run("serve", "member", "add", "ann", "--root", root, variables: unit)
    #expect(made.said.contains(home.path + "/garage/data/byteclub/serve/"), "\(made.said)")
    let listed = try home.run("serve", "member", "ls", "--root", root)
    #expect(listed.text.hasPrefix("ann") && listed.said == "", "\(listed)")
  }

  @Test(arguments: ["member", "invite", "app"]) func `a verb that lists makes nothing and mends nothing`(noun: String)
    throws
  {
    let home = try CommandLineHome()
    let root = home.path + "/club"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let none = try home.run("serve", noun, "ls", "--root", root)
    #expect(none.status == 0 && none.text == "" && home.files(ending: ".sqlite").isEmpty, "\(none)")
    #expect(try home.run("serve", "member", "add", "ann", "--root", root).status == 0)
    let list = try #require(home.files(ending: "/members.sqlite").first)
    for companion in home.files(ending: "-wal") + home.files(ending: "-shm") {
      try FileManager.default.removeItem(atPath: home.path + "/" + companion)
    }
    let garbage = [UInt8](repeating: 7, count: 5_000)
    try home.write(garbage, to: list)
    let damaged = try home.run("serve", noun, "ls", "--root", root)
    #expect(damaged.status != 0 && damaged.said.contains("members.sqlite\" is damaged."), "\(damaged)")
    #expect(damaged.said.contains("Start the server again: it sets the file aside"), "\(damaged)")
    #expect(home.read(list) == garbage && home.files(ending: ".damaged").isEmpty)
  }

  @Test func `members are listed without their space beside a damaged index, which stays`() throws {
    let home = try CommandLineHome()
    let root = home.path + "/club"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    #expect(try home.run("serve", "member", "add", "ann", "--root", root).status == 0)
    let list = try #require(home.files(ending: "/members.sqlite").first)
    let index = list.dropLast("members.sqlite".count) + "index.sqlite"
    let garbage = [UInt8](repeating: 7, count: 5_000)
    try home.write(garbage, to: String(index))
    let listed = try home.run("serve", "member", "ls", "--root", root)
    #expect(listed.status == 0 && listed.text.hasPrefix("ann"), "\(listed)")
    #expect(listed.said.hasPrefix("The space of the members is unknown: "), "\(listed)")
    #expect(listed.said.hasSuffix("index.sqlite\" is damaged. Start the server again: it makes the file anew.\n"))
    #expect(try !home.run("serve", "member", "ls", "--json", "--root", root).text.contains("usedBytes"))
    #expect(home.read(String(index)) == garbage)
  }
}
