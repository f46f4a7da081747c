import Foundation
import TestKit
import Testing

/// What the real program does with texts and photos while the server is away, and when it is back.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct DraftVerbTests {
  private final class World {
    let home: MemberHome
    let server: ClubServer

    init() throws {
      home = try MemberHome(hasClub: false)
      server = try ClubServer(home, folder: "served")
      let token = try server.admit("ray")
      try home.write(
        #"""
        {"clubs":{"lab":{"store":"dropbox","server":"\#(server.address)","folder":"/",
          "tokenCommand":["echo","\#(token)"]}}}
        """#, to: ".config/byteclub/config.json")
    }

    /// Runs a verb at the home.
    func run(_ arguments: String..., input: String = "") throws -> Spawn.Outcome {
      try start(arguments, input: input).finish()
    }

    /// Starts a verb at the home.
    func start(_ arguments: [String], input: String = "") throws -> Spawn {
      var variables = PtySession.basicEnvironment
      for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
      variables["EDITOR"] = "cat"
      return try Spawn(MemberHome.binary(), arguments, environment: variables, input: Array(input.utf8))
    }

    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: "\(server.root)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func `texts given while the server is away are kept, listed, and sent when it is back`() throws {
    let world = try World()
    #expect(try world.run("note", "put", "log", input: "one").status == 0)
    try world.server.crash()
    // At once: each tries for some seconds.
    let (answer, log) = (
      try world.start(["note", "put", "answer"], input: "forty-two\n"),
      try world.start(["note", "append", "log", "two"])
    )
    let put = try answer.finish()
    #expect(put.status == 6)
    #expect(put.said.contains("byteclub sends it when the server answers."))
    #expect(try log.finish().status == 6)
    let list = try world.run("draft", "ls").text.split(separator: "\n")
    #expect(list.count == 2)
    #expect(list.contains { $0.hasPrefix("to send") && $0.contains("answer.md") && $0.hasSuffix("forty-two") })
    #expect(try world.run("draft", "cat", "answer").text == "forty-two\n")
    let edit = try world.run("note", "edit", "answer")
    #expect(edit.status == 0 && edit.text == "forty-two\n")
    #expect(try world.run("draft", "send").status == 6)
    try world.server.start()
    let sent = try world.run("draft", "send")
    #expect(sent.status == 0)
    // The two were given at once, so either may be the older.
    #expect(sent.said.split(separator: "\n").sorted() == ["Saved \"answer.md\".", "Saved \"log.md\"."])
    #expect(world.text("answer.md") == "forty-two\n")
    #expect(world.text("log.md") == "one\ntwo\n")
    #expect(try world.run("draft", "ls").text == "")
    #expect(try world.run("draft", "send").said == "No text waits to be sent.\n")
  }

  @Test func `a command that finds a damaged file of drafts reports it, and lists its readable texts`() throws {
    let world = try World()
    try world.server.crash()
    let text = String(repeating: "text ", count: 600)
    // At once: each tries for some seconds. The last one closes the file as its only user, so that all is in it.
    let puts = try (0..<3).map { try world.start(["note", "put", "n\($0)"], input: text) }
    for put in puts { #expect(try put.finish().status == 6) }
    #expect(try world.run("note", "put", "n3", input: text).status == 6)
    let file = world.home.path + "/.local/share/byteclub/outbox.sqlite"
    // The log of a process that ended without closing the file has its newest texts, until another one closes the file.
    for _ in 0..<20 where FileManager.default.fileExists(atPath: file + "-wal") { _ = try world.run("draft", "ls") }
    try #require(!FileManager.default.fileExists(atPath: file + "-wal"))
    let bytes = try #require(FileManager.default.contents(atPath: file))
    try bytes.prefix(bytes.count * 9 / 10).write(to: URL(filePath: file))
    let list = try world.run("draft", "ls")
    #expect(list.status == 1)
    #expect(list.said.contains("The file of drafts and unsent saves was damaged."))
    #expect(list.said.contains("outbox.sqlite.damaged"))
    #expect(list.text.contains("n0.md"))
    let again = try world.run("draft", "ls")
    #expect(again.status == 0 && again.text == list.text)
    #expect(again.said.contains("An earlier file of drafts and unsent saves was damaged"))
  }

  @Test func `a kept text overwrites nothing; both can be kept, or it can be discarded`() throws {
    let world = try World()
    try world.server.crash()
    let puts = [
      try world.start(["note", "put", "answer"], input: "mine\n"),
      try world.start(["note", "put", "other"], input: "mine too\n"),
    ]
    for put in puts { #expect(try put.finish().status == 6) }
    try world.server.start()
    for name in ["answer.md", "other.md"] { try world.home.write("theirs\n", to: "served/\(name)") }
    let sent = try world.run("draft", "send", "answer")
    #expect(sent.status == 5)
    #expect(sent.said.contains("Your text: byteclub draft cat"))
    #expect(world.text("answer.md") == "theirs\n")
    #expect(try world.run("draft", "ls").text.contains("conflict"))
    let both = try world.run("draft", "send", "answer", "--both")
    #expect(both.status == 0)
    let beside = try FileManager.default.contentsOfDirectory(atPath: world.server.root)
      .first { $0.hasPrefix("answer (ray's version, ") }
    #expect(world.text(try #require(beside)) == "mine\n")
    #expect(both.said == "Kept both: your text is in \"\(try #require(beside))\".\n")
    #expect(try world.run("draft", "discard", "other").status == 0)
    #expect(try world.run("draft", "send").status == 0)
    #expect(world.text("other.md") == "theirs\n")
  }

  @Test func `a photo given while the server is away is kept in the list of transfers and sent later`() throws {
    let world = try World()
    try Data(Pictures.jpeg).write(to: URL(fileURLWithPath: world.home.path + "/pier.jpg"))
    try world.server.crash()
    let put = try world.run("photo", "put", world.home.path + "/pier.jpg")
    #expect(put.status == 6)
    #expect(put.said.contains("The app sends it when the server answers."))
    #expect(try world.run("transfer", "ls").text.contains("pier.jpg"))
    try world.server.start()
    #expect(try world.run("transfer", "run").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: world.server.root + "/photos/pier.jpg")) == Data(Pictures.jpeg))
  }
}
