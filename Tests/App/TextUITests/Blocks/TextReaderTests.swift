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
      ([.down], "line 2"), ([.down, .down, .up], "line 2"), ([.pageDown], "line 5"), ([.pageDown, .pageUp], "line 1"),
      ([.halfPageDown], "line 3"), ([.bottom], "line 96"), ([.bottom, .halfPageUp], "line 94"),
      ([.bottom, .down, .pageDown], "line 96"), ([.bottom, .top], "line 1"), ([.up, .pageUp], "line 1"),
    ] as [([TextReader.Scroll], String)])
  func scrolling(steps: [TextReader.Scroll], first: String) {
    var reader = Self.reader(lines: 100)
    for step in steps { reader.scroll(step) }
    #expect(Self.first(reader) == first)
  }

  @Test func `a byte order mark is not shown at the start, and spelled elsewhere`() {
    var reader = TextReader(Array("\u{FEFF}one\n\u{FEFF}two\n".utf8))
    reader.resize(Size(20, 5))
    let grid = drawn(20, 5) { reader.draw(on: &$0) }
    #expect(grid.text(ofRow: 0) == "one" && grid.text(ofRow: 1) == "<U+FEFF>two")
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
    reader.find("ärger", from: 0)
    #expect(reader.search?.found == 0..<6 && reader.search?.number == 1 && reader.search?.count == 2)
    #expect(reader.find(forward: true) == .shown)
    #expect(reader.search?.found == 411..<417 && reader.search?.number == 2)
    let grid = drawn(20, 5) { reader.draw(on: &$0) }
    #expect((0..<5).contains { grid[4, $0].style == Style([.reverse, .bold]) && grid[3, $0].style == .plain })
    #expect(reader.find(forward: true) == .wrapped)
    #expect(reader.search?.found == 0..<6)
    #expect(reader.find(forward: false) == .wrapped)
    #expect(reader.search?.found == 411..<417)
    reader.find("nowhere", from: 0)
    #expect(reader.search?.found == nil && reader.search?.isOver == true && reader.topOffset == 0)
    #expect(reader.find(forward: true) == .none)
    reader.find("", from: 0)
    #expect(reader.search == nil)
  }

  @Test(
    "Neither case nor accents matter, and places are the text's own bytes",
    arguments: [
      ("Café", "cafe", [0..<5]), ("CAFE\u{301}s", "café", [0..<6]), ("un café, deux cafés", "CAFÉ", [3..<8, 15..<20]),
      ("Straße", "strasse", [0..<7]), ("ß", "s", [0..<2]), ("aß", "as", [0..<3]), ("ΆΛΦΑ", "αλφα", [0..<8]),
      ("tiếng Việt", "tieng viet", [0..<14]),
      ("aaaa", "aa", [0..<2, 2..<4]), ("Øre", "ore", [0..<4]), ("日本日", "日", [0..<3, 6..<9]),
      ("\u{7F}x", "x", [1..<2]),
    ] as [(String, String, [Range<Int>])])
  func lettersAreFolded(_ text: String, _ words: String, _ places: [Range<Int>]) {
    var reader = TextReader(Array(text.utf8))
    reader.find(words, from: 0)
    #expect((0..<(reader.search?.count ?? 0)).compactMap { reader.search?[$0] } == places)
  }

  @Test func `bytes that are no UTF-8 keep their places in a search`() {
    var reader = TextReader([0xFF, 0xC3, 0x41, 0xE2, 0x82, 0x62])
    reader.find("ab", from: 0)
    #expect(reader.search?.count == 0)
    reader.find("B", from: 0)
    #expect(reader.search?.found == 5..<6)
  }

  @Test func `all places are underlined, and the one that is shown is in reverse`() {
    var reader = TextReader(Array("one two one two\n".utf8))
    reader.resize(Size(20, 5))
    reader.find("one", from: 0)
    let row = (0..<15).map { x in drawn(20, 5) { reader.draw(on: &$0) }[x, 0].style }
    #expect(row[0] == Style([.reverse, .bold]) && row[2] == row[0] && row[3] == .plain && row[7] == .plain)
    #expect(row[8] == Style([.underline, .bold]) && row[10] == row[8] && row[11] == .plain)
  }

  @Test func `a long text is looked through slice by slice, from where find began and then from its start`() {
    var bytes = [UInt8](repeating: 0x2E, count: TextSearch.slice * 3)
    for place in [10, TextSearch.slice * 2 + 5] { bytes.replaceSubrange(place..<(place + 4), with: Array("here".utf8)) }
    var reader = TextReader(bytes)
    reader.resize(Size(80, 20))
    reader.find("here", from: TextSearch.slice / 2)
    #expect(reader.search?.found == nil && reader.search?.isOver == false)
    #expect(reader.find(forward: true) == .pending)
    reader.findOn()
    #expect(reader.search?.found?.lowerBound == TextSearch.slice * 2 + 5)
    #expect(reader.search?.number == nil)
    #expect(reader.find(forward: true) == .pending, "what lies before is not known")
    var turns = 0
    while reader.search?.isOver == false {
      reader.findOn()
      turns += 1
    }
    #expect(turns <= 3 && reader.search?.number == 2 && reader.search?.count == 2)
    #expect(reader.find(forward: true) == .wrapped && reader.search?.found == 10..<14)
  }

  @Test func `a text that is full of places gives up counting`() {
    var reader = TextReader([UInt8](repeating: 0x61, count: TextSearch.mostPlaces + 10))
    reader.find("a", from: 0)
    #expect(reader.search?.isOver == true && reader.search?.isCut == true)
    #expect(reader.search?.count == TextSearch.mostPlaces)
  }

  @Test func `matches across the windows of the search are found`() {
    for place in (65_530..<65_545) {
      var bytes = [UInt8](repeating: 0x2E, count: 200_000)
      bytes.replaceSubrange(place..<(place + 6), with: Array("NEEDLE".utf8))
      var reader = TextReader(bytes)
      reader.find("needle", from: 0)
      #expect(reader.search?.found == place..<(place + 6) && reader.search?.count == 1)
      #expect(reader.find(forward: false) == .wrapped)
      #expect(reader.search?.found == place..<(place + 6))
    }
  }

  @Test func `any of some words is found from a line on, in the order of the text`() {
    let text = (1...60).map { $0 == 40 ? "Pier, old pier" : $0 == 50 ? "ÓLD" : $0 == 3 ? "a pier" : "line \($0)" }
    var reader = TextReader(Array(text.joined(separator: "\n").utf8))
    reader.resize(Size(20, 6))
    reader.find(anyOf: ["old", "pier"], fromLine: 39)
    #expect(Self.first(reader) == "line 38" && reader.search?.number == 2 && reader.search?.count == 5)
    let found = (0..<4).map { _ in
      defer { _ = reader.find(forward: true) }
      return String(decoding: reader.text.bytes(in: reader.search?.found ?? 0..<0), as: UTF8.self)
    }
    #expect(found == ["Pier", "old", "pier", "ÓLD"])
    var empty = reader
    empty.find(anyOf: [], fromLine: 1000)
    #expect(empty.search?.isOver == true && empty.search?.found == nil)
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
