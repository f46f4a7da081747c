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

  @Test(arguments: [("", TestTier.first), ("all", .all), ("2", .share(2)), ("nonsense", .first)])
  func `the variable names a tier`(word: String, tier: TestTier) { #expect(TestTier(word) == tier) }
}
