import Foundation
import TestKit
import Testing

/// Texts that the note verbs of the real program are given.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct NoteInputTests {
  @Test func `empty standard input does not empty a note without being asked to`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "tide.md", input: "high\n")
    let refused = try home.run("note", "put", "tide", input: "")
    #expect(refused.status == 1)
    #expect(refused.said.contains("Standard input is empty; \"tide.md\" keeps its text."))
    #expect(try home.run("note", "put", "tide", "--json", input: "").text.contains(#""kind":"badInput""#))
    #expect(home.read("ByteClub/tide.md") == Array("high\n".utf8))
    #expect(try home.run("note", "put", "tide", "--allow-empty", input: "").status == 0)
    #expect(home.read("ByteClub/tide.md") == [])
    #expect(try home.run("note", "put", "new", input: "").status == 0)
    #expect(home.read("ByteClub/new.md") == [])
  }

  @Test func `append adds standard input or a text, on a line of its own`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    #expect(try home.run("note", "append", "Log", input: "one").said == "Added to \"Log.md\".\n")
    #expect(try home.run("note", "append", "Log", "two words").status == 0)
    #expect(try home.run("note", "append", "Log", "-", input: "three\n").status == 0)
    #expect(home.read("ByteClub/Log.md") == Array("one\ntwo words\nthree\n".utf8))
    for words in [["note", "append", "Log"], ["note", "append", "Log", ""]] {
      let nothing = try home.start(words).finish()
      #expect(nothing.status == 0)
      #expect(nothing.said == "The text is empty; \"Log.md\" is unchanged.\n")
    }
    #expect(home.read("ByteClub/Log.md") == Array("one\ntwo words\nthree\n".utf8))
  }

  @Test(arguments: [["note", "put", "-dash2"], ["note", "cat", "-h2"], ["note", "append", "log", "-ah"]])
  func `a word with a dash is no cluster of flags that prints the help`(_ words: [String]) throws {
    let home = try CommandLineHome()
    let outcome = try home.start(words, input: Array("text".utf8)).finish()
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.said.contains("byteclub has no option \"\(words.last ?? "")\""))
    #expect(outcome.said.contains("--"))
  }

  @Test func `a name that begins with a dash works behind two dashes`() throws {
    let home = try CommandLineHome()
    #expect(try home.run("note", "put", "--", "-dash2", input: "text").status == 0)
    #expect(home.read("ByteClub/-dash2.md") == Array("text".utf8))
    #expect(try home.run("note", "cat", "--", "-dash2").text == "text")
  }

  @Test(arguments: ["a\u{1B}[31m", "a\u{202E}b", "a\u{61C}b", ".hidden"])
  func `a name that the app refuses is refused here`(_ name: String) throws {
    let home = try CommandLineHome()
    for verb in ["put", "append"] {
      let outcome = try home.run("note", verb, "--json", "--", name, input: "text")
      #expect(outcome.status == 1)
      #expect(outcome.text.contains(#""kind":"badName""#))
    }
    #expect(home.files(ending: ".md") == ["ByteClub/Welcome.md"])
  }

  @Test func `v1.2 has no ending, here as in the app`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    #expect(try home.run("note", "put", "v1.2", input: "one").said == "Saved \"v1.2.md\".\n")
    #expect(try home.run("note", "cat", "v1.2").text == "one")
    #expect(try home.run("note", "put", "v1.2", input: "two").said == "Saved \"v1.2.md\".\n")
  }

  @Test func `the text of a put that was overtaken is a draft, which is never sent by itself`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\n")
    let outcome = try home.run("note", "put", "a.md", "--if-rev", "none", input: "two\n")
    #expect(outcome.status == 5)
    #expect(outcome.said.contains("Nothing was written. This text is a draft on this machine."))
    #expect(try home.run("draft", "ls").text.hasPrefix("draft "))
    #expect(try home.run("draft", "cat", "a.md").text == "two\n")
    #expect(try home.run("note", "ls").said == "")
    #expect(home.read("ByteClub/a.md") == Array("one\n".utf8))
  }
}
