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
      var variables = PtySession.basicEnvironment
      for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
      return try Spawn(MemberHome.binary(), arguments, environment: variables, input: Array(input.utf8)).finish()
    }

    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: "\(server.root)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func `texts given while the server is away are kept, listed, and sent when it is back`() throws {
    let world = try World()
    #expect(try world.run("note", "put", "log", input: "one").status == 0)
    try world.server.crash()
    let put = try world.run("note", "put", "answer", input: "forty-two\n")
    #expect(put.status == 6)
    #expect(put.said.contains("byteclub sends it when the server answers."))
    #expect(try world.run("note", "append", "log", "two").status == 6)
    let list = try world.run("draft", "ls").text.split(separator: "\n")
    #expect(list.count == 2)
    #expect(list.contains { $0.hasPrefix("to send") && $0.contains("answer.md") && $0.hasSuffix("forty-two") })
    #expect(try world.run("draft", "cat", "answer").text == "forty-two\n")
    #expect(try world.run("draft", "send").status == 6)
    try world.server.start()
    let sent = try world.run("draft", "send")
    #expect(sent.status == 0)
    #expect(sent.said == "Saved \"answer.md\".\nSaved \"log.md\".\n")
    #expect(world.text("answer.md") == "forty-two\n")
    #expect(world.text("log.md") == "one\ntwo\n")
    #expect(try world.run("draft", "ls").text == "")
    #expect(try world.run("draft", "send").said == "No text waits to be sent.\n")
  }

  @Test func `a kept text overwrites nothing; both can be kept, or it can be discarded`() throws {
    let world = try World()
    try world.server.crash()
    #expect(try world.run("note", "put", "answer", input: "mine\n").status == 6)
    #expect(try world.run("note", "put", "other", input: "mine too\n").status == 6)
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
