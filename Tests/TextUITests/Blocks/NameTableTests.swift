import TestKit
import Testing

@testable import TextUI

@Suite struct NameTableTests {
  private static func table(_ names: [String]) -> NameTable { NameTable(names.map { Array($0.utf8) }) }

  private static func matches(_ query: String, _ names: [String]) -> [Int32]? {
    table(names).rows(matching: NameQuery(Array(query.utf8)))
  }

  @Test(
    "every word must occur, whatever the case",
    arguments: [
      ("", [0, 1, 2, 3]), ("garage", [0, 1]), ("GARAGE jpg", [0]), ("jpg garage", [0]), ("  garage  ", [0, 1]),
      ("ö", [2]), ("Ö", [2]), ("жук", [3]), ("e o", []),
      ("g", [0, 1, 3]), ("ge.jpg gar", [0]), ("\u{0}", []),
    ])
  func words(query: String, rows: [Int32]) {
    #expect(Self.matches(query, ["Garage.jpg", "garage.PNG", "ÖL", "жук ЖУКg"]) == rows)
  }

  @Test func `a word is not found across two names`() {
    #expect(Self.matches("ab", ["xa", "bx", "ab"]) == [2])
    #expect(Self.matches("a\u{0}b", ["xa", "bx", "a\u{0}b"]) == [2])
  }

  private static func random(_ generator: inout SeededNumbers, _ count: Int, longest: Int = 40) -> [[UInt8]] {
    (0..<count).map { _ in
      let length = generator.below(longest)
      return (0..<length).map { _ in
        generator.below(20) == 0 ? UInt8(generator.below(256)) : Array("aAbBcC019-. ".utf8)[generator.below(12)]
      }
    }
  }

  @Test func `the filter finds what a simple search finds, typed or deleted`() {
    var generator = SeededNumbers(15)
    let names = Self.random(&generator, 9000, longest: 10)
    let table = NameTable(names)
    let folded = names.map { CaseFold.folded($0[...]) }
    var filter = NameFilter()
    var query: [UInt8] = []
    for _ in 0..<25 {
      if generator.below(4) == 0, !query.isEmpty {
        query.removeLast()
      } else {
        query.append(Array("aB c0".utf8)[generator.below(5)])
      }
      filter.change(to: query, in: table)
      let words = CaseFold.folded(query[...]).split(separator: 0x20).map(Array.init)
      let expected = folded.indices.filter { row in words.allSatisfy { Self.contains(folded[row], $0) } }
      #expect((0..<filter.count(of: table.count)).map(filter.row) == expected)
    }
  }

  private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    guard word.count <= bytes.count else { return false }
    return (0...(bytes.count - word.count)).contains { bytes[$0..<($0 + word.count)].elementsEqual(word) }
  }

  @Test(arguments: [
    ("ab", "a", true), ("a b", "a", true), ("xay bz", "a b", true), ("a", "a b", false), ("a", "ab", false),
    ("b", "a", false), ("a", "", true), ("A", "a", true),
  ])
  func `a query narrows another when each of its words is in one`(query: String, other: String, narrows: Bool) {
    #expect(NameQuery(Array(query.utf8)).narrows(NameQuery(Array(other.utf8))) == narrows)
  }

  @Test func `a cancelled search gives nothing`() {
    let table = Self.table((0..<20_000).map { "name\($0)" })
    var asked = 0
    let rows = table.rows(matching: NameQuery(Array("name".utf8))) {
      asked += 1
      return asked == 3
    }
    #expect(rows == nil)
    #expect(asked == 3)
  }

  @Test func `a changed table is filtered anew`() {
    var filter = NameFilter()
    filter.change(to: Array("a".utf8), in: Self.table(["a", "b"]))
    #expect(filter.rows == [0])
    filter.refresh(Self.table(["b", "a", "ca"]))
    #expect(filter.rows == [1, 2])
    filter.change(to: [], in: Self.table(["b"]))
    #expect(filter.rows == nil)
    #expect(filter.count(of: 1) == 1)
    #expect(filter.row(at: 0) == 0)
  }

  @Test(
    "names are sorted as people expect",
    arguments: [
      ["a", "B", "c"], ["photo1", "photo2", "photo10", "photo10a", "photo11"], ["", "0", "00", "1", "a"],
      ["a1b2", "a1b10", "a2b1"], ["a", "a1", "a1.jpg", "a2", "ab"],
      ["IMG_20230101_120000.jpg", "IMG_20230101_120001.jpg", "img_20230101_120002.jpg"], ["A", "a", "AA"],
      ["x-1", "x0"], ["É", "é", "ê"],
    ])
  func sorting(names: [String]) {
    for shift in 0..<names.count {
      let turned = Array(names[shift...] + names[..<shift])
      let table = Self.table(turned)
      #expect(table.sortedRows().map { turned[Int($0)] } == names)
    }
  }

  @Test func `sorting is a whole order of all rows, the same from any order`() {
    var generator = SeededNumbers(16)
    let names = Self.random(&generator, 5000)
    let sorted = NameTable(names).sortedRows()
    #expect(sorted.sorted() == Array(0..<5000))
    let first = sorted.map { names[Int($0)] }
    let shuffled = names.shuffled(using: &generator)
    #expect(NameTable(shuffled).sortedRows().map { shuffled[Int($0)] } == first)
    let plain = names.map { $0.filter { !(0x30...0x39).contains($0) } }
    let rows = NameTable(plain).sortedRows().map { CaseFold.folded(plain[Int($0)][...]) }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
  }

  @Test func `names keep their bytes, folded ones their length`() {
    var generator = SeededNumbers(17)
    let names =
      (0..<500).map { _ in HostileText.random(&generator, count: generator.below(50)) } + [
        Array("İKẞȺÅ".utf8), [0xE1], [0xF0, 0x9F],
      ]
    let table = NameTable(names)
    for (row, name) in names.enumerated() {
      #expect(Array(table[row]) == name)
      #expect(CaseFold.folded(name[...]).count == name.count)
    }
  }

  @Test(arguments: [
    ("ABC", "abc"), ("ÄÖÜ", "äöü"), ("ЖУК", "жук"), ("ΑΒΓ", "αβγ"), ("ＡＢ", "ａｂ"), ("Ḁ", "ḁ"), ("漢字", "漢字"), ("İ", "İ"),
    ("𐐀", "𐐨"),
  ])
  func folding(text: String, folded: String) {
    #expect(CaseFold.folded(Array(text.utf8)[...]) == Array(folded.utf8))
  }

  @Test func `a table takes little more than its names`() {
    let names = (0..<1000).map { Array("a name of thirty-five bytes \($0 + 1_000_000)".utf8) }
    let table = NameTable(names)
    let bytes = names.reduce(0) { $0 + $1.count }
    #expect(table.arena.capacity + table.folded.capacity + table.starts.capacity * 4 - bytes < bytes + 8000)
  }
}
