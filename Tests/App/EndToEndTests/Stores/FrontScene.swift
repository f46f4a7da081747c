import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// `byteclub serve --club` in front of a club at another server. The member "ann" of the front knows it as the club
/// "front", and has no sign-in at the other server.
final class FrontScene {
  let scene: TransferScene
  private let behind: any ForeignServer
  private let server: PtySession
  private let token: String

  init(before behind: any ForeignServer) throws {
    (self.behind, scene) = (behind, try TransferScene())
    let club = behind.name
    try scene.set(club, behind.settings(through: behind.port))
    let added = try scene.start(["serve", "member", "add", "ann", "--club", club], behind.secrets).finish()
    token = added.text.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(added.status == 0 && !token.isEmpty, "\(added.said)")
    server = try PtySession(
      MemberHome.binary(), ["serve", "--club", club, "--listen", "127.0.0.1:0"], size: Size(200, 24),
      environment: scene.home.environment(behind.secrets), workingDirectory: scene.home.path)
    let address = try "http://127.0.0.1:\(server.servedPort())"
    try scene.set("front", ["store": "dropbox", "server": address, "folder": "/"])
  }

  deinit { server.signal(SIGKILL) }

  /// Runs a verb on the club behind the front.
  func front(_ words: String..., input: String? = nil) throws -> Spawn.Outcome {
    var words = words
    if let input {
      try scene.home.write(input, to: "input")
      words.append(scene.home.path + "/input")
    }
    return try scene.start(words + ["--club", "front"], ["BYTECLUB_TOKEN": token]).finish()
  }

  /// Runs a verb on the club itself, as a member does who needs no front.
  func direct(_ words: String...) throws -> Spawn.Outcome {
    try scene.start(words + ["--club", behind.name], behind.secrets).finish()
  }

  private func text(_ name: String) throws -> String? {
    try behind.content(name).map { String(decoding: $0, as: UTF8.self) }
  }

  private func revision(of name: String) throws -> String {
    let outcome = try front("note", "ls", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    let notes = try #require(document?["results"] as? [[String: Any]], "\(outcome.said)")
    return try #require(notes.first { $0["name"] as? String == name }?["revision"] as? String, "\(notes)")
  }

  // MARK: - What each server must do behind a front

  func checkBothWays() throws {
    try behind.put(Array("past byteclub\n".utf8), at: "a.md")
    let list = try front("note", "ls")
    #expect(list.status == 0 && list.text == "a.md\n", "\(list.text) \(list.said)")
    #expect(try front("note", "cat", "a").text == "past byteclub\n")
    let put = try front("note", "put", "b c+d", input: "through\n")
    #expect(put.status == 0, "\(put.said)")
    #expect(try direct("note", "cat", "b c+d").text == "through\n")
    let picture = TransferScene.picture(1, mebibytes: 20)
    try scene.home.write(picture, to: "big.jpg")
    let upload = try front("photo", "put", scene.home.path + "/big.jpg", "--progress", "none")
    #expect(upload.status == 0, "\(upload.said)")
    #expect(try behind.content("photos/big.jpg") == picture)
    let out = scene.home.path + "/out"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
    let download = try front("photo", "get", "big.jpg", "--to", out, "--progress", "none")
    #expect(download.status == 0, "\(download.said)")
    #expect(scene.home.bytes("out/big.jpg") == picture)
  }

  func checkConflict() throws {
    #expect(try front("note", "put", "a", input: "first\n").status == 0)
    let seen = try revision(of: "a.md")
    try behind.put(Array("another program's\n".utf8), at: "a.md")
    let stale = try front("note", "put", "a", "--if-rev", seen, input: "mine\n")
    #expect(stale.status == 5, "\(stale.status) \(stale.said)")
    #expect(try text("a.md") == "another program's\n")
    #expect(try front("note", "cat", "a").text == "another program's\n")
    let fresh = try front("note", "put", "a", "--if-rev", try revision(of: "a.md"), input: "mine\n")
    #expect(fresh.status == 0, "\(fresh.said)")
    #expect(try text("a.md") == "mine\n")
  }

  func checkTrash() throws {
    #expect(try front("note", "put", "a", input: "precious\n").status == 0)
    let trash = try front("note", "rm", "a")
    #expect(try trash.status == 0 && text("a.md") == nil, "\(trash.said)")
    #expect(try front("trash", "ls").text.contains("a.md"))
    let back = try front("trash", "restore", "a.md")
    #expect(try back.status == 0 && text("a.md") == "precious\n", "\(back.said)")
  }
}
