import Foundation
import TestKit
import Testing

/// `note diff`, by the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct DiffVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    for text in ["one\ntwo words\nthree\n", "one\nmany words\nthree\n", "one\nmany words\nthree\nfour\n"] {
      #expect(try home.run("note", "put", "Tide", input: text).status == 0)
    }
    return home
  }

  private func results(_ outcome: Spawn.Outcome) throws -> [[String: Any]] {
    let document = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    return try #require(document["results"] as? [[String: Any]], "\(outcome.text) \(outcome.said)")
  }

  @Test func `in a pipe the last change is in the unified format`() throws {
    let outcome = try home().run("note", "diff", "Tide")
    #expect(outcome.status == 0)
    #expect(outcome.text == "--- a/Tide.md\n+++ b/Tide.md\n@@ -1,3 +1,4 @@\n one\n many words\n three\n+four\n")
  }

  @Test func `versions are compared by their revisions, and marked words are coloured on request`() throws {
    let home = try home()
    let history = try results(try home.run("note", "history", "Tide", "--json"))
    let revisions = history.compactMap { $0["revision"] as? String }
    #expect(revisions.count == 3)
    let since = try home.run("note", "diff", "Tide", revisions[2]).text
    #expect(since.contains("-two words\n+many words\n") && since.contains("+four\n"))
    let between = try home.run("note", "diff", "Tide", revisions[2], revisions[1]).text
    #expect(between.contains("+many words\n") && !between.contains("four"))
    let coloured = try home.run("note", "diff", "Tide", revisions[2], revisions[1], "--color", "always").text
    #expect(coloured.contains("\u{1B}[") && coloured.contains("many") && coloured.contains("line 1"))
    let same = try home.run("note", "diff", "Tide", revisions[0])
    #expect(same.status == 0 && same.text.isEmpty && same.said.contains("have the same text"))
    let wrong = try home.run("note", "diff", "Tide", "nothing")
    #expect(wrong.status == 4 && wrong.said.contains("has no version nothing"))
  }

  @Test func `JSON has the lines and the revisions`() throws {
    let result = try #require(try results(try home().run("note", "diff", "Tide", "--json")).first)
    #expect(result["path"] as? String == "Tide.md" && result["from"] is String && result["to"] is String)
    let hunk = try #require((result["hunks"] as? [[String: Any]])?.first)
    let lines = try #require(hunk["lines"] as? [[String: String]])
    #expect(lines.last == ["kind": "added", "text": "four"])
    #expect(hunk["oldLine"] as? Int == 1 && hunk["newLine"] as? Int == 1)
  }

  @Test func `a change by another program that was read is in the history of a folder club`() throws {
    let home = try home()
    try home.write("one\nby vim\n".utf8, to: "ByteClub/Tide.md")
    #expect(try home.run("note", "show", "Tide").text.contains("by vim"))
    try home.write("one\nby vim again\n".utf8, to: "ByteClub/Tide.md")
    let diff = try home.run("note", "diff", "Tide").text
    #expect(diff.contains("-by vim\n+by vim again\n"), "\(diff)")
  }
}
