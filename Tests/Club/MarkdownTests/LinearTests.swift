import Markdown
import TestKit
import Testing

/// Texts that repeat a mark, for which careless parsers take the square of the length.
@Suite(.serialized) struct LinearTests {
  struct Repeated: CustomTestStringConvertible, Sendable {
    let name: String
    let text: @Sendable (Int) -> String

    init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
      self.name = name
      self.text = text
    }

    /// The name, repeated.
    init(_ name: String) { self.init(name) { String(repeating: name, count: $0) } }

    var testDescription: String { name }
  }

  static let texts: [Repeated] = [
    Repeated("["), Repeated("*a_ "), Repeated("![["), Repeated("![[a|b"), Repeated("[a](<b"), Repeated("[a]("),
    Repeated("<!--"), Repeated("a<?"), Repeated("<!A "), Repeated("<![CDATA["), Repeated("x<a b=\""), Repeated("&a;"),
    Repeated("`a``"), Repeated("> ```\n"), Repeated("- a\n\n"), Repeated("* * * * a\n"), Repeated("<div>\n"),
    Repeated("[a][b]"), Repeated("~a ~~b "), Repeated("http://a.b("), Repeated("a@b."), Repeated(" #a"),
    Repeated("%%a"), Repeated("$a "), Repeated("$$a"), Repeated("==a"), Repeated("==a== b"),
    Repeated("> [!a]\n"), Repeated("a | b\n- | x\n"), Repeated("[a]: b (\n"), Repeated("*a*_b_**c**~d~`e`[f](g)"),
    Repeated("[a]: b \"\n"),
    Repeated("nested emphasis") { String(repeating: "*a **a ", count: $0) + String(repeating: "b** b* ", count: $0) },
    Repeated("nested pictures") { String(repeating: "![", count: $0) + "a" + String(repeating: "](b)", count: $0) },
    Repeated("nested links") { String(repeating: "[", count: $0) + "a" + String(repeating: "](b)", count: $0) },
    Repeated("links in pictures") { String(repeating: "![", count: $0) + String(repeating: "[a](b)", count: $0) },
    Repeated("open links") { String(repeating: "[", count: $0) + String(repeating: "](b", count: $0) },
    Repeated("nested quotes") { String(repeating: ">", count: $0 * 8) + "a" },
    Repeated("nested quotes, many lines") {
      String(repeating: String(repeating: "> ", count: 80) + "a\n", count: $0 / 8)
    },
    Repeated("nested lists") { String(repeating: "- ", count: $0) + "a" },
    Repeated("backticks of all lengths") {
      (1...$0).map { "a" + String(repeating: "`", count: $0 % 300 + 1) }.joined()
    },
    Repeated("long table") { "|a|b|\n|-|-|\n" + String(repeating: "|c|d|\n", count: $0) },
    Repeated("wide table") {
      String(repeating: "|a", count: $0) + "\n" + String(repeating: "|-", count: $0) + "\n"
        + String(repeating: "|\n", count: $0)
    },
    Repeated("bars in a cell") { "|a|\n|-|\n|" + String(repeating: "\\|", count: $0) + "|" },
    Repeated("definitions") {
      (0..<$0).map { "[a\($0)]: b\n" }.joined() + "\n" + String(repeating: "[a1] ", count: $0)
    },
    Repeated("footnotes") {
      (0..<$0).map { "[^\($0)]: b\n" }.joined() + "\n" + String(repeating: "[^1] ", count: $0)
    },
    Repeated("open footnotes") { "[^a]: b\n\n" + String(repeating: "[^a", count: $0) },
    Repeated("front matter without end") { "---\na: b\n" + String(repeating: "c: d\n", count: $0) },
    Repeated("comments") { String(repeating: "a <!-- b --> ", count: $0) },
    Repeated("entities behind an address") { "http://a.b" + String(repeating: "&a;", count: $0) },
    Repeated("lazy lines") { "> > > > a\n" + String(repeating: "b\n", count: $0) },
  ]

  @Test("Twice the text takes less than three times the time", arguments: LinearTests.texts)
  func linear(repeated: Repeated) {
    // One run of each is enough if the ratio is far from the limit.
    if ratio(repeated, runs: 1) < 2.5 { return }
    // Noise only ever adds time: the shortest of some runs counts, and a bad ratio is measured again.
    #expect((0..<8).contains { _ in ratio(repeated, runs: 3) < 3 })
  }

  private func ratio(_ repeated: Repeated, runs: Int) -> Double {
    let (once, twice) = (shortest(repeated.text(2000), runs), shortest(repeated.text(4000), runs))
    return twice / max(once, 0.001)
  }

  private func shortest(_ text: String, _ runs: Int) -> Double {
    let source = Array(text.utf8)
    return (0..<runs).map { _ in
      let start = ThreadTime.seconds
      let document = MarkdownDocument(source)
      for block in document.blocks.indices { _ = document.inlines(of: block) }
      // at any pace: this thread's own time, and one good ratio of nine is enough.
      return ThreadTime.seconds - start
    }.min() ?? 0
  }

  @Test("Marks beyond the deepest level are text") func limits() {
    let quotes = MarkdownDocument(Array((String(repeating: ">", count: 5000) + "a").utf8))
    #expect(quotes.blocks.count == MarkdownDocument.deepestBlock + 2)
    let stars = MarkdownDocument(
      Array((String(repeating: "*a **b ", count: 500) + String(repeating: "c** d*", count: 500)).utf8))
    var depth = 0
    let inlines = stars.inlines(of: 1)
    var row = inlines.top
    while !row.isEmpty {
      depth += 1
      row = row.flatMap(inlines.children)
    }
    #expect(depth <= MarkdownDocument.deepestInline + 1)
    #expect(depth > 40)
  }
}
