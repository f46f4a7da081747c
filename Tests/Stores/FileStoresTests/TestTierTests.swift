import Testing

@testable import TestKit

/// The tests' own dealing of combinations.
@Suite struct TestTierTests {
  private static let tiers: [TestTier] = [.first, .share(1), .share(2), .share(3)]

  @Test func `the shares together are all, and each has what the first tier has`() {
    let all = Array(0..<133)
    for offset in 0..<4 {
      let parts = Self.tiers.map { Set($0.part(of: all, offset: offset)) }
      #expect(parts.reduce([]) { $0.union($1) } == Set(all))
      #expect(parts.allSatisfy { $0.isSuperset(of: parts[0]) && $0.count <= 67 } && parts[0].count <= 34)
    }
    #expect(TestTier.all.part(of: all, offset: 2) == all)
  }

  @Test func `four configurations have each element in the first tier once`() {
    let all = Array(0..<133)
    #expect((0..<4).flatMap { TestTier.first.part(of: all, offset: $0) }.sorted() == all)
  }

  @Test func `seeds of the shares together are all`() {
    #expect(Set(Self.tiers.flatMap { $0.seeds(0..<100, first: 25) }) == Set(0..<100))
    #expect(Set(Self.tiers.flatMap { $0.seeds([1, 2, 3, 4, 5]) }) == [1, 2, 3, 4, 5])
    #expect(TestTier.first.seeds([1, 2]) == [1] && TestTier.all.seeds([1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5])
  }

  @Test func `elements with seeds: the shares have each element and each seed, and every run the first tier's pairs`() {
    let (all, seeds) = (Array(0..<133), [UInt64](1...4))
    let parts = Self.tiers.map { tier in tier.pairs(of: all, seeds: seeds, offset: 3).map { "\($0) \($1)" } }
    #expect(parts.allSatisfy { Set($0).isSuperset(of: parts[0]) && Set($0).count == $0.count && $0.count <= 68 })
    #expect(parts[0].count <= 34)
    let words = Set(parts.joined()).map { $0.split(separator: " ") }
    #expect(Set(words.map { $0[0] }).count == 133 && Set(words.map { $0[1] }).count == 4)
    #expect(TestTier.all.pairs(of: all, seeds: seeds, offset: 3).count == 4 * 133)
    #expect(TestTier.share(2).pairs(of: all, seeds: [1, 2], offset: 0).allSatisfy { $0.1 == 1 })
  }

  @Test(arguments: [("", TestTier.first), ("all", .all), ("2", .share(2)), ("nonsense", .first)])
  func `the variable names a tier`(word: String, tier: TestTier) { #expect(TestTier(word) == tier) }
}
