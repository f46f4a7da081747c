import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// `byteclub serve --club` in front of a club at an Apache.
@Suite(
  .enabled(if: WebDAVProgram.Kind.apache.program != nil, "apache2 is not installed"), .timeLimit(.minutes(4))
) struct ServedWebDAVTests {
  /// The member "ann" of a server in front of the club "cloud" knows it as the club "front".
  private final class World {
    let cloud: WebDAVProgram
    let scene: TransferScene
    /// The club's folder on the disk.
    let club: String
    private let server: PtySession
    private let token: String

    init() async throws {
      (cloud, scene) = (try await WebDAVProgram(.apache), try TransferScene())
      let name = try cloud.newClub()
      club = cloud.files + "/" + name
      try scene.set("cloud", ["store": "webdav", "url": "\(cloud.origin)/\(name)", "user": WebDAVProgram.user])
      let password = ["BYTECLUB_TOKEN": WebDAVProgram.password]
      let added = try scene.start(["serve", "member", "add", "ann", "--club", "cloud"], password).finish()
      token = added.text.trimmingCharacters(in: .whitespacesAndNewlines)
      try #require(added.status == 0 && !token.isEmpty, "\(added.said)")
      server = try PtySession(
        MemberHome.binary(), ["serve", "--club", "cloud", "--listen", "127.0.0.1:0"], size: Size(200, 24),
        environment: scene.home.environment(password), workingDirectory: scene.home.path)
      let screen = try server.wait(for: "\"server\":", timeout: .patient)
      let port = String(screen.text.split(separator: "http://127.0.0.1:").last?.prefix { $0.isNumber } ?? "")
      try scene.set("front", ["store": "dropbox", "server": "http://127.0.0.1:\(port)", "folder": "/"])
    }

    deinit {
      server.signal(SIGKILL)
      cloud.stop()
    }

    /// Runs a verb on the club behind the server, without the password of the cloud.
    func front(_ words: String..., input: String? = nil) throws -> Spawn.Outcome {
      var words = words
      if let input {
        try scene.home.write(input, to: "input")
        words.append(scene.home.path + "/input")
      }
      return try scene.start(words + ["--club", "front"], ["BYTECLUB_TOKEN": token]).finish()
    }

    func text(_ name: String) -> String? { contents(club + "/" + name) }

    /// Another program writes past byteclub.
    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: club + "/" + name))
    }

    func revision(of name: String) throws -> String {
      let outcome = try front("note", "ls", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      let notes = try #require(document?["results"] as? [[String: Any]], "\(outcome.said)")
      return try #require(notes.first { $0["name"] as? String == name }?["revision"] as? String, "\(notes)")
    }
  }

  @Test func `notes and photos go through it both ways`() async throws {
    let world = try await World()
    try world.write("at the server\n", to: "a.md")
    let list = try world.front("note", "ls")
    #expect(list.status == 0 && list.text == "a.md\n", "\(list.text) \(list.said)")
    #expect(try world.front("note", "cat", "a").text == "at the server\n")
    let put = try world.front("note", "put", "b c+d", input: "through\n")
    #expect(put.status == 0 && world.text("b c+d.md") == "through\n", "\(put.said)")
    let picture = TransferScene.picture(1, mebibytes: 12)
    try world.scene.home.write(picture, to: "big.jpg")
    let upload = try world.front("photo", "put", world.scene.home.path + "/big.jpg", "--progress", "none")
    #expect(upload.status == 0, "\(upload.said)")
    #expect(FileManager.default.contents(atPath: world.club + "/photos/big.jpg") == Data(picture))
  }

  @Test func `a save over a text that is newer at the server is a conflict`() async throws {
    let world = try await World()
    #expect(try world.front("note", "put", "a", input: "first\n").status == 0)
    let seen = try world.revision(of: "a.md")
    try world.write("another program's\n", to: "a.md")
    let stale = try world.front("note", "put", "a", "--if-rev", seen, input: "mine\n")
    #expect(stale.status == 5, "\(stale.status) \(stale.said)")
    #expect(world.text("a.md") == "another program's\n")
    #expect(try world.front("note", "cat", "a").text == "another program's\n")
  }

  @Test func `a note goes to the trash and comes back`() async throws {
    let world = try await World()
    #expect(try world.front("note", "put", "a", input: "precious\n").status == 0)
    let trash = try world.front("note", "rm", "a")
    #expect(trash.status == 0 && world.text("a.md") == nil, "\(trash.said)")
    #expect(try world.front("trash", "ls").text.contains("a.md"))
    let back = try world.front("trash", "restore", "a.md")
    #expect(back.status == 0 && world.text("a.md") == "precious\n", "\(back.said)")
  }
}
