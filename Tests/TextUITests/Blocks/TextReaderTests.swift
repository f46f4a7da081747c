import TestKit
import Testing

@testable import TextUI

@Suite struct TextReaderTests {
  private static func reader(lines: Int, _ size: Size = Size(20, 5)) -> TextReader {
    var reader = TextReader(Array((1...lines).map { "line \($0)\n" }.joined().utf8))
    reader.resize(size)
    return reader
  }

  private static func first(_ reader: TextReader) -> String {
    drawn(20, 5) { reader.draw(on: &$0) }.text(ofRow: 0)
  }

  @Test(
    "scrolling",
    arguments: [
      ("<Down>", "line 2"), ("jjk", "line 2"), ("<PgDn>", "line 5"), ("<PgDn><PgUp>", "line 1"), ("<C-d>", "line 3"),
      ("G", "line 96"),
      ("<End><C-u>", "line 94"), ("<End><Down><PgDn>", "line 96"), ("Gg", "line 1"), ("<Up><PgUp>", "line 1"),
      (" ", "line 5"),
    ])
  func scrolling(typed: String, first: String) {
    var reader = Self.reader(lines: 100)
    for key in keys(typed) { #expect(reader.handle(key) == true) }
    #expect(Self.first(reader) == first)
  }

  @Test(arguments: ["q", "<Esc>", "/", "n", "<Enter>"])
  func `other keys are the screen's`(typed: String) {
    var reader = Self.reader(lines: 100)
    #expect(keys(typed).map { reader.handle($0) } == [false])
  }

  @Test func `an offset can be put on top, but the last page stays full`() {
    var reader = Self.reader(lines: 100)
    reader.scroll(to: 10)
    #expect(Self.first(reader) == "line 2")
    #expect(reader.topOffset == 7)
    reader.scroll(to: .max)
    #expect(Self.first(reader) == "line 96")
    reader.scroll(to: -4)
    #expect(reader.topOffset == 0)
  }

  @Test func `percent goes from 0 to 100`() {
    var reader = Self.reader(lines: 100)
    #expect(reader.percent == 0)
    #expect(!reader.fits)
    reader.scroll(by: 48)
    #expect((45...55).contains(reader.percent))
    reader.scroll(.bottom)
    #expect(reader.percent == 100)
    let short = Self.reader(lines: 3)
    #expect(short.percent == 100)
    #expect(short.fits)
  }

  @Test func `text is wrapped at words, tabs and controls are shown`() {
    var reader = TextReader(Array("The quick brown fox jumps\n\tover\r\n\u{1B}[0m\u{FF}".utf8) + [0xFE, 0x0A])
    reader.resize(Size(10, 6))
    #expect(drawn(10, 6) { reader.draw(on: &$0) }.text == "The quick\nbrown fox\njumps\n    over\n^[[0mÿ\\xFE\n")
  }

  @Test func `another width keeps the place`() {
    var reader = TextReader(Array((0..<500).map { "word\($0) " }.joined().utf8))
    reader.resize(Size(40, 5))
    reader.scroll(by: 30)
    let word = Self.first(reader).split(separator: " ")[0]
    reader.resize(Size(20, 5))
    let screen = drawn(20, 5) { reader.draw(on: &$0) }.text
    #expect(screen.contains(word))
  }

  @Test func `search goes on from place to place, around both ends, whatever the case`() {
    var reader = TextReader(
      Array(
        ("Ärger\n" + String(repeating: "x\n", count: 200) + "der ÄRGER\n" + String(repeating: "y\n", count: 50)).utf8))
    reader.resize(Size(20, 5))
    #expect(reader.find("ärger") == true)
    #expect(reader.search?.found == 0..<6)
    #expect(reader.handle(Key(.character("n"))) == true)
    #expect(reader.search?.found == 411..<417)
    let grid = drawn(20, 5) { reader.draw(on: &$0) }
    #expect((0..<5).contains { grid[4, $0].style == .reverse && grid[3, $0].style == .plain })
    reader.find(forward: true)
    #expect(reader.search?.found == 0..<6)
    reader.find(forward: false)
    #expect(reader.search?.found == 411..<417)
    #expect(reader.find("nowhere") == false)
    #expect(reader.find("") == false)
  }

  @Test func `matches across the windows of the search are found`() {
    for place in (65_530..<65_545) {
      var bytes = [UInt8](repeating: 0x2E, count: 200_000)
      bytes.replaceSubrange(place..<(place + 6), with: Array("NEEDLE".utf8))
      var reader = TextReader(bytes)
      #expect(reader.find("needle") == true)
      #expect(reader.search?.found == place..<(place + 6))
      reader.find(forward: false)
      #expect(reader.search?.found == place..<(place + 6))
    }
  }

  @Test func `a single line of 8 MB opens and scrolls`() {
    var reader = TextReader(Array(String(repeating: "abcdefg ", count: 1 << 20).utf8))
    reader.resize(Size(20, 5))
    reader.scroll(.bottom)
    #expect(Self.first(reader) == "abcdefg abcdefg")
    for _ in 0..<100 { reader.scroll(.pageUp) }
    #expect(reader.percent == 99)
    reader.scroll(.top)
    #expect(reader.top == 0)
  }

  @Test func `every place can be reached by rows in both directions`() {
    var generator = SeededNumbers(13)
    for _ in 0..<60 {
      var reader = TextReader(HostileText.random(&generator, count: 400))
      reader.resize(Size(1 + generator.below(30), 1 + generator.below(6)))
      var tops = [reader.top]
      while true {
        reader.scroll(.down)
        guard let last = tops.last, reader.top != last else { break }
        tops.append(reader.top)
      }
      while let last = tops.popLast() {
        #expect(reader.top == last)
        reader.scroll(.up)
      }
    }
  }
}
