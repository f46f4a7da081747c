import Markdown
import Testing
import TextUI

/// What other programs write into notes, as lines of a width.
@Suite struct OtherProgramsTests {
  private func lines(_ text: String, _ width: Int = 12) -> [String] {
    MarkdownPreview.lines(of: TextBuffer(Array(text.utf8)), in: 0..<100, width: width).map { line in
      line.runs.map { ShownText.of(String(decoding: $0.text, as: UTF8.self)) }.joined()
    }
  }

  private static let rule = "────────────"

  @Test(
    "Front matter is a block of its own, and no heading",
    arguments: [
      ("---\ntitle: Hello\ndate: 1\n---\n\n# Body\n", ["title: Hello", "date: 1", "", "Body"]),
      ("\u{FEFF}---\ntags: [a]\n...\nBody\n", ["tags: a", "", "Body"]),
      ("+++\na = \"x\"\n+++\nBody\n", ["a = \"x\"", "", "Body"]),
      ("+++\n[a]\n+++\n", ["[a]"]),
      ("---\r\n# remark\r\na:\r\n  - b\r\n--- \r\nBody\r\n", ["# remark", "a: b", "", "Body"]),
      ("---\n\"a b\": c\n---\n---\n", ["a b: c", "", rule]),
    ])
  func frontMatter(text: String, shown: [String]) {
    #expect(lines(text) == shown)
    var pages = MarkdownPages(TextBuffer(Array(text.utf8)), size: Size(14, 24))
    #expect(pages.headings().count == (text.contains("# Body") ? 1 : 0))
  }

