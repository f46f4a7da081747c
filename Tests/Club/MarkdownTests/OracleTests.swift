import Foundation
import Markdown
import Testing

/// Random documents, compared with the program `cmark-gfm` and the library md4c.
@Suite struct OracleTests {
  private static let program = "/usr/bin/cmark-gfm"
  private static let extensions = ["table", "strikethrough", "autolink", "tasklist"]

  /// No open parenthesis: this version of cmark-gfm takes addresses in which it is not balanced.
  private static let texts = [
    "*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", ")", "![", "](a)", "[a]", "a", "b c", "foo", "\n",
    "\n\n", "\n- ", "\n1. ", "\n> ", "> ", "- ", "  ", "    ", "\t", "# ", "\n## ", "\n```\n", "\n~~~\n", "<a>", "</a>",
    "<div>", "\n<div>\n", "<!--", "-->", "&amp;", "&copy;", "&x", "\\*", "\n===\n", "***",
    "www.a.bc", "http://a.bc/d", "x@y.zz", "<http://a.b>", "é", "“", "\u{A0}", "!", ".", "\n  ", "\n   - ",
    "\n     x", "+ ", "10) ", "\n\n    code\n",
  ]
  /// This version of cmark-gfm keeps a title that text follows, and makes no rule of dashes behind a definition.
  private static let definitions = ["\n[a]: b\n", "\n[foo]: <c d> 'e'\n", "[foo]", "\n[é]: /x\n", "[É]"]
  /// With tables, cmark-gfm leaves definitions above the head as text; here they are definitions.
  private static let tables = [
    "|", "\n|-|-|\n", "\n|a|b|\n|-|:-:|\n|c|d|\n", "\n\n- [ ] e\n", "\n\n- [x] f\n", "\\|", " \"t\")", "\n---\n", "---",
  ]

  private static let parentheses = ["(", "](", "](a(b)c)", "[x](a(", "](<a(b>)", "](a (t))"]

  @Test("Random documents have the structure that cmark-gfm finds", arguments: [1, 2, 3, 4] as [UInt64])
  func agrees(seed: UInt64) throws {
    var numbers = Numbers(seed: seed)
    let pieces = Self.texts + (seed % 2 == 0 ? Self.definitions : Self.tables)
    for _ in 0..<200 {
      let text = (0..<numbers.next(1...25)).map { _ in pieces[numbers.next(0...(pieces.count - 1))] }.joined()
      // This version of cmark-gfm continues an empty item over a line of spaces.
      if text.split(separator: "\n").contains(where: { $0.allSatisfy { $0 == " " || $0 == "\t" } }) { continue }
      let wanted = try Self.cmark(text)
      let document = MarkdownDocument(Array(text.utf8), options: [.addresses])
      #expect(
        HTMLRenderer.normal(HTMLRenderer.html(document)) == HTMLRenderer.normal(wanted), "\(text.debugDescription)")
      #expect(SourceCheck.faults(in: document) == [], "\(text.debugDescription)")
    }
  }

  /// Pieces over which cmark-gfm errs are among these: a document is skipped if the two differ. Both make no rule of
  /// dashes behind a definition, and here they are one.
  @Test("Random documents of all pieces have the structure on which cmark-gfm and md4c agree")
  func agreesWithBoth() throws {
    try #require(MD4C.isInstalled)
    var numbers = Numbers(seed: 8)
    let pieces = Self.texts + Self.definitions + Self.tables + Self.parentheses + ["\n \n"]
    let count = 600
    var compared = 0
    for _ in 0..<count {
      let text = (0..<numbers.next(1...14)).map { _ in pieces[numbers.next(0...(pieces.count - 1))] }.joined()
      if text.contains(#/\]: [^\n]*\n *---/#) { continue }
      let wanted = Self.structure(try Self.cmark(text))
      guard Self.structure(try #require(MD4C.html(Array(text.utf8)))) == wanted else { continue }
      compared += 1
      let document = MarkdownDocument(Array(text.utf8), options: [.addresses])
      #expect(Self.structure(HTMLRenderer.html(document)) == wanted, "\(text.debugDescription)")
    }
    #expect(compared >= count * 7 / 10, "\(compared) of \(count) documents were compared")
  }

  private static func cmark(_ text: String) throws -> String {
    try Shell.run(program, ["--unsafe"] + extensions.flatMap { ["-e", $0] }, Data(text.utf8))
  }

  /// HTML without differences between the two programs that mean nothing: classes of tasks, and line ends in items.
  private static func structure(_ html: String) -> String {
    HTMLRenderer.normal(html)
      .replacing(
        "<li class=\"task-list-item\"><input type=\"checkbox\" class=\"task-list-item-checkbox\" disabled>",
        with: "<li><input type=\"checkbox\" disabled=\"\" /> "
      )
      .replacing(
        "<li class=\"task-list-item\"><input type=\"checkbox\" class=\"task-list-item-checkbox\" disabled checked>",
        with: "<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> "
      )
      .replacing("<li>\n", with: "<li>").replacing("/> \n", with: "/> ")
  }

  @Test("Random bytes never trap, and their ranges are exact", arguments: [5, 6, 7] as [UInt64]) func anyBytes(
    seed: UInt64
  ) {
    var numbers = Numbers(seed: seed)
    let marks = Array("*_~`[]()!<>#-+|:\\&;\n\n \t1.\"'=@wx/é\r\0\u{1B}".utf8) + [0xFF, 0xC3, 0x80]
    for _ in 0..<400 {
      let bytes = (0..<numbers.next(0...200)).map { _ in marks[numbers.next(0...(marks.count - 1))] }
      #expect(SourceCheck.faults(in: MarkdownDocument(bytes)) == [], "\(bytes)")
    }
  }
}

/// Numbers that are the same in each run (SplitMix64).
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(_ range: ClosedRange<Int>) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return range.lowerBound + Int((value ^ (value >> 31)) % UInt64(range.count))
  }
}
