import Foundation
import TestKit
import Testing

/// The history of notes and the store's own search, by the real program over the real server.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct HistoryVerbTests {
  private func document(_ outcome: Spawn.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  private func results(_ outcome: Spawn.Outcome) throws -> [[String: Any]] {
    try #require(try document(outcome)["results"] as? [[String: Any]], "\(outcome.text) \(outcome.said)")
  }

  private func served() throws -> ServedClub {
    let club = try ServedClub(notes: ["Welcome.md": "Hello.\n"])
    try club.configure()
    try club.signIn("ann")
    return club
  }

  @Test func `a note's versions are told newest first, and any of them comes back; what was there stays`() throws {
    let club = try served()
    for text in ["one\n", "two, longer\n"] {
      try club.home.write(text, to: "text")
      #expect(try club.run("note", "put", "Answer", club.home.path + "/text").status == 0)
    }
    let history = try results(try club.run("note", "history", "Answer", "--json"))
    #expect(history.map { $0["size"] as? Int } == [12, 4])
    #expect(history.allSatisfy { ($0["modified"] as? String)?.hasSuffix("Z") == true })
    let oldest = try #require(history.last?["revision"] as? String)
    let lines = try club.run("note", "history", "Answer").text.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasSuffix(oldest))
    let restored = try club.run("note", "restore", "Answer", oldest)
    #expect(restored.status == 0 && restored.said == "Restored \"Answer.md\".\n")
    #expect(try club.run("note", "cat", "Answer").text == "one\n")
    #expect(try results(try club.run("note", "history", "Answer", "--json")).map { $0["size"] as? Int } == [4, 12, 4])
    #expect(try results(try club.run("note", "history", "Answer", "--limit", "1", "--json")).count == 1)
    let wrong = try club.run("note", "restore", "Answer", "0123456789ab")
    #expect(wrong.status == 4 && wrong.said.contains("has no version 0123456789ab"))
    #expect(try club.run("note", "history", "Never").status == 4)
  }

  @Test func `a search asks the server, too, and tells nothing twice`() throws {
    let club = try served()
    try club.home.write("nothing of the kind\n", to: "text")
    #expect(try club.run("note", "put", "Lighthouse keeper.md", club.home.path + "/text").status == 0)
    let found = try results(try club.run("search", "lighthouse", "--json"))
    #expect(found.map { $0["name"] as? String } == ["Lighthouse keeper.md"])
    #expect(try club.run("search", "windmill").status == 4)
  }

  @Test func `a club in a folder says that it keeps no versions`() throws {
    let home = try CommandLineHome()
    #expect(try home.run("note", "ls").status == 0)
    for arguments in [["history", "Welcome"], ["restore", "Welcome", "r1"]] {
      let outcome = try home.start(["note"] + arguments).finish()
      #expect(outcome.status == 1)
      #expect(outcome.said.contains("keeps no versions of notes"))
    }
  }
}
