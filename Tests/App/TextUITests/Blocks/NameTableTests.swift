import TestKit
import Testing

@testable import TextUI

@Suite struct NameTableTests {
  private static func table(_ names: [String]) -> NameTable { NameTable(names.map { Array($0.utf8) }) }

  private static func random(_ generator: inout SeededNumbers, _ count: Int, longest: Int = 40) -> [[UInt8]] {
    (0..<count).map { _ in
      let length = generator.below(longest)
      return (0..<length).map { _ in
        generator.below(20) == 0 ? UInt8(generator.below(256)) : Array("aAbBcC019-. ".utf8)[generator.below(12)]
      }
    }
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
