import TestKit
import Testing

import Merge

/// Two members edit the same prose, one paragraph a line: how often a member must decide. `git merge-file` leaves a
/// conflict in 25 to 100 of 100 such pairs.
@Suite struct ProseMergeTests {
  private static func prose(_ paragraphs: Int, _ words: Int, _ random: inout SeededNumbers) -> [[String]] {
    let vocabulary = (0..<600).map { number in
      String((0..<3).map { "aeioubdklmnrst".random(number &* 7 &+ $0 &* 31) }) + "\(number % 10)"
    }
    return (0..<paragraphs).map { _ in
      (0..<words).map { place in
        // Common words are more frequent, as in any language.
        let word = vocabulary[min(random.below(600), random.below(600), random.below(600))]
        return place % 12 == 11 ? word + "." : word
      }
    }
  }

  private static func edited(_ prose: [[String]], _ edits: Int, _ random: inout SeededNumbers) -> [[String]] {
    var prose = prose
    for _ in 0..<edits {
      let paragraph = random.below(prose.count)
      let place = random.below(prose[paragraph].count)
      switch random.below(8) {
      case 0..<4: prose[paragraph][place] = "changed\(random.below(1000))"
      case 4, 5: prose[paragraph].insert("inserted\(random.below(1000))", at: place)
      case 6: prose[paragraph].remove(at: place)
      default: prose[paragraph].insert(contentsOf: ["A", "new", "sentence\(random.below(1000))."], at: place)
      }
    }
    return prose
  }

  private static func text(_ prose: [[String]]) -> [UInt8] {
    Array(prose.map { $0.joined(separator: " ") + "\n" }.joined().utf8)
  }

  @Test(
    "few edits of the same prose need a member",
    arguments: [(12, 80, 1, 2), (12, 80, 3, 5), (12, 80, 8, 25), (4, 200, 3, 5), (1, 300, 2, 6)])
  func share(paragraphs: Int, words: Int, edits: Int, mostOfHundred: Int) {
    var random = SeededNumbers(UInt64(paragraphs * 1000 + edits))
    var conflicts = 0
    for _ in 0..<100 {
      let base = Self.prose(paragraphs, words, &random)
      let (mine, theirs) = (Self.edited(base, edits, &random), Self.edited(base, edits, &random))
      let merge = TextMerge(base: Self.text(base), mine: Self.text(mine), theirs: Self.text(theirs))
      if merge.hasConflicts { conflicts += 1 }
      guard let text = merge.text else { continue }
      let merged = String(decoding: text, as: UTF8.self)
      for word in (mine + theirs).joined() where word.contains("changed") || word.contains("inserted") {
        #expect(merged.contains(word))
      }
    }
    #expect(conflicts <= mostOfHundred)
  }
}

extension String {
  fileprivate func random(_ number: Int) -> Character {
    self[index(startIndex, offsetBy: (number &* 2_654_435_761 >> 7 & 0xFFFF) % count)]
  }
}
