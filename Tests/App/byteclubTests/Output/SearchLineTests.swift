import Basics
import FileStores
import Foundation
import TestKit
import Testing

@testable import byteclub

@Suite struct SearchLineTests {
  private func cut(_ text: String, _ words: String, columns: Int?) throws -> String {
    let match = try #require(TextFinder(words).match(name: "a", text: Array(text.utf8)))
    return SearchCommand.cut(try #require(match.lines.first), columns: columns)
  }

  @Test func `a long line is cut around the first word, on terminals alone`() throws {
    let line = String(repeating: "far ", count: 50) + "the lighthouse stands " + String(repeating: "away ", count: 50)
    #expect(try cut(line, "lighthouse", columns: nil) == line)
    let shown = try cut(line, "lighthouse", columns: 60)
    #expect(shown.contains("the lighthouse stands"))
    #expect(shown.hasPrefix("…") && shown.hasSuffix("…"))
    #expect(TerminalText.columns(shown) <= 60)
  }

  @Test(arguments: [
    ("lighthouse at the beginning of a line that is longer than its terminal is wide", "lighthouse"),
    ("日本語の長い行が端末の幅よりも長いときには灯台の周りだけが表示されます", "灯台"),
  ])
  func `what fits is shown, and nothing is wider than the terminal`(line: String, word: String) throws {
    let shown = try cut(line, word, columns: 40)
    #expect(shown.contains(word))
    #expect(TerminalText.columns(shown) <= 40)
    #expect(try cut(line, word, columns: 400) == line)
  }

  @Test func `a slow search tells how far it is, and a fast one nothing`() throws {
    let clock = ManualClock()
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting
    let output = Output(results: end.fileDescriptor, notices: end.fileDescriptor)
    let progress = SearchProgress(output, isSilent: false, clock: clock)
    progress.searched(1, of: 2000)
    clock.advance(by: .milliseconds(1200))
    progress.searched(120, of: 2000)
    progress.searched(121, of: 2000)
    progress.finish()
    try end.close()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: said, as: UTF8.self) == "Searching 120 of 2,000 notes\n")
  }
}
