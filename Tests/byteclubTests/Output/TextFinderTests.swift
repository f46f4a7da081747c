import Testing

@testable import byteclub

struct TextFinderTests {
  @Test func `a line is found when it has all the words, in any letter case`() {
    let text = Array("The RED door\r\nbicycle\nred Bicycle\nÉTÉ à vélo".utf8)
    #expect(
      TextFinder(["red", "bicycle"]).lines(of: text) == [TextFinder.Line(number: 3, text: "red Bicycle")])
    #expect(TextFinder(["door"]).lines(of: text) == [TextFinder.Line(number: 1, text: "The RED door")])
    #expect(TextFinder(["été"]).lines(of: text).map(\.number) == [4])
  }

  @Test func `several words in one argument are several words`() {
    #expect(TextFinder(["bicycle red"]).matches("Red-bicycle.md"))
    #expect(!TextFinder(["bicycle red"]).matches("bicycle.md"))
  }

  @Test func `binary notes and no words find nothing`() {
    #expect(TextFinder(["a"]).lines(of: [0x61, 0, 0x61]).isEmpty)
    #expect(!TextFinder([]).matches("a"))
  }
}
