import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// The folders of a table of many names.
@Suite struct FolderTableTests {
  /// 100,000 notes in 5,000 folders, 50 at the top with 99 folders each.
  private static let names = (0..<100_000).map { number in
    Array(
      "year \(number / 2000)/\(number / 20 % 100 == 0 ? "" : "trip \(number / 20 % 100)/")day \(number % 20).md".utf8)
  }

  @Test(arguments: ["", "year 7", "year 7/trip 50", "gone"])
  func `opening one of 5,000 folders looks at few of 100,000 names`(folder: String) {
    let names = NameTable(Self.names).sorted()
    #expect(names.folderOrder == .grouped)
    let path = Array(folder.utf8)
    var visits = 0
    let contents = Albums(in: path, of: names.count, within: names.rows(below: path), isGrouped: true) { item in
      visits += 1
      return names[item]
    }
    let (folders, notes) = (contents.albums.count, contents.photos.count)
    #expect(visits <= notes + folders * 32, "\(visits)")
    let expected = ["": (50, 0), "year 7": (99, 20), "year 7/trip 50": (0, 20), "gone": (0, 0)][folder] ?? (0, 0)
    #expect((folders, notes) == expected)
    if folder.isEmpty { #expect(contents.albums.allSatisfy { $0.count == 2000 }) }
  }

  @Test func `folders, counts and notes are those of a plain walk, whatever the names`() {
    var random = SeededNumbers(41)
    let parts = ["a", "A", "b", "b c", "b-c", "1", "01", "10", "2", "é", "É", "e\u{301}", "z.md", "\u{1F}"]
    for round in 0..<200 {
      let names = Set(
        (0..<60).map { _ in
          (0...Int(random.next() % 3)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }
            .joined(separator: "/")
        })
      let table = Samples.table(names.sorted())
      for folder in [""] + parts + parts.map({ "a/\($0)" }) {
        let path = Array(folder.utf8)
        let inside = names.filter { folder.isEmpty || $0.utf8.starts(with: "\(folder)/".utf8) }
          .map { Array($0.utf8.dropFirst(folder.isEmpty ? 0 : path.count + 1)) }
        let (deep, direct) = (inside.filter { $0.contains(0x2F) }, inside.filter { !$0.contains(0x2F) })
        let contents = table.contents(of: path)
        let counts = Dictionary(grouping: deep) { Array($0.prefix { $0 != 0x2F }) }.mapValues(\.count)
        let found = Dictionary(contents.albums.map { (Array($0.name), $0.count) }, uniquingKeysWith: +)
        #expect(found == counts && contents.photos.count == direct.count, "round \(round), \(folder)")
        #expect(table.holds(folder: path) == (folder.isEmpty || !inside.isEmpty))
      }
    }
  }

  @Test func `folders without notes are between the others, in the order of names`() {
    let table = Samples.table(["b/1.md", "trip 10/2.md"], folders: ["trip 9", "a/deep", "b", "trip 10"])
    let names = table.contents(of: []).albums.map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names == ["a", "b", "trip 9", "trip 10"])
    #expect(table.contents(of: Array("a".utf8)).albums.map(\.count) == [0])
    #expect(table.allAlbums.count == 5 && table.holds(folder: Array("a".utf8)))
  }

  @Test func `a moved folder takes its notes and its empty folders along, and no others`() {
    var table = Samples.table(["a/1.md", "a/b/2.md", "ab/3.md"], folders: ["a/empty", "ab"])
    table.merge([Samples.entry("a/b/2.md", size: 5, member: "ann")])
    table.move(folder: Samples.path("a"), to: Samples.path("x/y"))
    #expect(table.allNames.map { String(decoding: $0, as: UTF8.self) } == ["ab/3.md", "x/y/1.md", "x/y/b/2.md"])
    #expect(
      table.holds(Samples.path("x/y/empty")) && !table.holds(Samples.path("a")) && table.holds(Samples.path("ab")))
    let row = table.row(of: Samples.path("x/y/b/2.md"))
    #expect(row.flatMap { table.size(at: $0) } == 5 && row.flatMap { table.author(at: $0) } == "ann")
    table.remove(folder: Samples.path("x"))
    #expect(table.total == 1 && !table.holds(Samples.path("x")))
  }
}
