import Foundation
import TestKit
import TextUI
import Testing

/// `byteclub trash`, by the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct TrashVerbTests {
  /// A home in whose trash these texts lie, all of them named x.md; the oldest first.
  private func home(_ texts: String...) throws -> CommandLineHome {
    let home = try CommandLineHome()
    for text in texts {
      #expect(try home.run("note", "put", "x.md", input: text).status == 0)
      #expect(try home.run("note", "rm", "x").status == 0)
    }
    return home
  }

  private func ids(_ home: CommandLineHome) throws -> [String] {
    try home.run("trash", "ls").text.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
  }

  @Test func `files of one name are distinguished by their ids, and one of them comes back`() throws {
    let home = try home("1", "22", "333")
    let ids = try ids(home)
    #expect(Set(ids).count == 3)
    #expect(try home.run("trash", "restore", ids[1]).status == 0)
    #expect(home.read("ByteClub/x.md") == Array("22".utf8))
    #expect(try self.ids(home) == [ids[0], ids[2]])
  }

  @Test func `a name without its ending is enough, and another one can be chosen`() throws {
    let home = try home("1", "22")
    #expect(try home.run("trash", "restore", "x").status == 0)
    let taken = try home.run("trash", "restore", "x")
    #expect(taken.status == 5 && taken.said.contains("--as"), "\(taken.said)")
    #expect(try home.run("trash", "restore", "x", "--as", "y").said == "Put \"y.md\" back.\n")
    #expect(home.read("ByteClub/y.md") == Array("1".utf8))
    #expect(try home.run("trash", "restore", "a", "b", "--as", "y").status == 2)
  }

  @Test func `nothing is deleted without --yes where nobody can be asked`() throws {
    let home = try home("1")
    for arguments in [["trash", "empty"], ["trash", "empty", "--json"]] {
      let outcome = try home.start(arguments).finish()
      #expect(outcome.status == 2 && (outcome.said + outcome.text).contains("--yes"), "\(outcome.said)")
    }
    #expect(try ids(home).count == 1)
    #expect(
      try home.run("trash", "empty", "--older-than", "1d", "--yes").said == "The trash has no file that old.\n")
    #expect(try home.run("trash", "empty", "--older-than", "soon", "--yes").status == 2)
    let emptied = try home.run("trash", "empty", "--yes")
    #expect(emptied.text == "x.md\n" && emptied.said == "Deleted one file.\n")
    #expect(try home.run("trash", "empty", "--yes").said == "The trash is empty.\n")
  }

  @Test func `at a terminal it asks, with the number and the oldest, and anything but yes deletes nothing`() throws {
    let home = try home("1", "22")
    let binary = try #require(CommandLineHome.binary)
    for (answer, left) in [("", 2), ("n", 2), ("y", 0)] {
      let session = try PtySession(
        binary, ["trash", "empty"], size: Size(160, 24), environment: home.environment, workingDirectory: home.path)
      try session.see("Delete 2 files? The oldest, \"x.md\", was removed at ")
      session.send(answer + "\n")
      #expect(try session.waitExit() == .exited(0))
      #expect(try ids(home).count == left)
    }
  }
}
