import ArgumentParser
import JSON
import Testing

@testable import byteclub

/// Starts that are known at a glance mean what ArgumentParser would make of them.
@Suite struct PlainStartTests {
  @Test(arguments: [
    [], ["--folder", "notes"], ["--club", "home"], ["--config", "c.json", "--folder", "/a b/é"],
    ["--club", "home", "--config", "c.json"],
  ])
  func `plain starts mean what the parser says`(arguments: [String]) throws {
    let parsed = try #require(try RootCommand.parseAsRoot(arguments) as? RootCommand)
    #expect(PlainStart.options(arguments) == parsed.shared.start)
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["note", "ls"], ["--folder"], ["--folder=notes"], ["--folder", ""], ["--folder", "-x"],
    ["--folder", "a", "--folder", "b"], ["--folder", "a", "--club", "b"], ["--json", "--folder", "a"],
    ["--folder", "a", "note", "ls"], ["--", "a"], ["--fodler", "a"],
  ])
  func `all else is the parser's`(arguments: [String]) { #expect(PlainStart.options(arguments) == nil) }
}
