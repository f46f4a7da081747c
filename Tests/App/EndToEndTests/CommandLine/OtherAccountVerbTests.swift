import Foundation
import TestKit
import Testing

/// Two members on one machine, one after the other, at a server with a club for each: what waits for the first is never
/// done in the club of the second.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10)))
struct OtherAccountVerbTests {
  private let home: CommandLineHome
  private let places: [String]
  /// Nobody else gets the port while the server is away.
  private let held: HeldPort

  init() throws {
    (home, held) = (try CommandLineHome(), try HeldPort())
    for club in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: "\(home.path)/\(club)/photos", withIntermediateDirectories: true)
      for note in ["todo", "old", "log"] { try home.write("\(note) of \(club)\n".utf8, to: "\(club)/\(note).md") }
    }
    places = ["--club-root", "garage=\(home.path)/one", "--club-root", "choir=\(home.path)/two"]
  }

  private func served() throws -> RunningServer {
    try RunningServer(in: home, place: places, port: "\(held.number)")
  }

  private func run(_ token: String, _ words: [String], input: String = "") throws -> Spawn.Outcome {
    try home.start(words, input: Array(input.utf8), ["BYTECLUB_TOKEN": token]).finish()
  }

  private func text(_ name: String, _ club: String) -> String? {
    home.read("\(club)/\(name).md").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `what waits for one account is held back from another one, and sent when the first is back`() throws {
    var server: RunningServer? = try served()
    let (ann, eve) = (
      try #require(server).admit("ann", to: "one"), try #require(server).admit("eve", to: "two")
    )
    _ = try #require(server).configure(token: ann)
    for token in [ann, eve, ann] { #expect(try run(token, ["note", "ls"]).status == 0) }
    #expect(try #require(server).finish().status == 0)
    server = nil

    #expect(try run(ann, ["note", "put", "secret"], input: "the key is under the mat\n").status == 6)
    #expect(try run(ann, ["note", "put", "log"], input: "Ann's log\n").status == 6)
    #expect(try run(ann, ["note", "append", "todo", "Ann's line"]).status == 6)
    #expect(try run(ann, ["note", "mv", "old", "renamed"]).status == 6)
    #expect(try run(ann, ["note", "rm", "todo"]).status == 6)

    // Without a server, too, Eve sees nothing of it.
    for words in [["note", "ls"], ["draft", "ls"], ["sync", "ls"], ["note", "cat", "secret"]] {
      let outcome = try run(eve, words)
      for word in ["secret", "under the mat", "renamed", "Ann"] {
        #expect(!outcome.text.contains(word) && !outcome.said.replacing("\"secret\"", with: "").contains(word))
      }
    }
    server = try served()
    let listed = try run(eve, ["note", "ls"])
    #expect(listed.status == 0 && listed.text.split(separator: "\n") == ["log.md", "old.md", "todo.md"])
    #expect(!listed.said.contains("Sent from earlier"), "\(listed.said)")
    #expect(try run(eve, ["sync", "now"]).status == 0)
    #expect(try run(eve, ["draft", "ls"]).said.contains("of another account wait here"))
    #expect(text("secret", "two") == nil && text("renamed", "two") == nil)
    for note in ["todo", "old", "log"] { #expect(text(note, "two") == "\(note) of two\n") }

    #expect(try run(ann, ["note", "ls"]).status == 0)
    #expect(text("secret", "one") == "the key is under the mat\n" && text("log", "one") == "Ann's log\n")
    #expect(text("renamed", "one") == "old of one\n" && text("todo", "one") == nil)
    for note in ["todo", "old", "log"] { #expect(text(note, "two") == "\(note) of two\n") }
    // The addition to the removed note is a draft.
    #expect(try run(ann, ["draft", "cat", "todo"]).text == "Ann's line\n")
  }

  @Test func `a removed member who is invited anew can read what waited for the old account`() throws {
    var server: RunningServer? = try served()
    let old = try #require(server).admit("ann", to: "one")
    _ = try #require(server).configure(token: old)
    #expect(try run(old, ["note", "ls"]).status == 0)
    #expect(try #require(server).finish().status == 0)
    server = nil
    #expect(try run(old, ["note", "put", "secret"], input: "under the mat\n").status == 6)
    server = try served()
    #expect(try #require(server).manage("member", "rm", "ann", club: "one").status == 0)
    let new = try #require(server).admit("ann", to: "one")
    let listed = try run(new, ["draft", "ls"])
    #expect(listed.text == "" && listed.said.contains("To see what waits: byteclub draft ls --all-accounts"))
    let all = try run(new, ["draft", "ls", "--all-accounts"])
    #expect(all.text.contains("secret.md") && all.text.contains("of another account"), "\(all.text) \(all.said)")
    #expect(try run(new, ["draft", "cat", "secret"]).status == 4)
    #expect(try run(new, ["draft", "cat", "secret", "--all-accounts"]).text == "under the mat\n")
    // It is neither sent nor discarded as this account's.
    #expect(try run(new, ["draft", "send", "secret"]).status == 4)
    #expect(try run(new, ["draft", "discard", "secret"]).status == 4)
    #expect(text("secret", "one") == nil)
  }

  @Test func `a photo that waits for one account is not uploaded into another one's club, and its name is not shown`()
    throws
  {
    var server: RunningServer? = try served()
    let (ann, eve) = (
      try #require(server).admit("ann", to: "one"), try #require(server).admit("eve", to: "two")
    )
    _ = try #require(server).configure(token: ann)
    for token in [ann, eve] { #expect(try run(token, ["photo", "ls"]).status == 0) }
    #expect(try #require(server).finish().status == 0)
    server = nil
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC"
    try home.write(try #require(Data(base64Encoded: png)), to: "pier.png")
    let put = try run(ann, ["photo", "put", home.path + "/pier.png"])
    #expect(put.status == 6 && put.said.contains("is kept on this machine, not yet in the club"), "\(put.said)")
    server = try served()
    let id = try #require(try run(ann, ["transfer", "ls"]).text.split(separator: " ").first.map(String.init))
    for words in [["transfer", "run"], ["transfer", "ls"], ["transfer", "ls", "--json"], ["draft", "ls"]] {
      let outcome = try run(eve, words)
      #expect(outcome.said.contains("A transfer of another account waits here."), "\(words): \(outcome.said)")
      #expect(!outcome.text.contains("pier") && !outcome.said.contains("pier"), "\(words): \(outcome.text)")
      #expect(!outcome.text.contains(id), "\(words): \(outcome.text)")
    }
    for verb in ["pause", "cancel", "retry", "dismiss"] {
      #expect(try run(eve, ["transfer", verb, id]).status == 4, "\(verb)")
    }
    #expect(home.read("two/photos/pier.png") == nil && home.read("one/photos/pier.png") == nil)
    // It goes on by itself.
    #expect(try run(ann, ["transfer", "run"]).status == 0)
    #expect(home.read("one/photos/pier.png") != nil && home.read("two/photos/pier.png") == nil)
    withExtendedLifetime(server) {}
  }

  // MARK: - A token that is refused

  @Test func `a text under a refused token waits for the account that the club last had, and is sent when it is back`()
    throws
  {
    let server = try served()
    let ann = try server.admit("ann", to: "one")
    _ = try server.configure(token: ann)
    #expect(try run(ann, ["note", "ls"]).status == 0)
    let outcome = try run("nonsense", ["note", "put", "log"], input: "from a pipe\n")
    #expect(outcome.status == 3)
    #expect(outcome.said.contains("The text of \"log.md\" is kept on this machine"), "\(outcome.said)")
    #expect(text("log", "one") == "log of one\n")
    let next = try run(ann, ["note", "ls"])
    #expect(next.said.contains("Sent from earlier"), "\(next.said)")
    #expect(text("log", "one") == "from a pipe\n")
  }

  @Test func `a text under a refused token without any account is a draft, which only the member sends`() throws {
    let server = try served()
    let ann = try server.admit("ann", to: "one")
    _ = try server.configure(token: ann)
    let outcome = try run("nonsense", ["note", "put", "new"], input: "from a pipe\n")
    #expect(outcome.status == 3)
    #expect(outcome.said.contains("is a draft on this machine"), "\(outcome.said)")
    #expect(try run(ann, ["note", "ls"]).status == 0)
    #expect(text("new", "one") == nil)
    #expect(try run(ann, ["draft", "ls"]).text.contains("new.md"))
    #expect(try run(ann, ["draft", "send", "new"]).status == 0)
    #expect(text("new", "one") == "from a pipe\n")
  }
}
