import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// `byteclub serve --club` in front of a club in a bucket of moto.
@Suite(
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)), .timeLimit(.minutes(4))
) struct ServedBucketTests {
  /// The member "ann" of a server in front of the club "bucket" knows it as the club "front".
  private final class World {
    let bucket: Bucket
    let scene: TransferScene
    private let server: PtySession
    private let token: String

    init() throws {
      (bucket, scene) = (try Bucket(), try TransferScene())
      try scene.set("bucket", bucket.settings())
      let added = try scene.start(["serve", "member", "add", "ann", "--club", "bucket"], Bucket.keys).finish()
      token = added.text.trimmingCharacters(in: .whitespacesAndNewlines)
      try #require(added.status == 0 && !token.isEmpty, "\(added.said)")
      server = try PtySession(
        MemberHome.binary(), ["serve", "--club", "bucket", "--listen", "127.0.0.1:0"], size: Size(200, 24),
        environment: scene.home.environment(Bucket.keys), workingDirectory: scene.home.path)
      let screen = try server.wait(for: "\"server\":", timeout: .patient)
      let port = String(screen.text.split(separator: "http://127.0.0.1:").last?.prefix { $0.isNumber } ?? "")
      try scene.set("front", ["store": "dropbox", "server": "http://127.0.0.1:\(port)", "folder": "/"])
    }

    deinit { server.signal(SIGKILL) }

    /// Runs a verb on the club behind the server. It has no keys of the bucket.
    func front(_ words: String..., input: String? = nil) throws -> Spawn.Outcome {
      var words = words
      if let input {
        try scene.home.write(input, to: "input")
        words.append(scene.home.path + "/input")
      }
      return try scene.start(words + ["--club", "front"], ["BYTECLUB_TOKEN": token]).finish()
    }

    /// Runs a verb on the bucket itself, as a member does who needs no server.
    func direct(_ words: String...) throws -> Spawn.Outcome {
      try scene.start(words + ["--club", "bucket"], Bucket.keys).finish()
    }

    func revision(of name: String) throws -> String {
      let outcome = try front("note", "ls", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      let notes = try #require(document?["results"] as? [[String: Any]], "\(outcome.said)")
      return try #require(notes.first { $0["name"] as? String == name }?["revision"] as? String, "\(notes)")
    }
  }

  @Test func `notes and photos go through it both ways`() throws {
    let world = try World()
    try world.bucket.put(Array("in the bucket\n".utf8), at: "a.md")
    let list = try world.front("note", "ls")
    #expect(list.status == 0 && list.text == "a.md\n", "\(list.text) \(list.said)")
    #expect(try world.front("note", "cat", "a").text == "in the bucket\n")
    let put = try world.front("note", "put", "b c+d", input: "through\n")
    #expect(put.status == 0, "\(put.said)")
    #expect(try world.direct("note", "cat", "b c+d").text == "through\n")
    let picture = TransferScene.picture(1, mebibytes: 20)
    try world.scene.home.write(picture, to: "big.jpg")
    let upload = try world.front("photo", "put", world.scene.home.path + "/big.jpg", "--progress", "none")
    #expect(upload.status == 0, "\(upload.said)")
    #expect(try world.bucket.content("photos/big.jpg") == picture)
    let out = world.scene.home.path + "/out"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
    let download = try world.front("photo", "get", "big.jpg", "--to", out, "--progress", "none")
    #expect(download.status == 0, "\(download.said)")
    #expect(world.scene.home.bytes("out/big.jpg") == picture)
    #expect(try world.bucket.unfinished().isEmpty)
  }

  @Test func `a save over a text that is newer in the bucket is a conflict`() throws {
    let world = try World()
    #expect(try world.front("note", "put", "a", input: "first\n").status == 0)
    let seen = try world.revision(of: "a.md")
    try world.bucket.put(Array("another program's\n".utf8), at: "a.md")
    let stale = try world.front("note", "put", "a", "--if-rev", seen, input: "mine\n")
    #expect(stale.status == 5, "\(stale.status) \(stale.said)")
    #expect(try world.bucket.content("a.md") == Array("another program's\n".utf8))
    #expect(try world.front("note", "cat", "a").text == "another program's\n")
    let fresh = try world.front("note", "put", "a", "--if-rev", try world.revision(of: "a.md"), input: "mine\n")
    #expect(fresh.status == 0, "\(fresh.said)")
    #expect(try world.bucket.content("a.md") == Array("mine\n".utf8))
  }

  @Test func `what goes to the trash comes back`() throws {
    let world = try World()
    #expect(try world.front("note", "put", "a", input: "precious\n").status == 0)
    let trash = try world.front("note", "rm", "a")
    #expect(trash.status == 0, "\(trash.said)")
    #expect(try world.bucket.content("a.md") == nil)
    #expect(try world.front("trash", "ls").text.contains("a.md"))
    let back = try world.front("trash", "restore", "a.md")
    #expect(back.status == 0, "\(back.said)")
    #expect(try world.bucket.content("a.md") == Array("precious\n".utf8))
  }
}