  @Test(
    "A text below a rule is text",
    arguments: [
      ("---\n\na: b\n---\n", [rule, "", "a: b"]), ("---\nFoo\n---\nBar\n", [rule, "", "Foo", "", "Bar"]),
      ("---\na: b\n", [rule, "", "a: b"]), ("a\n\n---\nb: c\n---\n", ["a", "", rule, "", "b: c"]),
      ("---\n- a: b\n---\n", [rule, "", "• a: b", "", rule]), ("---\n---\n", [rule, "", rule]),
      ("+++\na\n+++\n", ["+++ a +++"]), (" ---\na: b\n---\n", [rule, "", "a: b"]),
    ])
  func noFrontMatter(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test(
    "A byte order mark is not part of the first line",
    arguments: [("# One", "One"), ("- [ ] a", "☐ a"), ("| a |\n|---|", "a"), ("> a", "┃ a"), ("", "")])
  func byteOrderMark(text: String, shown: String) {
    #expect(lines("\u{FEFF}" + text).first == shown)
    let document = MarkdownDocument(Array("\u{FEFF}\(text)".utf8))
    for block in document.blocks {
      if case .item(let check?) = block.kind { #expect(check.offset == 6) }
    }
  }

  @Test(
    "A comment is not shown, unless it does not end",
    arguments: [
      ("<!-- hidden -->\n\none\n", ["one"]), ("one <!-- hidden\nmore --> two\n", ["one two"]),
      ("a\n\n<!--\nhidden\n\nmore\n-->\n\nb\n", ["a", "", "b"]),
      ("<!-- a --> <!-- b --> c\n\nd\n", ["c", "", "d"]), ("<!-- open\n\none\n", ["<!-- open", "", "one"]),
      ("- <!-- a -->\n- b\n", ["• ", "• b"]), ("`<!-- a -->`\n", ["<!-- a -->"]), ("<!-->\na\n", ["a"]),
      ("<b>a</b>\n", ["<b>a</b>"]),
    ])
  func comments(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test(
    "br breaks the line, also in a cell",
    arguments: [
      ("a<br>b<BR/>c<br />d\n", ["a", "b", "c", "d"]), ("a<br>\nb\n", ["a", "b"]), ("a<brx>b\n", ["a<brx>b"]),
      ("# a<br>b\n", ["a", "b"]), ("a\n\n<br>\n  <br />\n\nb\n", ["a", "", "b"]),
      ("a<br clear=\"all\">b\n", ["a", "b"]), ("<span>\n", ["<span>"]),
      ("|x|y|\n|-|-|\n|a<br>b|c|\n|d|e|\n", ["x │ y", "──┼──", "a │ c", "b │ ", "──┼──", "d │ e"]),
    ])
  func breaks(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test(
    "Footnotes have the numbers of their first marks, and each text is a block",
    arguments: [
      ("a[^1] b[^c].\n\n[^1]: My ref.\n[^c]: One\ntwo\n", ["a[1] b[2].", "", "[1] My ref.", "[2] One two"]),
      ("[^b] [^a]\n\n[^a]: A\n\n[^b]: B\n", ["[1] [2]", "", "[2] A", "[1] B"]),
      ("a[^1]\n\n[^1]: b\n\n    c\n\nd\n", ["a[1]", "", "[1] b", "", "    c", "", "d"]),
      ("a[^x]\n", ["a[^x]"]), ("a[^x]\n\n[^y]: b\n", ["a[^x]", "", "[1] b"]),
      ("`[^1]`\n\n[^1]: a\n", ["[^1]", "", "[1] a"]),
      ("a\n[^1]: b\n", ["a", "", "[1] b"]), ("[^1]:\n", ["[1] "]), ("[^a b]\n\n[^a b]: c\n", ["^a b"]),
    ])
  func footnotes(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test("A footnote may hold a list") func listInFootnote() {
    #expect(lines("[^a]\n\n[^A]: - b\n    - c\n", 20) == ["[1]", "", "[1] • b", "    • c"])
  }

  @Test("The mark of a footnote leads to its text, and the number there back to the first mark") func footnoteLinks() {
    var pages = MarkdownPages(TextBuffer(Array("one[^a] two[^a]\n\n[^a]: three\n".utf8)), size: Size(40, 10))
    var targets: [MarkdownLink.Kind?] = []
    for _ in 0..<3 {
      _ = pages.focusLink(forward: true)
      targets.append(pages.focus?.kind)
    }
    #expect(targets == [.place(17), .place(17), .place(3)])
    pages.focusLink(at: 3)
    #expect(pages.focus?.range == 3..<7)
    pages.focusLink(at: 17)
    #expect(pages.focus?.range == 17..<21)
  }

  @Test("A task of an ordered list keeps its number") func orderedTasks() {
    #expect(lines("1. [ ] a\n2. [x] b\n") == ["1. ☐ a", "2. ☑ b"])
    #expect(lines("9) [x] a\n10) [ ] b c d e f g\n") == [" 9) ☑ a", "10) ☐ b c d", "      e f g"])
  }

  @Test("Rows of a table are distinguished by rules where one of them has several lines") func rows() {
    #expect(
      lines("|a|b|\n|-|-|\n|c d e f g h|i|\n|j|k|\n|l|m|\n")
        == [
          "a        │ b", "─────────┼──", "c d e f  │ i", "g h      │ ", "─────────┼──",
          "j        │ k", "─────────┼──", "l        │ m",
        ])
    #expect(lines("|a|b|\n|-|-|\n|c|d|\n|e|f|\n") == ["a │ b", "──┼──", "c │ d", "e │ f"])
  }

  @Test("A column of several lines in its head is one line in a record") func headsOfRecords() {
    let text = "|a<br>b|c|d|\n|-|-|-|\n|one two|three|four|\n"
    #expect(lines(text).first == "a b: one two")
  }

  @Test("The source ranges are exact") func ranges() {
    let text =
      "\u{FEFF}---\na: b\n---\n\n> one[^a] <!-- x --> two<br>three\n\n1. [ ] four\n\n[^a]: five\n\n    > six\n\n<!-- y --> z\n"
    #expect(SourceCheck.faults(in: MarkdownDocument(Array(text.utf8))) == [])
  }

  @Test("Front matter and a byte order mark are at the start of a note alone, also of a long one") func longNotes() {
    let filler = String(repeating: "word\n\n", count: 20_000)
    let text = "\u{FEFF}---\na: b\n---\n\n\(filler)---\nc: d\n---\n\n\(filler)"
    var parts = MarkdownParts(TextBuffer(Array(text.utf8)))
    var found = 0
    while let part = parts.next() { found += part.document.blocks.filter { $0.kind == .frontMatter }.count }
    #expect(found == 1)
  }
}
