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

  @Test func `a note's versions are reported newest first, and any of them comes back; what was there stays`() throws {
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
    #expect(lines.count == 2 && lines[1].contains(oldest))
    let restored = try club.run("note", "restore", "Answer", oldest)
    #expect(restored.status == 0 && restored.said == "Restored \"Answer.md\".\n")
    #expect(try club.run("note", "cat", "Answer").text == "one\n")
    #expect(try results(try club.run("note", "history", "Answer", "--json")).map { $0["size"] as? Int } == [4, 12, 4])
    #expect(try results(try club.run("note", "history", "Answer", "--limit", "1", "--json")).count == 1)
    let wrong = try club.run("note", "restore", "Answer", "0123456789ab")
    #expect(wrong.status == 4 && wrong.said.contains("no longer has the version 0123456789ab"))
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

  @Test func `a club in a folder keeps what note put replaces, and a deleted note comes back`() throws {
    let home = try CommandLineHome()
    for text in ["one\n", "two, longer\n"] { #expect(try home.run("note", "put", "Tide", input: text).status == 0) }
    let history = try results(try home.run("note", "history", "Tide", "--json"))
    #expect(history.map { $0["size"] as? Int } == [12, 4])
    #expect(history.allSatisfy { $0["kept"] as? Bool == true })
    let oldest = try #require(history.last?["revision"] as? String)
    #expect(try home.run("note", "restore", "Tide", oldest).said == "Restored \"Tide.md\".\n")
    #expect(home.read("ByteClub/Tide.md") == Array("one\n".utf8))
    #expect(try results(try home.run("note", "history", "Tide", "--json")).map { $0["size"] as? Int } == [4, 12, 4])
    #expect(try home.run("note", "mv", "Tide", "Flood").status == 0)
    #expect(try results(try home.run("note", "history", "Flood", "--json")).count == 3)
    #expect(try home.run("note", "rm", "Flood").status == 0)
    #expect(try home.run("trash", "empty", "--yes").status == 0)
    let last = try #require(
      try results(try home.run("note", "history", "Flood", "--json")).first?["revision"] as? String)
    #expect(try home.run("note", "restore", "Flood", last).status == 0)
    #expect(home.read("ByteClub/Flood.md") == Array("one\n".utf8))
    #expect(try home.run("note", "ls").text.split(separator: "\n").contains("Flood.md"))
  }

  @Test func `what the owner writes into the served folder is in the members' history, and so is what it replaced`()
    throws
  {
    let club = try served()
    for round in 1...3 {
      #expect(try club.run("note", "put", "Answer", try file("ray \(round)\n", club)).status == 0)
      try club.home.write("owner \(round)\n", to: "served/club/Answer.md")
      // Whoever looks lets the server see it, as its own look-out does a moment later.
      #expect(try club.run("note", "cat", "Answer").text == "owner \(round)\n")
    }
    let history = try results(try club.run("note", "history", "Answer", "--json"))
    #expect(history.map { $0["size"] as? Int } == [8, 6, 8, 6, 8, 6])
    #expect(history.allSatisfy { $0["kept"] as? Bool == true })
  }

  private func file(_ text: String, _ club: ServedClub) throws -> String {
    try club.home.write(text, to: "text")
    return club.home.path + "/text"
  }

  @Test func `what was in the trash that one member empties is in the history for all`() throws {
    let club = try served()
    for text in ["first\n", "second and last\n"] {
      #expect(try club.run("note", "put", "uni", try file(text, club)).status == 0)
    }
    #expect(try club.run("note", "rm", "uni").status == 0)
    #expect(try club.run("trash", "empty", "--yes").said.hasSuffix("Deleted one file.\n"))
    let history = try results(try club.run("note", "history", "uni", "--json"))
    #expect(history.map { $0["size"] as? Int } == [16, 6])
    #expect(try club.run("note", "restore", "uni", try #require(history[0]["revision"] as? String)).status == 0)
    #expect(try club.run("note", "cat", "uni").text == "second and last\n")
  }
}
