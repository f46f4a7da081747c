import Markdown
import Testing
import TextUI

/// Callouts, highlights, comments, mathematics and names of blocks, which Obsidian and GitHub write.
@Suite struct CalloutTests {
  private func lines(_ text: String, _ width: Int = 30) -> [String] {
    MarkdownPreview.lines(of: TextBuffer(Array(text.utf8)), in: 0..<200, width: width).map { line in
      line.runs.map { ShownText.of(String(decoding: $0.text, as: UTF8.self)) }.joined()
    }
  }

  private func html(_ note: String) -> String { MarkdownHTML.text(MarkdownDocument(Array(note.utf8))) }

  @Test(
    "A callout is a quote with its kind and title",
    arguments: [
      ("> [!note] Mind the step\n> It is wet.\n", ["┃ Note: Mind the step", "┃ It is wet."]),
      ("> [!WARNING]\n> It is wet.\n", ["┃ Warning", "┃ It is wet."]),
      ("> [!tip]- Folded *here*\n>\n> - a\n> - b\n", ["┃ Tip: Folded here", "┃ • a", "┃ • b"]),
      ("> [!info|wide]+\n", ["┃ Info"]),
      ("> [!a]\n> > [!b] c\n> > d\n", ["┃ A", "┃ ┃ B: c", "┃ ┃ d"]),
      ("- > [!note] a\n  > b\n", ["• ┃ Note: a", "  ┃ b"]),
    ])
  func titles(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test(
    "Other brackets at the start of a quote are text",
    arguments: [
      ("> [!note](a.md)\n", "!note"), ("> [!]\n", "[!]"), ("> [note] a\n", "[note] a"), ("> a [!note]\n", "a [!note]"),
      ("[!note] a\n", "[!note] a"), ("> [!note]: x\n> a\n", "a"),
    ])
  func noCallout(text: String, shown: String) {
    #expect(lines(text).first?.contains(shown) == true)
  }

  @Test("A page of the server shows a callout as a quote, with its title in strong letters")
  func page() {
    #expect(
      html("> [!note] A & b\n> c\n")
        == "<blockquote>\n<p dir=\"auto\"><strong>Note: A &amp; b</strong></p>\n<p dir=\"auto\">c</p>\n</blockquote>\n")
    #expect(html("==a== $x_1$ %%b%% c ^d1\n").hasPrefix("<p dir=\"auto\"><mark>a</mark> <code>$x_1$</code>  c</p>"))
  }

  @Test(
    "Mathematics stays as it is, and prices are text",
    arguments: [
      ("$a_1 * b_2 * c$\n", ["$a_1 * b_2 * c$"]), ("$$\na_1 _b_\n$$\n", ["$$ a_1 _b_ $$"]),
      ("$5 and *$10* or US$7\n", ["$5 and $10 or US$7"]), ("$ a $ *b*\n", ["$ a $ b"]), ("$a *b*\n", ["$a b"]),
      ("`$a$` $[b](c)$\n", ["$a$ $[b](c)$"]),
    ])
  func mathematics(text: String, shown: [String]) {
    #expect(lines(text, 60) == shown)
  }

  @Test(
    "Comments and names of blocks are not shown",
    arguments: [
      ("a %%hidden *b*%% c\n", ["a c"]), ("%%hidden%%\n\na\n", ["a"]), ("50%% of %\n", ["50%% of %"]),
      ("a line ^name-1\n", ["a line"]), ("- a ^b1\n- c\n", ["• a", "• c"]), ("> a\n\n^b1\n\nc\n", ["┃ a", "", "c"]),
      ("10 ^2\n", ["10 ^2"]), ("a^b\n", ["a^b"]), ("`a ^b`\n", ["a ^b"]),
    ])
  func hidden(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test(
    "Two signs on each side of words highlight them",
    arguments: [
      ("a ==b *c*== d\n", "a b c d"), ("a == b == c\n", "a == b == c"), ("a === b\n", "a === b"), ("==a\n", "==a"),
      ("====\n", "===="),
    ])
  func highlights(text: String, shown: String) {
    #expect(lines(text) == [shown])
  }

  @Test("A note in an embed is a link to it, and the size of a picture is no label")
  func embeds() {
    func kinds(_ text: String) -> [MarkdownLink.Kind] {
      MarkdownLayout(MarkdownDocument(Array(text.utf8)), options: .init(width: 60)).links.map(\.kind)
    }
    #expect(kinds("![[tides]] ![[tides#low]] ![[a.md]]") == [.note("tides"), .note("tides#low"), .note("a.md")])
    #expect(kinds("![[photos/pier.jpg|300]]") == [.picture("photos/pier.jpg")])
    #expect(lines("![[pier.jpg|300x200]]\n") == ["▣ pier.jpg"])
    #expect(lines("![[pier.jpg|the pier]]\n") == ["▣ the pier"])
  }

  @Test("Nothing of it is syntax for other readers of Markdown")
  func plain() {
    let text = "> [!note] a\n\n==b== $c_d_$ %%e%% f ^g\n"
    let document = MarkdownDocument(Array(text.utf8), options: [.wikiLinks, .tags])
    #expect(document.blocks.indices.allSatisfy { document.callout(of: $0) == nil })
    let last = document.children(of: 0).last ?? 0
    let kinds = document.inlines(of: last).nodes.map(\.kind)
    #expect(!kinds.contains(.highlight) && !kinds.contains(.math))
  }

  @Test("A thousand callouts within each other, and marks without end, are text in the end")
  func hostile() {
    let deep = (1...1000).map { String(repeating: "> ", count: $0) + "[!note] a\n" }.joined()
    #expect(!lines(deep).isEmpty && html(deep).contains("Note: a"))
    for mark in ["==", "$", "$$", "%%", "> [!a", "^"] {
      let text = String(repeating: mark, count: 50_000) + "\u{0}\u{1B}[31m\n"
      let document = MarkdownDocument(Array(text.utf8))
      #expect(SourceCheck.faults(in: document) == [])
      #expect(!html(text).unicodeScalars.contains("\u{1B}"))
    }
  }
}
