import TestKit
import Testing

@testable import TextUI

/// Finding names by some of their letters.
@Suite struct FuzzyTests {
  private static func table(_ names: [String]) -> NameTable { NameTable(names.map { Array($0.utf8) }) }

  /// The names that match, the best first.
  private static func found(_ query: String, _ names: [String]) -> [String] {
    var finder = NameFinder()
    finder.change(to: Array(query.utf8), in: table(names), spellings: ([], NameTable()))
    return (finder.best ?? (0..<Int32(names.count)).map { $0 }).map { names[Int($0)] }
  }

  @Test(arguments: [
    // The beginning, the start of a word, inside, scattered.
    ("log", ["xxlogxx", "l-o-g", "a log", "LOGbook"], ["LOGbook", "a log", "xxlogxx", "l-o-g"]),
    // The shorter name first, then the order of the table.
    ("log", ["logbook", "log", "logs", "loga"], ["log", "logs", "loga", "logbook"]),
    // Letters that are close together first.
    ("chng", ["c-h-n-g", "changelog", "chaaaang"], ["changelog", "c-h-n-g", "chaaaang"]),
    ("chng", ["gnhc", "chn"], []),
    // Every word counts, in any order.
    ("pier old", ["old pier", "pier", "older pies", "Pier, old"], ["old pier", "Pier, old"]),
    ("", ["b", "a"], ["b", "a"]), ("  ", ["b", "a"], ["b", "a"]),
    // Of paths, those with the word in the name come before those with it in a folder.
    (
      "oslo", ["trips/oslo/food", "x/the oslo", "oslo/a", "trips/oslo/oslo 2026"],
      ["trips/oslo/oslo 2026", "x/the oslo", "oslo/a", "trips/oslo/food"]
    ),
    ("oslo food", ["food/oslo/a", "oslo/food", "oslo/my food"], ["oslo/food", "oslo/my food", "food/oslo/a"]),
    // Scattered letters are in one part of a path, or on both sides of a slash of the word.
    ("dawn", ["ideas/winter storage", "x/d-a-w-n", "daws/n/dawn"], ["daws/n/dawn", "x/d-a-w-n"]),
    ("tps/fd", ["trips/x/food", "tp/sfd", "trips/f/d"], ["trips/x/food"]),
    ("s/oslo", ["trips/oslo", "trip/oslo"], ["trips/oslo"]),
    // A word is not found across two names, and half a letter is none.
    ("ab", ["xa", "bx", "ab"], ["ab"]), ("жу", ["жаб", "бук ж", "жаба у"], ["жаба у"]),
    ("2024", ["a2024", "a-2024", "2 0 2 4"], ["a-2024", "a2024", "2 0 2 4"]),
  ])
  func `the best match comes first`(query: String, names: [String], found: [String]) {
    #expect(Self.found(query, names) == found)
  }

  @Test(arguments: [
    ("log", "Logbook", ["Log"]), ("chng", "Changelog", ["Ch", "ng"]), ("ou", "o, out", ["ou"]),
    ("old pi", "Pier, old", ["Pi", "old"]), ("cf", "Café-f", ["C", "f"]), ("crpe", "Crêpe", ["Cr", "pe"]),
    ("dn", "d/dawn", ["d", "n"]), ("x", "Logbook", []), ("", "Logbook", []),
  ])
  func `the letters that match are shown`(query: String, name: String, places: [String]) {
    let bytes = Array(name.utf8)
    let found = FuzzyQuery(query.utf8).places(in: bytes[...])
    #expect(found.flatMap { bytes[$0] } == places.flatMap { Array($0.utf8) })
  }

  @Test(arguments: [
    ("ab", "a", true), ("axb", "ab", true), ("a b", "a", true), ("xay bz", "a b", true), ("a", "a b", false),
    ("a", "ab", false), ("ba", "ab", false), ("a", "", true),
    ("a/b", "ab", false), ("ax/b", "ax", true), ("ax/by", "a/b", true), ("ax/b", "xb", false),
  ])
  func `a query narrows another when each of its words is in one`(query: String, other: String, narrows: Bool) {
    #expect(FuzzyQuery(query.utf8).narrows(FuzzyQuery(other.utf8)) == narrows)
  }

  @Test func `typing and deleting find what a search from the start finds, with spellings too`() {
    var random = SeededNumbers(15)
    let letters = Array("aAbBcC019-. é/".utf8)
    let names = (0..<3000).map { _ in (0..<random.below(12)).map { _ in letters[random.below(letters.count)] } }
    let table = NameTable(names)
    let items = (0..<Int32(names.count)).filter { $0 % 7 == 0 }
    let spellings: NameFinder.Spellings = (items, NameTable(items.map { _ in Array("spelled abc".utf8) }))
    var finder = NameFinder()
    var query: [UInt8] = []
    for _ in 0..<40 {
      if random.below(4) == 0, !query.isEmpty {
        query.removeLast()
      } else {
        query.append(Array("ab c0/".utf8)[random.below(6)])
      }
      finder.change(to: query, in: table, spellings: spellings)
      var fresh = NameFinder()
      fresh.change(to: query, in: table, spellings: spellings)
      #expect(finder.best == fresh.best)
      let words = query.split(separator: 0x20)
      let expected = names.indices.filter { row in
        let name = row % 7 == 0 ? Array("spelled abc".utf8) : CaseFold.folded(names[row][...])
        return words.allSatisfy { Self.isScattered($0, in: name) }
      }
      #expect((finder.rows ?? (0..<Int32(names.count)).map { $0 }).map(Int.init) == expected)
    }
  }

  private static func isScattered(_ word: ArraySlice<UInt8>, in name: [UInt8]) -> Bool {
    let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var folders = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
    for part in parts {
      // Each part is in a folder of its own, the next ones in later folders.
      while true {
        guard let folder = folders.popFirst() else { return false }
        var rest = part
        for byte in folder where byte == rest.first { rest.removeFirst() }
        if rest.isEmpty { break }
      }
    }
    return true
  }
}
