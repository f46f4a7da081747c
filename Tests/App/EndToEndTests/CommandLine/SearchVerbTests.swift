import Foundation
import TestKit
import Testing

/// The search of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct SearchVerbTests {
  @Test func `words are found in names and texts, on any line, with any accents`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "Cafe\u{301}", input: "rouge\n\nle port\n")
    _ = try home.run("note", "put", "other", input: "rouge\n")
    let found = try home.run("search", "PORT", "café", "rouge")
    #expect(found.status == 0)
    #expect(found.text == "Cafe\u{301}.md:1: rouge\nCafe\u{301}.md:3: le port\n")
    let nothing = try home.run("search", "window")
    #expect(nothing.status == 4)
    #expect(nothing.said == "byteclub: No note or photo of the club matches \"window\".\n")
    #expect(try home.run("search", " ").status == 1)
  }

  @Test func `a file that is not text is found by its name, which is said`() throws {
    let home = try CommandLineHome()
    _ = try home.start(["note", "put", "port.bin"], input: [0x70, 0x6F, 0x72, 0x74, 0]).finish()
    let found = try home.run("search", "port")
    #expect(found.text == "port.bin\n")
    #expect(found.said == "Searched \"port.bin\" by name only: it is not text.\n")
    let none = try home.run("search", "zeppelin")
    #expect(none.status == 4 && !none.said.contains("^J"))
    #expect(none.said.contains("matches \"zeppelin\". Searched \"port.bin\" by name only"), "\(none.said)")
  }

  @Test func `filters, phrases and exclusions narrow the search, and JSON says what it meant`() throws {
    let (home, begin) = (try CommandLineHome(), Date())
    _ = try home.run("note", "put", "oslo", input: "at low tide\n#oslo\n")
    _ = try home.run("note", "put", "bergen", input: "the tide is low\n---\n")
    _ = try home.run("note", "put", "boat", input: "a boat at low tide\n")
    func found(_ words: String...) throws -> String {
      try home.start(["search", "--"] + words).finish().text.split(separator: "\n").map {
        String($0.prefix { $0 != "." })
      }
      .joined(separator: " ")
    }
    #expect(try found("low", "tide") == "bergen boat oslo")
    #expect(try found("\"low tide\"") == "boat oslo")
    #expect(try found("\"low tide\"", "-boat") == "oslo")
    #expect(try home.run("search", "low", "-boat", "-tag:oslo", "--quiet").text.hasPrefix("bergen.md:"))
    #expect(try home.run("search", "low", "-q", "tide", "-boat", "--", "-bergen").text.hasPrefix("oslo.md:"))
    #expect(try found("tag:oslo") == "oslo" && found("low", "-tag:oslo") == "bergen boat")
    let (since, before) = (try found("low", "since:today"), try found("low", "before:today"))
    // At midnight the notes become yesterday's.
    if Calendar.current.isDate(begin, inSameDayAs: Date()) { #expect(since == "bergen boat oslo" && before.isEmpty) }
    #expect(try found("in:/", "low") == "bergen boat oslo" && found("in:trips", "low").isEmpty)
    let json = try home.run("search", "--json", "tag:oslo", "since:2020-01").text
    #expect(json.contains(#""query":{"words":[],"without":[],"filters":[{"filter":"tag","value":"oslo","not":false}"#))
    #expect(json.contains(#"{"filter":"since","value":"2020-01","not":false,"moment":"20"#), "\(json)")
    let wrong = try home.run("search", "since:soon")
    #expect(wrong.status == 1 && wrong.said.contains("since: takes 7d, 2w, 3m, 1y"))
    #expect(try home.run("search", "foo:bar").status == 4, "an unknown filter is a word")
  }

  @Test(arguments: [["help", "frob"], ["help", "note", "frob"]])
  func `help for a command that is not there is an error`(_ words: [String]) throws {
    let outcome = try CommandLineHome().start(words).finish()
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.said.contains("byteclub has no command \"byteclub"))
  }
}
