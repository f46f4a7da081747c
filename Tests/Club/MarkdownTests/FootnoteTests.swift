import Markdown
import Testing
import TextUI

/// Footnotes of hostile notes. `OtherProgramsTests` has how they look.
@Suite struct FootnoteTests {
  private func lines(_ text: String) -> [String] {
    MarkdownPreview.lines(of: TextBuffer(Array(text.utf8)), in: 0..<100, width: 40).map { line in
      line.runs.map { ShownText.of(String(decoding: $0.text, as: UTF8.self)) }.joined()
    }
  }

  @Test("Footnotes that name each other, or themselves, are numbered once and shown once") func loops() {
    #expect(
      lines("a[^1]\n\n[^1]: one[^2]\n\n[^2]: two[^1][^2]\n") == ["a[1]", "", "[1] one[2]", "[2] two[1][2]"])
    let html = MarkdownHTML.text(MarkdownDocument(Array("a[^1]\n\n[^1]: one[^1]\n".utf8)))
    #expect(html.ranges(of: "id=\"footnote-1\"").count == 1)
  }

  @Test("A footnote is no callout, and a callout may have one") func callouts() {
    #expect(lines("> [!note] a[^1]\n> b\n\n[^1]: c\n") == ["┃ Note: a[1]", "┃ b", "", "[1] c"])
    #expect(lines("[^1]: > [!note] a\n").first == "[1] ┃ Note: a")
  }

  @Test("A note with 100,000 footnotes is shown, with the marks as text") func many() {
    let note = (0..<100_000).map { "a[^\($0)]\n\n[^\($0)]: b\n\n" }.joined()
    var pages = MarkdownPages(TextBuffer(Array(note.utf8)), size: Size(40, 10))
    #expect(pages.focusLink(forward: true) != .found)
    let some = (0..<5_000).map { "a[^\($0)]\n\n[^\($0)]: b\n\n" }.joined()
    var whole = MarkdownPages(TextBuffer(Array(some.utf8)), size: Size(40, 10))
    #expect(whole.focusLink(forward: true) == .found)
    #expect(whole.focus?.kind == .place(7))
  }
}
