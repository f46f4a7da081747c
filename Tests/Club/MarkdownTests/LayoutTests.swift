import Markdown
import Testing
import TextUI

/// Notes as lines of a width.
@Suite struct LayoutTests {
  private func lines(_ text: String, _ width: Int, _ marks: MarkdownMarks = .unicode) -> [String] {
    MarkdownPreview.lines(of: TextBuffer(Array(text.utf8)), in: 0..<500, width: width, marks: marks).map { line in
      line.runs.map { ShownText.of(String(decoding: $0.text, as: UTF8.self)) }.joined()
    }
  }

  @Test("Paragraphs are filled, and marks become looks") func paragraphs() {
    let text = "Walk from the **harbour** to the lighthouse and back at ~~high~~ low\ntide. See [the rules](a.md).\n"
    #expect(
      lines(text, 60) == [
        "Walk from the harbour to the lighthouse and back at high low", "tide. See the rules.",
      ])
  }

  @Test("Items of a list align behind their numbers, bullets and check boxes") func lists() {
    let text =
      "1. one\n2. two\n   - a sentence that does not fit\n   - b\n     * c\n10. ten\n\n- [ ] walked\n- [x] packed\n"
    #expect(
      lines(text, 24) == [
        "1. one", "2. two", "   • a sentence that", "     does not fit", "   • b", "     ◦ c", "3. ten", "", "☐ walked",
        "☑ packed",
      ])
    #expect(lines("- [ ] a\n- [x] b\n", 24, .ascii) == ["[ ] a", "[x] b"])
  }

  @Test("Wide glyphs without spaces are broken between them") func wide() {
    #expect(lines("> 日本語の文章\n", 10) == ["┃ 日本語の", "┃ 文章"])
  }

  @Test("Code is never cut: the rest of a long line follows behind a mark") func code() {
    #expect(lines("```\nabcdefghij\n\tx\n```\n", 8) == ["  abcdef", "↪ ghij", "      x"])
  }

  @Test("A table narrows its widest column, and becomes records where that is too little") func tables() {
    let text = "when | tide\n--- | ---:\n06:12 | low\n12:40 | much higher than ever\n"
    #expect(
      lines(text, 40) == [
        "when  │                  tide",
        "──────┼──────────────────────",
        "06:12 │                   low",
        "12:40 │ much higher than ever",
      ])
    #expect(
      lines(text, 20) == [
        "when  │         tide",
        "──────┼─────────────",
        "06:12 │          low",
        "──────┼─────────────",
        "12:40 │  much higher",
        "      │    than ever",
      ])
    #expect(
      lines("|a|b|c|\n|-|-|-|\n|one two|three four|five six|\n", 14) == ["a: one two", "b: three four", "c: five six"])
  }

  @Test("Control characters of a note are spelled, in text and in code") func controls() {
    #expect(lines("a\u{1B}[31mb \u{202E}c\n", 40) == ["a^[[31mb <U+202E>c"])
    #expect(lines("```\n\u{1B}]0;x\u{7}\n```\n", 40) == ["  ^[]0;x^G"])
  }

  @Test("Each run says which source bytes it shows", arguments: [20, 40, 90]) func ranges(width: Int) {
    let text =
      "# A *b* `c`\n\n> - one two three four five [six](seven) \\* &amp; #tag\n\n| a | b \\| c |\n|--|--|\n| d | e |\n"
    let source = Array(text.utf8)
    for line in MarkdownPreview.lines(of: TextBuffer(source), in: 0..<100, width: width) {
      for run in line.runs where run.isVerbatim && !run.range.isEmpty {
        #expect(Array(source[run.range]) == run.text || run.text == [0x20])
      }
      #expect(line.width <= width)
    }
  }
}
