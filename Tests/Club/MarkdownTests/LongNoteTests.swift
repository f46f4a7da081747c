import Testing
import TextUI

@testable import Markdown

/// A long note opens and scrolls as fast as a short one.
@Suite struct LongNoteTests {
  /// Sections with links, and a last line.
  private static func note(mebibytes: Int) -> [UInt8] {
    let section = "## A section\n\nWords with *marks* and [a link](a.md).\n\n- [ ] one\n- two\n\n"
    let mebibyte = Array(String(repeating: section, count: (1 << 20) / section.utf8.count + 1).utf8)
    var note: [UInt8] = []
    note.reserveCapacity((mebibytes + 1) * mebibyte.count)
    for _ in 0..<mebibytes { note += mebibyte }
    return note + Array("The end.\n".utf8)
  }

  @Test func `lines are laid out again when the terminal draws grapheme clusters whole`() {
    let text = TextBuffer(Array(String(repeating: "👨‍👩‍👧‍👦", count: 10).utf8))
    var pages = MarkdownPages(text, size: Size(42, 4))
    func rows() -> [String] {
      var canvas = Canvas(Size(42, 4))
      pages.draw(on: &canvas)
      return (0..<2).map { canvas.grid.text(ofRow: $0).filter { $0 != " " } }
    }
    let parts = String(repeating: "👨👩👧👦", count: 5)
    #expect(rows() == [parts, parts])
    Graphemes.$assumed.withValue(true) {
      pages.resize(Size(42, 4))
      #expect(rows() == [String(repeating: "👨‍👩‍👧‍👦", count: 10), ""])
    }
  }

  @Test("Only the parts around the visible lines of a note of 100 MiB are parsed") func parts() throws {
    let text = TextBuffer(Self.note(mebibytes: 100))
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
    var pages = MarkdownPages(TextBuffer(Self.note(mebibytes: 4)), size: Size(80, 24))
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

  @Test("Footnotes of a note of more than 1 MiB have one row of numbers, and lead to their texts and back")
  func footnotes() throws {
    let filler = String(repeating: "word\n\n", count: 200_000)
    let head = "one[^b] two[^a]\n\n```\n[^a]: code\n```\n\n"
    let note = head + filler + "more[^c]\n\n[^a]: A\n[^b]: B\n"
    var pages = MarkdownPages(TextBuffer(Array(note.utf8)), size: Size(40, 10))
    func shown() -> [String] {
      pages.visible.map { String(decoding: $0.line.runs.flatMap { Array($0.text) }, as: UTF8.self) }
    }
    #expect(shown().first == "one[1] two[2]")
    var targets: [MarkdownLink.Kind?] = []
    for _ in 0..<2 {
      _ = pages.focusLink(forward: true)
      targets.append(pages.focus?.kind)
    }
    #expect(targets == [.place(note.utf8.count - 8), .place(note.utf8.count - 16)])
    pages.scroll(.bottom)
    #expect(shown().filter { !$0.isEmpty }.suffix(3) == ["more[^c]", "[2] A", "[1] B"])
    _ = pages.focusLink(forward: true)
    #expect(pages.focus?.kind == .place(11))
  }

  @Test(
    "Footnotes beyond a bound, of bytes or of marks, are text",
    arguments: [("[^a]\n", 20_000, "word\n\n", 200_000), ("[^a]\n", 1, "a word\n\n", 2_100_000)])
  func manyFootnotes(mark: String, marks: Int, filler: String, count: Int) {
    let note = String(repeating: mark, count: marks) + String(repeating: filler, count: count) + "[^a]: A\n"
    #expect(MarkdownPages(TextBuffer(Array(note.utf8)), size: Size(40, 10)).references.footnotes.isEmpty)
  }

  @Test(
    "Footnotes of a long note are those of a short one",
    arguments: [
      "a[^1] b[^c].\n\n[^1]: My ref.\n[^c]: One\ntwo\n", "[^b] [^a]\n\n[^a]: A\n\n[^b]: B\n", "a[^x]\n\n[^y]: b\n",
      "[^a b]\n\n[^a b]: c\n", "[^A] [^[^a] [^]\n   [^a]: b\n", "~~~\n[^a]: b\n```\n~~~~ \n[^a]\n\n[^a]: c\n",
      "[^a]\n\n`` ` ``\n[^a]: b\n", "[^a]:\n", "",
    ])
  func sameFootnotes(note: String) {
    let text = TextBuffer(Array(note.utf8))
    let (long, short) = (FootnoteScan.references(of: text), MarkdownDocument(text.bytes).references)
    #expect(long.footnotes == short.footnotes)
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
