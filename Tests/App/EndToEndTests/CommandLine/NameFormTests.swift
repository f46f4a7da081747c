import Foundation
import TestKit
import Testing

/// Names that are typed in another Unicode form, or in another letter case, than the note's file has.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct NameFormTests {
  @Test func `a name that macOS wrote is found as it is typed here, and gets no twin`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "re\u{301}sume\u{301}", input: "one\n")
    #expect(try home.run("note", "cat", "r\u{E9}sum\u{E9}").text == "one\n")
    _ = try home.run("note", "append", "r\u{E9}sum\u{E9}", input: "two\n")
    _ = try home.run("note", "put", "r\u{E9}sum\u{E9}.md", input: "three\n")
    func listed() throws -> [Substring] {
      try home.run("note", "ls").text.split(separator: "\n").filter { $0.hasSuffix("sum\u{E9}.md") }
    }
    #expect(try listed().count == 1)
    #expect(try home.run("note", "cat", "re\u{301}sume\u{301}").text == "three\n")
    #expect(try home.run("note", "rm", "r\u{E9}sum\u{E9}").status == 0)
    #expect(try home.run("trash", "restore", "r\u{E9}sum\u{E9}").status == 0)
    #expect(try listed().count == 1)
  }

  @Test func `what takes a file away, or names it anew, means no file of another case`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "todo", input: "one\n")
    try home.write(Pictures.jpeg, to: "ByteClub/photos/pier.jpg")
    try home.write("A note.\n".utf8, to: "ByteClub/photos/quay.md")
    #expect(try home.run("note", "cat", "Todo.md").text == "one\n")
    for words in [
      ["note", "rm", "Todo.md"], ["note", "mv", "Todo.md", "x"], ["photo", "rm", "pier.JPG"],
      ["photo", "mv", "pier.JPG", "x.jpg"], ["photo", "info", "quay"],
    ] {
      #expect(try home.start(words).finish().status == 4, "\(words)")
    }
    #expect(try home.run("note", "rm", "todo", "todo").status != 0)
    #expect(try home.run("trash", "restore", "todo").status == 0)
  }

  @Test func `a photo is found by its name in another form and in another case`() throws {
    let home = try CommandLineHome()
    try home.write(Pictures.jpeg, to: "ByteClub/photos/Cafe\u{301}.jpg")
    #expect(try home.run("photo", "info", "CAF\u{C9}.JPG").status == 0)
    #expect(try home.run("photo", "info", "cafe.jpg").status == 4)
  }

  @Test func `another letter case finds the only such note, and replaces none`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "The Brief", input: "one\n")
    #expect(try home.run("note", "cat", "THE BRIEF").text == "one\n")
    _ = try home.run("note", "append", "the brief", input: "two\n")
    #expect(try home.run("note", "cat", "The Brief").text == "one\ntwo\n")
    _ = try home.run("note", "put", "the brief", input: "three\n")
    #expect(try home.run("note", "cat", "The Brief").text == "one\ntwo\n")
    #expect(try home.run("note", "cat", "the brief").text == "three\n")
    // Which of the two is meant, nobody can say.
    #expect(try home.run("note", "cat", "THE BRIEF").status == 1)
  }
}
