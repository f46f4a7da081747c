import TestKit
import Testing

@testable import TextUI

/// Grapheme clusters in cells, for terminals that draw them whole and for the others.
@Suite struct GraphemeTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// In one cell of a terminal that draws it whole.
    let columns: Int
    /// In parts.
    let parts: [Int]

    var testDescription: String { name }
  }

  static let samples = [
    Sample(name: "family", text: "👨‍👩‍👧‍👦", columns: 2, parts: [2, 2, 2, 2]),
    Sample(name: "couple with tones", text: "👩🏽‍❤️‍💋‍👩🏿", columns: 2, parts: [2, 1, 9, 2, 2]),
    Sample(name: "flag", text: "🇩🇪", columns: 2, parts: [1, 1]),
    Sample(
      name: "flag of a region", text: "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", columns: 2,
      parts: [2, 9, 9, 9, 9, 9, 9]),
    Sample(name: "flag by joining", text: "🏳️‍🌈", columns: 2, parts: [1, 9, 2]),
    Sample(name: "tone", text: "👍🏽", columns: 2, parts: [2]),
    Sample(name: "keycap", text: "1️⃣", columns: 2, parts: [1]),
    Sample(name: "heart in the style of emoji", text: "❤️", columns: 2, parts: [1]),
    Sample(name: "Devanagari conjunct", text: "क्षि", columns: 2, parts: [1, 1, 1]),
    Sample(name: "Devanagari vowel", text: "का", columns: 2, parts: [1, 1]),
    Sample(name: "Bengali conjunct", text: "\u{995}\u{9CD}\u{9B7}", columns: 2, parts: [1, 1]),
    Sample(name: "Tamil vowel", text: "\u{BA8}\u{BBF}", columns: 2, parts: [1, 1]),
    Sample(name: "Thai AM", text: "\u{E01}\u{E33}", columns: 2, parts: [1, 1]),
    Sample(name: "four marks", text: "\u{E01}\u{E34}\u{E48}\u{E4C}", columns: 1, parts: [1]),
  ]

  private static func glyphs(_ text: String, whole: Bool) -> [Glyph] {
    Graphemes.$assumed.withValue(whole) { Array(GlyphReader(Array(text.utf8)[...])) }
  }

  @Test("a cluster is one glyph where the terminal draws it whole, and its parts elsewhere", arguments: samples)
  func whole(_ sample: Sample) {
    let whole = Self.glyphs("x\(sample.text)\(sample.text)y", whole: true)
    #expect(whole.map(\.width) == [1, sample.columns, sample.columns, 1])
    let texts = whole.map { glyph in glyph.scalars.map { String($0) }.joined() }
    let isOneCell = !whole[1].isWhole
    #expect(isOneCell || texts == ["x", sample.text, sample.text, "y"])
    #expect(whole.allSatisfy { !$0.isEscape })
    // Nine stands for a spelled scalar.
    let parts = Self.glyphs(sample.text, whole: false)
    #expect(parts.map { $0.isEscape ? 9 : $0.width } == sample.parts)
    #expect(parts.allSatisfy { !$0.isWhole })
  }

  @Test(
    "what could hide a text, or is no cluster of terminals, is as it was",
    arguments: [
      "🏴" + String(repeating: "\u{E0061}", count: 12) + "\u{E007F}", "👩\u{E0061}\u{E0062}\u{E0063}\u{E007F}",
      "🏴\u{E0020}\u{E0020}\u{E0020}\u{E007F}", "👩\u{200D}", "👩\u{200D}a", "a\u{200D}b", "a\u{FE0F}", "漢\u{FE00}",
      "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "🇩",
      "\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{200C}", "1\u{20E3}", "🍎🏽", "👩\u{200D}\u{FE0F}",
      "\u{915}" + String(repeating: "\u{93C}", count: 40), "漢字", "\u{D28}\u{D4D}\u{200D}",
    ])
  func refused(text: String) {
    #expect(Self.glyphs(text, whole: true) == Self.glyphs(text, whole: false))
  }

  @Test("a cell has the whole cluster, cut to a space by what is drawn over its half", arguments: samples)
  func cells(_ sample: Sample) {
    Graphemes.$assumed.withValue(true) {
      var canvas = Canvas(Size(6, 1))
      #expect(canvas.text("a\(sample.text)b", x: 0, y: 0) == 2 + sample.columns)
      #expect(canvas.grid.text == "a\(sample.text)b" || canvas.grid[1, 0].grapheme == nil)
      #expect(HostileText.fault(in: canvas.grid) == nil)
      canvas.text("x", x: sample.columns, y: 0)
      #expect(canvas.grid.text == (sample.columns == 2 ? "a xb" : "axb"))
      #expect(canvas.text("12345\(sample.text)\(sample.text)", x: 0, y: 0) == 6)
      #expect(canvas.grid.text == "12345~")
    }
  }

  @Test func `the table of clusters is emptied when it is full, and no cell shows another cluster`() {
    Graphemes.$assumed.withValue(true) {
      var canvas = Canvas(Size(40, 4))
      var most = 0
      var last: [UInt32?] = []
      for frame in 0..<400 {
        canvas.begin(Size(40, 4))
        for y in 0..<4 {
          let text = (0..<20).map { Self.flag(frame * 80 + y * 20 + $0) }.joined()
          canvas.inside(Rect(0, y, 40, 1)) { $0.line(of: frame << 2 | y) { $0.text(text, x: 0, y: 0) } }
          #expect(canvas.grid.text(ofRow: y) == text)
        }
        canvas.end()
        most = max(most, canvas.grid.graphemes.count)
        let numbers = (0..<20).map { canvas.grid[2 * $0, 0].grapheme }
        #expect(zip(numbers, last).allSatisfy { $0 != $1 })
        last = numbers
      }
      #expect(most <= 4096 + 80)
    }
  }

  /// One of 17,576 flags, of which all but some hundred have no country; behind those, with a tone of skin.
  private static func flag(_ number: Int) -> String {
    let letters = [number / 26 % 26, number % 26].compactMap { Unicode.Scalar(0x1F1E6 + UInt32($0)) }
    guard number >= 676 else { return String(String.UnicodeScalarView(letters)) }
    let base = Unicode.Scalar(0x915 + UInt32(number % 30)) ?? "क"
    let marks = [number / 30 % 30, number / 900 % 30].compactMap { Unicode.Scalar(0x915 + UInt32($0)) }
    return String(String.UnicodeScalarView([base] + marks.flatMap { ["\u{94D}", $0] }))
  }

  @Test func `a frame with more clusters than are kept shows question marks in their columns`() {
    Graphemes.$assumed.withValue(true) {
      var canvas = Canvas(Size(40, 600))
      for y in 0..<600 {
        canvas.text((0..<20).map { Self.flag(y * 20 + $0) }.joined(), x: 0, y: y)
      }
      #expect(canvas.grid.text(ofRow: 0).hasPrefix("🇦🇦") && canvas.grid.text(ofRow: 599).hasSuffix("????"))
      #expect(canvas.grid.graphemes.count <= 8192)
      #expect(HostileText.fault(in: canvas.grid) == nil)
    }
  }

  @Test func `grids are equal by their clusters, whatever was drawn before`() {
    func drawn(_ texts: String...) -> Grid {
      Graphemes.$assumed.withValue(true) {
        var canvas = Canvas(Size(2, 1))
        for text in texts { canvas.text(text, x: 0, y: 0) }
        return canvas.grid
      }
    }
    #expect(drawn("🇩🇪") == drawn("🇫🇷", "🇩🇪"))
    #expect(drawn("🇩🇪") != drawn("🇩🇰"))
    #expect(drawn("🇩🇪") != drawn("ab"))
  }

  @Test("a row is as wide as its room, and ends where the room ends", arguments: [true, false])
  func rooms(whole: Bool) {
    Graphemes.$assumed.withValue(whole) {
      var generator = SeededNumbers(whole ? 7 : 8)
      for _ in 0..<TestTier.process.rounds(1_500) {
        let bytes =
          generator.below(3) == 0
          ? HostileText.random(&generator, count: 60) : HostileText.clusters(&generator, count: 30)
        let (x, width) = (generator.below(3), 1 + generator.below(30))
        var canvas = Canvas(Size(40, 1))
        canvas.fill(Rect(0, 0, 40, 1), with: "|", style: .plain)
        let used = canvas.text(bytes[...], x: x, y: 0, width: width, tabWidth: 4)
        #expect(used == min(width, GlyphReader(bytes[...], tabWidth: 4).reduce(0) { $0 + $1.width }))
        #expect((0..<40).reduce(0) { $0 + Int(canvas.grid[$1, 0].width) } == 40)
        #expect((0..<x).allSatisfy { canvas.grid[$0, 0].base == 0x7C })
        #expect(((x + used)..<40).allSatisfy { canvas.grid[$0, 0].base == 0x7C })
        #expect(HostileText.fault(in: canvas.grid) == nil)
      }
    }
  }

  @Test func `glyphs begin only where characters begin, if they are whole`() {
    var generator = SeededNumbers(9)
    for _ in 0..<TestTier.process.rounds(1_000) {
      let pieces = Self.samples.map(\.text) + ["a", " ", "漢", "é"]
      let text = (0..<12).map { _ in pieces[generator.below(pieces.count)] }.joined()
      let borders = Graphemes.starts(in: Array(text.utf8))
      #expect(Self.glyphs(text, whole: true).map(\.range.lowerBound) == borders)
    }
  }

  @Test func `no cluster's half is alone in a row of the editor, and the cursor is behind whole ones`() {
    Graphemes.$assumed.withValue(true) {
      let text = Self.samples.map(\.text).joined()
      for width in 2...12 {
        var editor = TextEditor(Array(text.utf8))
        editor.resize(Size(width, 40))
        var places: Set<Int> = [editor.text.cursor]
        for _ in 0..<Self.samples.count {
          _ = editor.handle(Key(.right))
          places.insert(editor.text.cursor)
          let grid = drawn(width, 40) { editor.draw(on: &$0) }
          #expect(HostileText.fault(in: grid) == nil)
          if let cursor = grid.cursor, editor.text.cursor < text.utf8.count {
            #expect(grid[cursor.x, cursor.y].width > 0)
          }
        }
        #expect(places == Set(Graphemes.starts(in: Array(text.utf8)) + [text.utf8.count]))
      }
    }
  }

  @Test("a click into a field never goes between the parts of a character", arguments: [true, false], samples)
  func click(whole: Bool, _ sample: Sample) {
    Graphemes.$assumed.withValue(whole) {
      var field = TextField("a\(sample.text)b")
      let borders = Graphemes.starts(in: field.bytes) + [field.bytes.count]
      for x in 0..<60 {
        field.click(x: x, width: 80)
        #expect(borders.contains(field.cursor))
      }
    }
  }

  @Test func `a line ends behind an emoji or a Chinese character, and not within a word of Devanagari`() {
    Graphemes.$assumed.withValue(true) {
      let wrap = SoftWrap(width: 6)
      func rows(_ text: String) -> [String] {
        let buffer = TextBuffer(Array(text.utf8))
        return wrap.rows(from: 0, count: 9, in: buffer).map {
          String(decoding: buffer.bytes(in: $0.start..<$0.end), as: UTF8.self)
        }
      }
      #expect(rows("a 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦") == ["a 👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"])
      #expect(rows("ab काका") == ["ab ", "काका"])
    }
  }
}
