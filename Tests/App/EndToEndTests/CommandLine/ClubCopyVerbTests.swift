import Foundation
import POSIX
import TestKit
import Testing

/// `byteclub club copy` of the real program, between a directory and a server.
@Suite(.timeLimit(.minutes(10))) struct ClubCopyVerbTests {
  private final class World {
    let home: MemberHome
    let server: ClubServer
    private let variables: [String: String]

    init(chaos: String? = nil) throws {
      home = try MemberHome(hasClub: false)
      server = try ClubServer(home, folder: "served", chaos: chaos)
      let clubs: [String: [String: String]] = [
        "here": ["store": "folder", "path": home.path + "/here"],
        "lab": ["store": "dropbox", "server": server.address, "folder": "/"],
      ]
      let config = try JSONSerialization.data(withJSONObject: ["club": "here", "clubs": clubs] as [String: Any])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      variables = ["BYTECLUB_TOKEN": try server.admit("ray")]
    }

    func start(_ arguments: [String]) throws -> Spawn {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(variables) { all[name] = value.isEmpty ? nil : value }
      return try Spawn(MemberHome.binary(), arguments, environment: all)
    }

    func run(_ arguments: String...) throws -> Spawn.Outcome { try start(arguments).finish() }

    /// The files below a folder of the home, without byteclub's own.
    func files(_ folder: String) throws -> [String: [UInt8]] {
      var found: [String: [UInt8]] = [:]
      let root = URL(filePath: home.path).appending(path: folder)
      for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
      where !path.hasPrefix(".byteclub") {
        let place = root.appending(path: path)
        if try place.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
          found[path] = [UInt8](try Data(contentsOf: place))
        }
      }
      return found
    }

    /// The names of those files.
    func names(_ folder: String) -> [String] { home.files(below: folder).filter { !$0.hasPrefix(".byteclub") } }

    func fill(notes: Int) throws -> [String: [UInt8]] {
      var files = ["empty.md": [], "photos/deep/large.jpg": (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }]
      for number in 0..<notes { files["note \(number).md"] = Array("This is note \(number).\n".utf8) }
      for (name, bytes) in files { try home.write(bytes, to: "here/" + name) }
      return files
    }
  }

  @Test
  func `a club comes to a server and back, the second time nothing, and nothing that differs is replaced unasked`()
    throws
  {
    let world = try World()
    let all = try world.fill(notes: 40)
    let dry = try world.run("club", "copy", "--dry-run", "here", "lab")
    #expect(dry.status == 0 && dry.text.contains("copy     note 7.md\n"), "\(dry.text) \(dry.said)")
    #expect(dry.said.contains("42 files (") && dry.said.contains("would be copied to"), "\(dry.said)")
    #expect(try world.files("served").isEmpty)
    let new = try world.run("club", "copy", "--dry-run", "here", world.home.path + "/new")
    #expect(new.status == 0 && new.said.contains("42 files ("), "\(new.said)")
    #expect(!FileManager.default.fileExists(atPath: world.home.path + "/new"))

    let copy = try world.run("club", "copy", "here", "lab")
    #expect(copy.status == 0 && copy.said.contains("42 files ("), "\(copy.said)")
    #expect(try world.files("served") == all)
    let again = try world.run("club", "copy", "here", "lab", "--json")
    #expect(again.text.contains(#""written":0,"bytes":0,"kept":42"#), "\(again.text)")

    try world.home.write("mine\n", to: "here/note 1.md")
    let refused = try world.run("club", "copy", "here", "lab")
    #expect(refused.status == 8 && refused.said.contains("\"note 1.md\" already exists and differs"), "\(refused.said)")
    #expect(try world.files("served") == all)
    let replaced = try world.run("club", "copy", "--dry-run", "--replace", "here", "lab")
    #expect(replaced.text == "replace  note 1.md\n", "\(replaced.text)")
    #expect(try world.run("club", "copy", "--replace", "here", "lab").status == 0)
    let back = try world.run("club", "copy", "lab", world.home.path + "/new/back")
    #expect(back.status == 0, "\(back.said)")
    #expect(try world.files("new/back") == all.merging(["note 1.md": Array("mine\n".utf8)]) { $1 })
  }

  @Test func `a copy that is killed at any moment goes on, and leaves nothing unfinished`() throws {
    let world = try World(chaos: "bandwidth=4MiB,503=0.02,cut=0.02")
    let all = try world.fill(notes: 120)
    var numbers = SeededNumbers(5)
    var kills = 0
    for _ in 0..<6 {
      let copy = try world.start(["club", "copy", "here", "lab"])
      let goal = world.names("served").count + 1 + numbers.below(20)
      // It ends by itself when everything is there.
      copy.hold { world.names("served").count >= min(goal, all.count) }
      kill(copy.process, SIGKILL)
      if try copy.finish().status == 128 + SIGKILL { kills += 1 }
      for (name, bytes) in try world.files("served") { #expect(bytes == all[name], "\(name) is torn") }
    }
    #expect(kills > 0)
    // An upload that the last kill left on its way to the server could arrive while the copy goes on.
    try world.server.crash()
    try world.server.start()
    let last = try world.run("club", "copy", "here", "lab")
    #expect(last.status == 0, "\(last.said)")
    #expect(try world.files("served") == all)
  }

  @Test func `two sides that are one club, or lie in each other, are refused`() throws {
    let world = try World()
    _ = try world.fill(notes: 1)
    let same = try world.run("club", "copy", "lab", "lab")
    #expect(same.status == 1 && same.said.contains("are the same club"), "\(same.said)")
    let inside = try world.run("club", "copy", "here", world.home.path + "/here/copy")
    #expect(inside.status == 1 && inside.said.contains("is inside here"), "\(inside.said)")
    let around = try world.run("club", "copy", "here", world.home.path + "/")
    #expect(around.status == 1 && around.said.contains("here is inside"), "\(around.said)")
    let unknown = try world.run("club", "copy", "here", "labs")
    #expect(unknown.status == 2 && unknown.said.contains("has no club \"labs\""), "\(unknown.said)")
    let missing = try world.run("club", "copy", world.home.path + "/none", "lab")
    #expect(missing.status == 4, "\(missing.said)")
  }
}
