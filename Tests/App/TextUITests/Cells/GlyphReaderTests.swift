import TestKit
import Testing
import TextUI

@Suite struct GlyphReaderTests {
  private static func shown(_ bytes: [UInt8], tabWidth: Int? = nil) -> String {
    var text = String.UnicodeScalarView()
    for glyph in GlyphReader(bytes[...], tabWidth: tabWidth) { text.append(contentsOf: glyph.scalars) }
    return String(text)
  }

  @Test(
    "what could drive a terminal or hide is spelled",
    arguments: [
      ("\u{1B}[0m", "^[[0m"), ("\u{7F}", "^?"), ("\u{0}", "^@"), ("\n", "^J"), ("\u{9B}", "<9B>"),
      ("\u{202E}", "<U+202E>"), ("\u{200B}", "<U+200B>"), ("\u{2028}", "<U+2028>"), ("\u{AD}", "<U+00AD>"),
      ("\u{E0041}", "<U+E0041>"), ("\u{0301}a", "<U+0301>a"), ("\u{3164}", "<U+3164>"), ("\t", "^I"),
    ])
  func spelling(text: String, shown: String) {
    #expect(Self.shown(Array(text.utf8)) == shown)
  }

  @Test(
    "bytes that are no UTF-8 are spelled one by one",
    arguments: [
      ([0xFF], "\\xFF"), ([0xC0, 0x80], "\\xC0\\x80"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0xE2, 0x82], "\\xE2\\x82"),
      ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"), ([0x61, 0x80, 0x62], "a\\x80b"),
    ] as [([UInt8], String)])
  func invalid(bytes: [UInt8], shown: String) {
    #expect(Self.shown(bytes) == shown)
  }

  @Test(
    "a joiner is nothing within a word of a script that has joiners, and spelled elsewhere",
    arguments: [
      ("\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{6CC}\u{62E}"),
      ("\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{937}"),
      ("\u{D28}\u{D4D}\u{200D}", "\u{D28}\u{D4D}"), ("\u{645}\u{200C}", "\u{645}<U+200C>"),
      ("\u{645}\u{200C} \u{645}", "\u{645}<U+200C> \u{645}"), ("\u{200C}\u{645}", "<U+200C>\u{645}"),
      ("\u{645}\u{200C}\u{200C}\u{645}", "\u{645}<U+200C><U+200C>\u{645}"), ("a\u{200C}b", "a<U+200C>b"),
      ("\u{645}\u{200C}a", "\u{645}<U+200C>a"), ("\u{645}\u{200B}\u{645}", "\u{645}<U+200B>\u{645}"),
    ])
  func joiners(text: String, shown: String) {
    #expect(Self.shown(Array(text.utf8)).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(
    "glyphs take the columns that the C library says",
    arguments: [
      ("a", [1]), ("é", [1]), ("e\u{0301}", [1]), ("漢", [2]), ("👍", [2]), ("👍🏽", [2]), ("👩\u{200D}👧", [2, 2]),
      ("❤\u{FE0F}", [1]), ("ｶ", [1]), ("한", [2]), ("\u{1112}\u{1161}\u{11AB}", [2]),
      ("\u{1112}\u{1161}\u{11AB}x", [2, 1]),
    ])
  func widths(text: String, widths: [Int]) {
    let glyphs = Array(GlyphReader(Array(text.utf8)[...]))
    #expect(glyphs.map(\.width) == widths)
    #expect(glyphs.allSatisfy { !$0.isEscape })
  }

  @Test func `no more than two marks stay with a base`() {
    let glyphs = Array(GlyphReader(Array("a\u{0301}\u{0302}\u{0303}\u{0304}b".utf8)[...]))
    #expect(glyphs.map(\.scalars.count) == [3, 1])
  }

  @Test(arguments: [("\tx", "    x"), ("ab\tx", "ab  x"), ("abcd\tx", "abcd    x"), ("漢\tx", "漢  x")])
  func `a tab goes to the next stop`(text: String, shown: String) {
    #expect(Self.shown(Array(text.utf8), tabWidth: 4) == shown)
  }

  @Test func `glyphs cover every byte once, whatever the bytes`() {
    var generator = SeededNumbers(1)
    for _ in 0..<2000 {
      let bytes = HostileText.random(&generator, count: 1 + generator.below(60))
      var end = 0
      for glyph in GlyphReader(bytes[...], tabWidth: generator.below(2) == 0 ? 4 : nil) {
        #expect(glyph.range.lowerBound == end)
        #expect(glyph.range.upperBound > end)
        #expect(glyph.width > 0)
        end = glyph.range.upperBound
      }
      #expect(end == bytes.count)
    }
  }
}
