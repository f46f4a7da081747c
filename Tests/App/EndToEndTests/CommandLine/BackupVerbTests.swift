import Foundation
import POSIX
import TestKit
import Testing

/// `serve backup` and `serve restore` as an owner types them, beside a server that runs; and several clubs by one server.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct BackupVerbTests {
  @Test func `a running club is backed up, restored elsewhere, and its members' programs go on`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let token = try server.admit("ann")
    let member = try server.configure(token: token)
    for (name, text) in [("a.md", "first\n"), ("b.md", "second\n")] {
      #expect(try home.start(["note", "put", name], input: Array(text.utf8), member).finish().status == 0)
    }
    let backup = home.path + "/backup"
    let made = try server.manage("backup", backup, "--json")
    #expect(made.status == 0, "\(made.said)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
    let result = try #require((json["results"] as? [[String: Any]])?.first)
    #expect(result["files"] as? Int == 2 && result["members"] as? Int == 1 && result["newContents"] as? Int == 2)
    #expect(try home.start(["note", "put", "late.md"], input: Array("late\n".utf8), member).finish().status == 0)
    _ = try server.finish()
    for name in home.files(ending: "").filter({ $0.hasPrefix("backup/") }) {
      var isFolder = ObjCBool(false)
      _ = FileManager.default.fileExists(atPath: home.path + "/" + name, isDirectory: &isFolder)
      #expect(try home.mode(name) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
    }
    let other = ["serve", "restore", backup, "--club-root", "hall=\(home.path)/hall"]
    let refused = try home.start(other).finish()
    #expect(
      refused.status == 1 && refused.said.contains(#"is of the club "club", not of "hall"."#), "\(refused.said)")
    #expect(try home.start(other + ["--other-club"]).finish().status == 0)
    let restored = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(restored.status == 0, "\(restored.said)")
    #expect(
      restored.text.hasPrefix("Restored 2 files (13 bytes), ") && restored.text.contains("--root \(home.path)/again"))
    #expect(home.read("again/a.md") == Array("first\n".utf8) && home.read("again/late.md") == nil)
    let twice = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(twice.status == 5 && twice.said.contains("is not empty, so nothing was restored"), "\(twice.said)")
    let next = try RunningServer(in: home, place: ["--root", home.path + "/again"])
    _ = try next.configure(token: token)
    let list = try home.start(["note", "ls"], member).finish()
    #expect(list.status == 0 && list.text == "a.md\nb.md\n", "\(list.text) \(list.said)")
    #expect(try home.start(["note", "put", "c.md"], input: Array("third\n".utf8), member).finish().status == 0)
    #expect(home.read("again/c.md") == Array("third\n".utf8))
  }

  @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
  func `a backup that is stopped is not restored, and the next one is whole`(signal: Int32) throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let token = try server.admit("ann")
    for number in 0..<60 {
      try server.upload("/\(number).bin", String(repeating: "\(number % 10)", count: 400_000), token: token)
    }
    let backup = home.path + "/backup"
    let killed = try home.start(["serve", "backup", backup, "--root", home.path + "/club"])
    // Killed while contents come: a few are there, and no manifest.
    killed.hold { home.files(ending: "").filter { $0.hasPrefix("backup/contents/") }.count >= 3 }
    killed.signal(signal)
    killed.signal(SIGCONT)
    let end = try killed.finish()
    #expect(end.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(end.said)")
    if signal != SIGKILL {
      #expect(end.said.hasPrefix("byteclub: The backup was stopped before its end."), "\(end.said)")
    }
    let hasManifest = home.read("backup/manifest.json") != nil
    let refused = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(hasManifest ? refused.status == 0 : refused.status == 4, "\(refused.said)")
    if !hasManifest { #expect(refused.said.contains("has no whole backup")) }
    #expect(try server.manage("backup", backup).status == 0)
    // The restoration is stopped, too. What has its name is whole, and no server takes it for the club.
    let stopped = try home.start(["serve", "restore", backup, "--root", home.path + "/third"])
    stopped.hold { home.files(ending: ".bin").filter { $0.hasPrefix("third/") }.count >= 3 }
    stopped.signal(signal)
    stopped.signal(SIGCONT)
    let half = try stopped.finish()
    #expect(half.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(half.said)")
    if signal != SIGKILL {
      #expect(half.said.hasPrefix("byteclub: The restoration was stopped before its end."), "\(half.said)")
    }
    for name in home.files(ending: ".bin") where name.hasPrefix("third/") {
      #expect(home.read(name)?.count == 400_000, "\(name)")
    }
    let served = try home.run("serve", "--root", home.path + "/third", "--listen", "127.0.0.1:0")
    #expect(served.status == 5 && served.said.contains("was begun and not ended"), "\(served.said)")
    #expect(try home.run("serve", "restore", backup, "--root", home.path + "/third").status == 0)
    #expect(home.files(ending: ".bin").filter { $0.hasPrefix("third/") }.count == 60)
  }

  @Test func `a backup is checked without the club, and a damaged content costs its file alone`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let token = try server.admit("ann")
    for name in ["a", "b", "c"] { try server.upload("/\(name).txt", "text \(name)", token: token) }
    let backup = home.path + "/backup"
    #expect(try server.manage("backup", backup).status == 0)
    _ = try server.finish()
    try FileManager.default.moveItem(atPath: home.path + "/club", toPath: home.path + "/gone")
    let whole = try home.run("serve", "backup", backup, "--check")
    #expect(whole.status == 0 && whole.text.hasSuffix("3 files and 3 old versions. All is whole.\n"), "\(whole)")
    let content = try #require(
      home.files(ending: "").first {
        $0.hasPrefix("backup/contents/") && home.read($0).map { String(decoding: $0, as: UTF8.self) } == "text b"
      })
    // Another name of the file may be a kept version of the server.
    try FileManager.default.removeItem(atPath: home.path + "/" + content)
    try home.write("text ?".utf8, to: content)
    let damaged = try home.run("serve", "backup", backup, "--check")
    #expect(damaged.status == 8 && damaged.said.contains("Damaged: b.txt\n"), "\(damaged)")
    let restored = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(restored.status == 8 && restored.said.contains("is damaged: b.txt\n"), "\(restored)")
    #expect(home.read("again/a.txt") != nil && home.read("again/b.txt") == nil && home.read("again/c.txt") != nil)
    let next = try RunningServer(in: home, place: ["--root", home.path + "/again"])
    let again = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(again.status == 8 && again.said.contains("is damaged: b.txt\n"), "\(again)")
    try home.write("text b".utf8, to: content)
    let completed = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(completed.status == 0 && completed.text.contains("that were missing in "), "\(completed)")
    #expect(
      completed.text.hasPrefix("Restored 1 files (6 bytes)") && completed.text.hasSuffix("0 are still missing.\n"))
    #expect(home.read("again/b.txt") == Array("text b".utf8))
    let third = try home.run("serve", "restore", backup, "--root", home.path + "/again")
    #expect(third.status == 5, "\(third)")
    #expect(try next.upload("/d.txt", "text d", token: token).status == "200")
    let both = try home.run("serve", "backup", backup, "--check", "--verify")
    #expect(both.status == 2, "\(both.said)")
  }

  @Test func `mistakes with backups end with a sentence`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    _ = try server.admit("ann")
    let inside = try server.manage("backup", home.path + "/club/backup")
    #expect(inside.status == 1 && inside.said.contains("overlap"), "\(inside.said)")
    try FileManager.default.createSymbolicLink(atPath: home.path + "/linked", withDestinationPath: "club")
    for path in ["/linked/backup", "/other/../club/backup"] {
      let hidden = try server.manage("backup", home.path + path)
      #expect(hidden.status == 1 && hidden.said.contains("overlap"), "\(path): \(hidden.said)")
    }
    try home.write("x".utf8, to: "full/x")
    let full = try server.manage("backup", home.path + "/full")
    #expect(full.status == 5 && full.said.contains("is no backup of byteclub, and it is not empty"), "\(full.said)")
    let none = try home.run("serve", "restore", home.path + "/nothing", "--root", home.path + "/again")
    #expect(none.status == 4, "\(none.said)")
    try FileManager.default.createDirectory(atPath: home.path + "/unserved", withIntermediateDirectories: true)
    let unserved = try server.manage("backup", home.path + "/backup", club: "unserved")
    #expect(unserved.status == 4 && unserved.said.contains("was never served"), "\(unserved.said)")
  }

  @Test func `one server serves several clubs, each by its tokens, and tells them apart in its log`() throws {
    let home = try CommandLineHome()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: true)
    }
    let places = ["--club-root", "first=\(home.path)/one", "--club-root", "second=\(home.path)/two"]
    let server = try RunningServer(["--log-format", "json", "--quota", "second=10K"], in: home, place: places)
    for (club, member) in [("one", "ann"), ("two", "ben")] {
      let variables = try server.configure(token: try server.admit(member, to: club))
      let put = try home.start(["note", "put", "a.md"], input: Array("of \(club)\n".utf8), variables).finish()
      #expect(put.status == 0, "\(put.said)")
      #expect(home.read("\(club)/a.md") == Array("of \(club)\n".utf8))
      #expect(try home.start(["note", "cat", "a.md"], variables).finish().text == "of \(club)\n")
      let large = try home.start(
        ["note", "put", "large.md"], input: [UInt8](repeating: 0x61, count: 11_000), variables
      ).finish()
      #expect(large.status == (club == "two" ? 7 : 0), "\(large.said)")
    }
    let log = try server.finish().said
    #expect(log.contains(#""member":"ann","club":"first""#) && log.contains(#""member":"ben","club":"second""#))
    #expect(!log.contains(#""member":"ann","club":"second""#) && !log.contains(#""member":"ben","club":"first""#))
  }

  @Test func `a member of two clubs at one server keeps their texts and copies apart, also while it is away`() throws {
    let home = try CommandLineHome()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: true)
    }
    let server = try RunningServer(
      in: home, place: ["--club-root", "garage=\(home.path)/one", "--club-root", "choir=\(home.path)/two"])
    let place = #""store":"dropbox","server":"http://127.0.0.1:\#(server.port)","folder":"/""#
    let clubs = try [("garage", "one"), ("choir", "two")].map { name, folder in
      let token = try server.admit("ann", to: folder)
      return #""\#(name)":{\#(place),"account":"\#(name)","tokenCommand":["/bin/echo","\#(token)"]}"#
    }
    try home.write(#"{"clubs":{\#(clubs.joined(separator: ","))}}"#.utf8, to: ".config/byteclub/config.json")
    func run(_ club: String, _ words: String..., input: String = "") throws -> Spawn.Outcome {
      try home.start(words + ["--club", club], input: Array(input.utf8)).finish()
    }
    #expect(try run("garage", "note", "put", "plans.md", input: "of the garage").status == 0)
    #expect(try run("choir", "note", "ls").text == "")
    for club in ["garage", "choir"] { #expect(try run(club, "sync", "now").status == 0) }
    _ = try server.finish()
    // Without the server each club has its own copy, and keeps its own texts.
    #expect(try run("garage", "note", "cat", "plans").text == "of the garage")
    #expect(try run("choir", "note", "cat", "plans").text == "")
    #expect(try run("choir", "note", "put", "private.md", input: "of the choir").status != 0)
    #expect(try run("garage", "sync", "ls").text.contains("private") == false)
    #expect(try run("choir", "sync", "ls").text.contains("private"))
  }

  @Test func `clubs with one name, or one inside the other, are refused`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/one/below", withIntermediateDirectories: true)
    func run(_ places: String...) throws -> Spawn.Outcome {
      try home.start(["serve", "--listen", "127.0.0.1:0"] + places.flatMap { ["--club-root", $0] }).finish()
    }
    let nested = try run("a=\(home.path)/one", "b=\(home.path)/one/below")
    #expect(nested.status == 1 && nested.said.contains("overlap"), "\(nested.said)")
    let same = try run("a=\(home.path)/one", "b=\(home.path)/one/../one")
    #expect(same.status == 1 && same.said.contains("overlap"), "\(same.said)")
    for words in [
      ["a=\(home.path)/one", "a=\(home.path)/one/below"], ["\(home.path)/one"], ["a b=\(home.path)"], ["a="],
    ] {
      let wrong = try home.start(["serve", "--listen", "127.0.0.1:0"] + words.flatMap { ["--club-root", $0] }).finish()
      #expect(wrong.status == 2, "\(words): \(wrong.said)")
    }
    let both = try home.run("serve", "--root", home.path, "--club-root", "a=\(home.path)/one")
    #expect(both.status == 2, "\(both.said)")
    let member = try home.run(
      "serve", "member", "ls", "--club-root", "a=\(home.path)/one", "--club-root", "b=\(home.path)/one/below")
    #expect(member.status == 2 && member.said.contains("for one club"), "\(member.said)")
  }
}
