import Testing
import TextUI

@testable import Markdown

/// A long note opens and scrolls as fast as a short one.
@Suite struct LongNoteTests {
  /// 100 MiB of sections with links, and a last line.
  private static func note() -> [UInt8] {
    let section = "## A section\n\nWords with *marks* and [a link](a.md).\n\n- [ ] one\n- two\n\n"
    let mebibyte = Array(String(repeating: section, count: (1 << 20) / section.utf8.count + 1).utf8)
    var note: [UInt8] = []
    note.reserveCapacity(101 * mebibyte.count)
    for _ in 0..<100 { note += mebibyte }
    return note + Array("The end.\n".utf8)
  }

  @Test("Only the parts around the visible lines of a note of 100 MiB are parsed") func parts() throws {
    let text = TextBuffer(Self.note())
    var pages = MarkdownPages(text, size: Size(80, 24))
    #expect(pages.parsedBytes <= MarkdownPart.longest)
    for _ in 0..<10 { pages.scroll(.pageDown) }
    #expect(pages.parsedBytes <= 2 * MarkdownPart.longest)
    var before = pages.parsedBytes
    pages.scroll(.bottom)

    #expect(pages.percent == 100 && pages.parsedBytes - before <= 4 * MarkdownPart.longest)
    before = pages.parsedBytes
    for _ in 0..<10 { pages.scroll(.pageUp) }
    #expect(pages.parsedBytes - before <= 4 * MarkdownPart.longest)
    before = pages.parsedBytes
    pages.show(text.count / 2)
    #expect((49...50).contains(pages.percent) && pages.parsedBytes - before <= 8 * MarkdownPart.longest)
    before = pages.parsedBytes
    let step = pages.focusLink(forward: true)
    #expect(step == .found && pages.parsedBytes - before <= 2 * MarkdownPart.longest)
    pages.resize(Size(40, 12))
    #expect((49...50).contains(pages.percent) && pages.parsedBytes - before <= 8 * MarkdownPart.longest)
    pages.scroll(.top)
    #expect(pages.topOffset == 0)
  }

  @Test("Parts far from the visible lines are dropped") func dropping() {
    var pages = MarkdownPages(TextBuffer(Self.note()), size: Size(80, 24))
    for _ in 0..<30 { pages.scroll(by: 5000) }
    #expect(pages.topOffset > 1 << 20 && pages.parts.count <= 50)
    for _ in 0..<30 { pages.scroll(by: -5000) }
    #expect(pages.topOffset < 1 << 12 && pages.parts.count <= 50)
  }

  @Test("A step to a link reads the parts nearby, however often it is tried") func linksFarAway() {
    let words = Array(String(repeating: "a line without any links\n\n", count: 100_000).utf8)
    var pages = MarkdownPages(TextBuffer(words + Array("[end](b.md)\n".utf8)), size: Size(80, 24))
    #expect(pages.focusLink(forward: true) == .noneNear)
    let before = pages.parsedBytes
    for _ in 0..<5 { #expect(pages.focusLink(forward: true) == .noneNear) }
    #expect(pages.parsedBytes == before && pages.parts.count <= 16)
    pages.scroll(.bottom)
    #expect(pages.focusLink(forward: true) == .found && pages.focusLink(forward: true) == .noMore)
  }

  @Test(
    "Markdown is known by its name",
    arguments: [
      ("a.md", true), ("A.MARKDOWN", true), ("a.txt", false), ("md", false), ("a.md.bak", false), (".md", false),
    ])
  func name(name: String, isMarkdown: Bool) {
    #expect(MarkdownDocument.isMarkdown(named: Array(name.utf8)[...], beginning: []) == isMarkdown)
  }

  @Test("The headings are read once, with the definitions of the whole note") func headings() {
    var pages = MarkdownPages(
      TextBuffer(Array("# To [b]\n\ntext\n\n## Two\n\n[b]: b.md\n".utf8)), size: Size(80, 24))
    #expect(pages.knownHeadings == nil)
    let headings = pages.headings()
    #expect(headings.map { String(decoding: $0.text, as: UTF8.self) } == ["To b", "Two"])
    #expect(pages.knownHeadings?.map(\.offset) == headings.map(\.offset))
  }
}
