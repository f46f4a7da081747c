import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Moves whose links nobody has mended or left yet, without a club.
@Suite struct UndecidedMovesTests {
  private static func move(_ from: String, _ to: String) throws -> PathMove {
    PathMove(try StorePath(from), to: try StorePath(to))
  }

  private static let chains = [
    ["a > b", "b > c", "= a > c"], ["a > b", "b > a"], ["a > x/a", "x > y", "= a > y/a", "= x > y"],
    ["x > y", "y/a > b", "= x > y", "= x/a > b"], ["x > y", "y/a > b", "b > c", "= x > y", "= x/a > c"],
    ["x > y", "y/a > b", "y > x", "= x/a > b"], ["a > b", "c > a", "= a > b", "= c > a"],
  ]

  @Test(arguments: chains)
  func `moves of one file are one, from where links lead to where it is`(chain: [String]) throws {
    func move(_ words: String) throws -> PathMove {
      let names = words.split(separator: " ").filter { $0 != ">" && $0 != "=" }
      return try Self.move(String(names[0]), String(names[1]))
    }
    var undecided = UndecidedMoves()
    for words in chain where !words.hasPrefix("=") { undecided.add([try move(words)]) }
    #expect(try undecided.all == chain.filter { $0.hasPrefix("=") }.map(move))
  }

  @Test func `what leads back adds nothing, and what is decided or in the trash goes`() throws {
    var undecided = UndecidedMoves()
    undecided.add(back: [try Self.move("b", "a")])
    #expect(undecided.all.isEmpty)
    undecided.add([try Self.move("a", "b"), try Self.move("c", "x/c"), try Self.move("d", "e")])
    undecided.remove([try Self.move("a", "b")])
    undecided.remove(at: try StorePath("x"))
    #expect(try undecided.all == [Self.move("d", "e")])
    undecided.add(back: [try Self.move("e", "d")])
    #expect(undecided.all.isEmpty)
  }

  @Test(arguments: 0..<40) func `a file is where the moves of each step have brought it`(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    let names = ["a", "b", "x/a", "x/b", "x/y/a", "y/a"]
    var (undecided, places) = (UndecidedMoves(), Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
    for step in 0..<8 {
      let now = places.values.sorted()[numbers.below(places.count)]
      let isFolder = numbers.below(2) == 0 && now.contains("/")
      let from = isFolder ? String(now.prefix { $0 != "/" }) : now
      let to = "new\(step)"
      undecided.add([try Self.move(from, to)])
      for (name, place) in places {
        if place == from {
          places[name] = to
        } else if place.hasPrefix(from + "/") {
          places[name] = to + place.dropFirst(from.count)
        }
      }
    }
    let moves = PathMoves(undecided.all)
    for (name, place) in places { #expect(try moves.now(StorePath(name)) == StorePath(place), "\(name)") }
  }
}
