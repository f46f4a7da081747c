import Basics
import Testing

@Suite struct TextFinderTests {
  private func lines(_ words: String, _ text: String, name: String = "a.md") -> [Int]? {
    TextFinder(words).match(name: name, text: Array(text.utf8))?.lines.map(\.number)
  }

  @Test(arguments: [
    ("cafe", "Café"), ("café", "cafe\u{301}"), ("cafe\u{301}", "CAFÉ"), ("strasse", "Straße"), ("STRASSE", "straße"),
    ("straße", "STRASSE"), ("istanbul", "İstanbul"), ("ΟΔΟΣ", "οδος"), ("東京", "大東京都"), ("서울", "서울에서"),
    ("naive", "naïveté"), ("елка", "Ёлка"), ("fi", "ﬁnd"), ("uber", "U\u{308}ber"),
    ("oresund", "Øresund"), ("lodz", "Łódź"),
  ])
  func `letter case, accents and composition make no difference`(words: String, text: String) {
    #expect(lines(words, text) == [1])
    #expect(TextFinder(words).matches("\(text).md"))
  }

  @Test(arguments: [("はか", "ばか"), ("cafe", "caf"), ("東京", "東亰"), ("ab", "a\nb")])
  func `other letters stay other letters`(words: String, text: String) {
    #expect(lines(words, text) == nil)
  }

  @Test func `words may stand on different lines, and in the name`() {
    #expect(lines("red bicycle", "the red door\nnothing\na bicycle") == [1, 3])
    #expect(lines("red bicycle", "the red door\nnothing\na red bicycle") == [3])
    #expect(lines("welcome door", "the red door", name: "Welcome.md") == [1])
    #expect(lines("welcome", "the red door", name: "Welcome.md") == [])
    #expect(lines("welcome window", "the red door", name: "Welcome.md") == nil)
    #expect(lines(" ", "the red door") == nil)
  }

  @Test func `a line is reported without its end, and where the first word begins`() {
    let text = Array("first\r\nÀ la plage, über STRASSE\r\n".utf8)
    let line = TextFinder("straße").match(name: "a.md", text: text)?.lines.first
    #expect(line?.number == 2 && line?.text == "À la plage, über STRASSE" && line?.start == 17)
  }

  @Test func `bytes that are no UTF-8 do not hide the words around them`() {
    #expect(TextFinder("door").match(name: "a", text: [0xFF] + Array("door\n".utf8) + [0xC3])?.lines.count == 1)
    #expect(!TextFinder.isText([0x61, 0, 0x61]))
    #expect(TextFinder.isText(Array("é".utf8)))
  }

  @Test func `several words in one argument are several words`() {
    #expect(TextFinder("bicycle red").matches("Red-bicycle.md"))
    #expect(!TextFinder("bicycle red").matches("bicycle.md"))
    #expect(!TextFinder("").matches("a"))
  }
}
