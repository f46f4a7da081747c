import Markdown
import TestKit
import Testing
import TextUI

/// The data of other programs at the start of a note, as the app and pages show it.
@Suite struct FrontMatterTests {
  private func lines(_ matter: String, width: Int = 40) -> [String] {
    MarkdownPreview.lines(of: TextBuffer(Array("---\n\(matter)\n---\n".utf8)), in: 0..<2000, width: width).map { line in
      line.runs.map { ShownText.of(String(decoding: $0.text, as: UTF8.self)) }.joined()
    }
  }

  private func document(_ matter: String) -> MarkdownDocument { MarkdownDocument(Array("---\n\(matter)\n---\n".utf8)) }

  @Test(
    "A key stands before its values, and lists are joined",
    arguments: [
      ("title: Rome", ["title: Rome"]), ("title: \"Rome: a walk\"", ["title: Rome: a walk"]),
      ("title: 'a \"b\" c'", ["title: a \"b\" c"]), ("a: [x, y , \"z, w\"]", ["a: x, y, z, w"]), ("a: []", ["a:"]),
      ("a:", ["a:"]), ("a:\n- x\n- y", ["a: x, y"]), ("a:\n  - x\n\n  - 'y'", ["a: x, y"]), ("a: [x,]", ["a: x"]),
      ("url: http://a.b/c#d", ["url: http://a.b/c#d"]), ("tags: one two, three", ["tags: one, two, three"]),
      ("Tags: ['#one', two]", ["Tags: one, two"]),
      ("date: 2026-11-29\nkind: trip", ["date: 2026-11-29", "kind: trip"]),
    ])
  func rows(matter: String, shown: [String]) {
    #expect(lines(matter) == shown)
  }

  @Test(
    "What needs a whole reader of YAML is shown line by line as it is",
    arguments: [
      "a: |\n  one\n  two", "a: >-\n  one", "a: [x\n  , y]", "a: {b: c}", "a: [[x]]", "a: \"x", "a: \"x\\\"y\"",
      "a: x # why",
      "a:\n  b: c", "a:\n  - b: c", "a:\n  - x\n  y", "a: &b x", "a: *b", "a: !!str x", "a: b: c", "a: x\n  more",
      "a: b\n]]] broken {{{", "a: b\n\tc", "a: - b", "a: [x, , y]",
    ])
  func raw(matter: String) {
    let raw = lines(matter).map { String($0.filter { $0 != " " }) }
    let source = matter.split(separator: "\n").map { line in
      String(line.map { $0 == "\t" ? " " : $0 }.filter { $0 != " " })
    }
    #expect(raw == source)
  }

  @Test(
    "Tags are those of the fields for them and of the text, each once",
    arguments: [
      ("---\ntags: [a, B]\ntag: c\n---\n#b and #d/e\n", ["a", "B", "c", "d/e"]),
      ("---\ntags:\n  - trips/oslo\n  - '#two'\n---\n`#no` [#no](x) #yes\n", ["trips/oslo", "two", "yes"]),
      ("# Head #one\n\n```\n#no\n```\n\n    #no\n\n> - #two\n", ["one", "two"]),
      ("---\ntags: {a: b}\n---\n", []), ("---\ntitle: '#no'\n---\n", []),
      ("+++\ntags = [\"a\"]\n+++\n#1 #2b\n", ["2b"]),
      ("no tag\n", []), ("", []),
    ])
  func tags(text: String, tags: [String]) {
    #expect(MarkdownDocument.tags(of: TextBuffer(Array(text.utf8))) == tags)
  }

  @Test("A tag of front matter can be followed as a tag of the text") func links() {
    let text = "---\ntags: [oslo, trips/rome]\n---\n#fjord\n"
    let layout = MarkdownLayout(MarkdownDocument(Array(text.utf8)), options: .init(width: 40))
    #expect(layout.links.map(\.kind) == [.tag("oslo"), .tag("trips/rome"), .tag("fjord")])
    let source = Array(text.utf8)
    #expect(layout.links.map { String(decoding: source[$0.range], as: UTF8.self) } == ["oslo", "trips/rome", "#fjord"])
  }

  @Test("A page shows front matter as quiet text, with its marks escaped") func html() {
    let html = MarkdownHTML.text(document("a: [<b>, c]\nd: |\n  <e>"))
    #expect(html == "<pre>a: &lt;b&gt;, c\nd: |\n  &lt;e&gt;\n</pre>\n")
  }

  @Test("More lines than people write are shown as they are, and so is front matter of a megabyte") func large() {
    let many = (0...FrontMatter.mostLines).map { "k\($0): [v]" }.joined(separator: "\n")
    #expect(lines(many).prefix(2) == ["k0: [v]", "k1: [v]"])
    let note = "---\na: b\n" + String(repeating: "c: [d, e]\n", count: 100_000) + "---\n\nthe end\n"
    var shown = 0
    var parts = MarkdownParts(TextBuffer(Array(note.utf8)))
    while let part = parts.next() {
      let layout = MarkdownLayout(part.document, options: .init(width: 80))
      shown += layout.lines.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.text.count { $0 == UInt8(ascii: "d") } } }
    }
    #expect(shown == 100_001)
  }

  /// Letters and digits in order. A row may leave out marks, but no word.
  private func words(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.filter { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80 }
  }

  @Test("Whatever the bytes are, nothing crashes, and no word is lost") func mutations() {
    let seeds = [
      "title: Rome\ntags: [a, \"b c\", 'd']\naliases:\n  - x\n  - \"y: z\"\nempty:\n",
      "a: |\n  one\n\n  two\nb: {c: [d]}\n",
      "\"k v\": 'it''s'\ntags: #a b,c\n# remark\nx: y # why\n- z\n",
    ].map { Array($0.utf8) }
    let marks = Array(":-[]{}\"'#,|>&*!\\ \t\n\rabcé".utf8) + [0, 0xFF]
    var random = SeededNumbers(41)
    for round in 0..<20_000 {
      var matter = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...matter.count, using: &random)
        let mark = marks[Int.random(in: 0..<marks.count, using: &random)]
        if place < matter.count, Bool.random(using: &random) {
          matter[place] = mark
        } else {
          matter.insert(mark, at: place)
        }
      }
      let document = MarkdownDocument(Array("---\n".utf8) + matter + Array("\n---\n".utf8))
      guard let found = document.frontMatter else { continue }
      let block = document.blocks[1]
      var shown: [UInt8] = []
      for row in found.rows {
        switch row {
        case .line(let line): shown += document.source[line.range]
        case .field(let field): for range in [field.key] + field.values { shown += document.source[range] }
        }
      }
      #expect(words(shown) == words(document.source[block.range]), "round \(round)")
      guard round.isMultiple(of: 10) else { continue }
      _ = MarkdownLayout(document, options: .init(width: 12))
      _ = MarkdownHTML.text(document)
    }
  }
}
