import Foundation
import TestKit
import TextUI
import Testing

/// `byteclub serve --club`: a server in front of a club that another server has.
@Suite(.timeLimit(.minutes(10))) struct ServedStoreTests {
  private final class World {
    let home: MemberHome
    let far: ClubServer
    private let farToken: String
    private(set) var token = ""
    private var near: PtySession?

    init() throws {
      home = try MemberHome(hasClub: false)
      far = try ClubServer(home, folder: "far")
      farToken = try far.admit("ray")
      try configure(near: "http://127.0.0.1:1")
      let added = try run("serve", "member", "add", "ann", "--club", "lab")
      token = added.text.trimmingCharacters(in: .whitespacesAndNewlines)
      try #require(added.status == 0 && !token.isEmpty, "\(added.said)")
      try start()
    }

    private func configure(near: String) throws {
      let clubs = [
        "lab": ["store": "dropbox", "server": far.address, "folder": "/"],
        "front": ["store": "dropbox", "server": near, "folder": "/"],
        "here": ["store": "folder", "path": home.path + "/far"],
      ]
      let config = try JSONSerialization.data(withJSONObject: ["club": "lab", "clubs": clubs] as [String: Any])
      try home.write(Array(config), to: ".config/byteclub/config.json")
    }

    func start() throws {
      let server = try PtySession(
        MemberHome.binary(), ["serve", "--club", "lab", "--listen", "127.0.0.1:0"], size: Size(200, 24),
        environment: home.environment(["BYTECLUB_TOKEN": farToken]), workingDirectory: home.path)
      try configure(near: "http://127.0.0.1:\(server.servedPort())")
      near = server
    }

    func crash() throws {
      near?.signal(SIGKILL)
      _ = try near?.waitExit(timeout: .patient)
      near = nil
    }

    deinit { near?.signal(SIGKILL) }

    func run(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(["BYTECLUB_TOKEN": token]) { all[name] = value.isEmpty ? nil : value }
      return try Spawn(MemberHome.binary(), arguments, environment: all, input: Array(input.utf8)).finish()
    }

    func front(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(["BYTECLUB_TOKEN": token]) { all[name] = value.isEmpty ? nil : value }
      return try Spawn(
        MemberHome.binary(), arguments + ["--club", "front"], environment: all, input: Array(input.utf8)
      )
      .finish()
    }

    var dataFolders: [String] {
      let folder = home.path + "/.local/share/byteclub/serve"
      return (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).map { folder + "/" + $0 }
    }
  }

  @Test func `notes and photos go through it both ways, with conditions, and its index can be deleted`() throws {
    let world = try World()
    try world.home.write("far away\n", to: "far/a.md")
    let list = try world.front("note", "ls")
    #expect(list.status == 0 && list.text == "a.md\n", "\(list.text) \(list.said)")
    #expect(try world.front("note", "cat", "a").text == "far away\n")
    let put = try world.front("note", "put", "b", "-", input: "through\n")
    #expect(put.status == 0 && world.home.text("far/b.md") == "through\n", "\(put.said)")
    let picture = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try world.home.write(picture, to: "in/big.bin")
    let copy = try world.front("club", "copy", world.home.path + "/in", "front")
    #expect(copy.status == 0 && world.home.bytes("far/big.bin") == picture, "\(copy.said)")
    // A text of another program is seen, and never overwritten.
    let revision = try world.front("note", "ls", "--json").text
    try world.home.write("newer\n", to: "far/a.md")
    // On a kernel without inotify the servers find it when they look again, within seconds.
    let end = ContinuousClock.now + .patient
    while try world.front("note", "cat", "a").text != "newer\n", .now < end {}
    #expect(try world.front("note", "cat", "a").text == "newer\n")
    #expect(revision.contains("\"a.md\""))
    let rename = try world.front("note", "mv", "b", "bee")
    #expect(rename.status == 0 && world.home.text("far/bee.md") == "through\n", "\(rename.said)")
    let trash = try world.front("note", "rm", "bee")
    #expect(trash.status == 0 && world.home.text("far/bee.md") == nil, "\(trash.said)")

    try world.crash()
    for file in world.dataFolders where file.contains("index.sqlite") {
      try FileManager.default.removeItem(atPath: file)
    }
    try world.start()
    #expect(try world.front("note", "cat", "a").text == "newer\n")
    let again = try world.front("note", "put", "c", "-", input: "again\n")
    #expect(again.status == 0 && world.home.text("far/c.md") == "again\n", "\(again.said)")
  }

  @Test func `a server whose store is away says so, and goes on when it is back`() throws {
    let world = try World()
    try world.home.write("far away\n", to: "far/a.md")
    #expect(try world.front("sync", "now").status == 0)
    try world.far.crash()
    let put = try world.front("note", "put", "b", "-", input: "kept\n")
    #expect(put.status == 6 && put.said.contains("is kept on this machine"), "\(put.status) \(put.said)")
    try world.far.start()
    let now = try world.front("sync", "now")
    #expect(now.status == 0 && world.home.text("far/b.md") == "kept\n", "\(now.said)")
  }

  @Test func `a club that is a directory is served as one, and wrong words are refused`() throws {
    let world = try World()
    let added = try world.run("serve", "member", "add", "ben", "--club=here")
    #expect(added.status == 0, "\(added.said)")
    #expect(try world.run("serve", "member", "ls", "--root", world.home.path + "/far").text.contains("ben"))
    let unknown = try world.run("serve", "--club", "labs")
    #expect(unknown.status == 2 && unknown.said.contains("has no club \"labs\""), "\(unknown.said)")
    let both = try world.run("serve", "--club", "lab", "--root", world.home.path)
    #expect(both.status == 2 && both.said.contains("--club NAME"), "\(both.said)")
    let nothing = try world.run("serve")
    #expect(nothing.status == 2 && nothing.said.contains("--root DIR"), "\(nothing.said)")
  }
}
