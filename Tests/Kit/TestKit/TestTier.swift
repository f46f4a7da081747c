import Foundation

/// The part of the combinations (of checks, configurations and seeds) that runs. The variable `TEST_TIER` says it:
/// unset for the first tier, `1`, `2` or `3` for that share of the second beside the first, `all` for both.
///
/// The checks of a configuration are dealt into four shares. The first tier has one of them, so that each check runs in
/// a quarter of the configurations; the three others are the second tier.
public enum TestTier: Sendable, Equatable {
  case first
  case share(Int)
  case all

  /// The tier of this process.
  public static let process = TestTier(ProcessInfo.processInfo.environment["TEST_TIER"] ?? "")

  init(_ word: String) {
    self = word == "all" ? .all : Int(word).map { .share(1 + ($0 - 1) % 3) } ?? .first
  }

  /// The elements that run. The first tier's share begins with the element `offset`.
  public func part<Element>(of elements: [Element], offset: Int) -> [Element] {
    elements.indices.filter { runs(($0 + offset) % 4) }.map { elements[$0] }
  }

  /// The seeds that run: the first, beside it a third of the others, or all.
  public func seeds(_ all: [UInt64]) -> [UInt64] {
    switch self {
    case .first: Array(all.prefix(1))
    case .share(let share): all.indices.filter { $0 == 0 || ($0 - 1) % 3 == share - 1 }.map { all[$0] }
    case .all: all
    }
  }

  /// The seeds that run of a range: the lowest `first`, as many others that depend on the share, or all.
  public func seeds(_ range: Range<UInt64>, first: Int) -> [UInt64] {
    let all = Array(range)
    switch self {
    case .first: return Array(all.prefix(first))
    case .share(let share): return all.indices.filter { $0 / first == 0 || $0 / first == share }.map { all[$0] }
    case .all: return all
    }
  }

  /// The number of rounds of a random run: ten times as many when everything runs.
  public func rounds(_ few: Int) -> Int { self == .all ? few * 10 : few }

  /// The elements that run, each with its seeds: the first tier's with the first seed; beside them a share's own elements
  /// with its own seeds, or all with all.
  public func pairs<Element>(of elements: [Element], seeds: [UInt64], offset: Int) -> [(Element, UInt64)] {
    if self == .all { return elements.flatMap { element in seeds.map { (element, $0) } } }
    let first = TestTier.first.part(of: elements, offset: offset).map { ($0, seeds[0]) }
    guard case .share(let share) = self else { return first }
    let others = self.seeds(seeds).dropFirst()
    return first
      + elements.indices.filter { ($0 + offset) % 4 == share }.flatMap { index in
        (others.isEmpty ? seeds.prefix(1) : others).map { (elements[index], $0) }
      }
  }

  private func runs(_ place: Int) -> Bool {
    switch self {
    case .first: place == 0
    case .share(let share): place == 0 || place == share
    case .all: true
    }
  }
}

extension StoreChecks {
  /// The checks that run in this tier for one of many configurations. Other offsets give other checks.
  public static func share(_ offset: Int) -> [StoreCheck] { TestTier.process.part(of: all, offset: offset) }

  /// As `share`, each check with its seeds.
  public static func share(_ offset: Int, seeds: [UInt64]) -> [(StoreCheck, UInt64)] {
    TestTier.process.pairs(of: all, seeds: seeds, offset: offset)
  }
}
