import TestKit
import Testing

@testable import Merge

/// Laws that hold for any three texts.
@Suite struct MergeLawTests {
  /// Texts with many equal lines and words, of which two versions are changed at random.
  struct Versions {
    var base: [UInt8]
    var mine: [UInt8]
    var theirs: [UInt8]

    init(seed: UInt64) {
      var random = SeededNumbers(seed)
      let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.line(&random) }
      base = Self.text(lines, &random)
      mine = Self.text(Self.changed(lines, &random), &random)
      theirs = Self.text(Self.changed(lines, &random), &random)
    }

    private static func line(_ random: inout SeededNumbers) -> String {
      let marks = ["", "", "", "- ", "- [ ] ", "- [x] ", "# "]
      let words = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        ["the", "boat", "sea", "old", "we", "eat.", "日本", "at", "noon.", "[[a b]]"].randomElement(using: &random) ?? ""
      }
      return (marks.randomElement(using: &random) ?? "") + words.joined(separator: " ")
    }

    private static func changed(_ lines: [String], _ random: inout SeededNumbers) -> [String] {
      var lines = lines
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0...lines.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: lines.insert(line(&random), at: place)
        case 1 where place < lines.count: lines.remove(at: place)
        case 2 where place < lines.count: lines[place] = line(&random)
        default:
          guard place < lines.count else { continue }
          var words = lines[place].split(separator: " ", omittingEmptySubsequences: false)
          words.insert("new", at: Int.random(in: 0...words.count, using: &random))
          lines[place] = words.joined(separator: " ")
        }
      }
      return lines
    }

    private static func text(_ lines: [String], _ random: inout SeededNumbers) -> [UInt8] {
      let text = lines.joined(separator: "\n")
      return Array((lines.isEmpty || Bool.random(using: &random) ? text : text + "\n").utf8)
    }
  }

  private static let seeds = (0..<3000).map { UInt64($0) }

  @Test func `who changed nothing takes the other's text`() {
    for seed in Self.seeds {
      let versions = Versions(seed: seed)
      #expect(TextMerge(base: versions.base, mine: versions.base, theirs: versions.theirs).text == versions.theirs)
      #expect(TextMerge(base: versions.base, mine: versions.mine, theirs: versions.base).text == versions.mine)
    }
  }

  @Test func `the same text on both sides is the merge`() {
    for seed in Self.seeds {
      let versions = Versions(seed: seed)
      #expect(TextMerge(base: versions.base, mine: versions.mine, theirs: versions.mine).text == versions.mine)
    }
  }

  @Test func `it does not matter whose text is called mine`() {
    for seed in Self.seeds {
      let versions = Versions(seed: seed)
      let merge = TextMerge(base: versions.base, mine: versions.mine, theirs: versions.theirs)
      let mirror = TextMerge(base: versions.base, mine: versions.theirs, theirs: versions.mine)
      #expect(merge.text == mirror.text, "seed \(seed)")
      #expect(merge.regions.map(\.mine) == mirror.regions.map(\.theirs), "seed \(seed)")
    }
  }

  @Test func `the regions cover each version once, and say what is true`() {
    for seed in Self.seeds {
      let versions = Versions(seed: seed)
      let regions = TextMerge(base: versions.base, mine: versions.mine, theirs: versions.theirs).regions
      var (base, mine, theirs) = (0, 0, 0)
      for region in regions {
        #expect(region.base.lowerBound == base && region.mine.lowerBound == mine && region.theirs.lowerBound == theirs)
        (base, mine, theirs) = (region.base.upperBound, region.mine.upperBound, region.theirs.upperBound)
        let parts = (versions.base[region.base], versions.mine[region.mine], versions.theirs[region.theirs])
        switch region.kind {
        case .same: #expect(parts.0 == parts.1 && parts.1 == parts.2, "seed \(seed)")
        case .mine: #expect(parts.0 == parts.2 && parts.0 != parts.1, "seed \(seed)")
        case .theirs: #expect(parts.0 == parts.1 && parts.0 != parts.2, "seed \(seed)")
        case .both: #expect(parts.1 == parts.2 && parts.0 != parts.1, "seed \(seed)")
        case .joined(let both):
          func words(_ text: some Sequence<UInt8>) -> Set<ArraySlice<UInt8>> {
            Set(Array(text.map { $0 == 0x78 ? 0x20 : $0 }).split { $0 <= 0x20 })
          }
          #expect(words(both) == words(parts.1).union(words(parts.2)), "seed \(seed)")
        case .conflict: break
        }
      }
      #expect(base == versions.base.count && mine == versions.mine.count && theirs == versions.theirs.count)
    }
  }

  @Test func `partners are equal units in order, and the greedy search finds the most`() {
    var random = SeededNumbers(7)
    for _ in 0..<3000 {
      let left = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
      let right = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
      var diff = SequenceDiff(left, right)
      diff.matchGreedily(left.indices, right.indices)
      for partners in [diff.partners, SequenceDiff.partners(left, right), SequenceDiff.partnersFromTheEnd(left, right)]
      {
        let pairs = partners.enumerated().compactMap { place, partner in partner.map { (place, $0) } }
        #expect(pairs.allSatisfy { left[$0.0] == right[$0.1] })
        #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.1 < $1.1 })
      }
      #expect(diff.partners.filter { $0 != nil }.count == Self.longest(left, right))
    }
  }

  /// The length of a longest common subsequence, by the table.
  private static func longest(_ left: [Int], _ right: [Int]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for x in left.indices {
      for y in right.indices {
        table[x + 1][y + 1] = left[x] == right[y] ? table[x][y] + 1 : max(table[x][y + 1], table[x + 1][y])
      }
    }
    return table[left.count][right.count]
  }
}
