/// Three versions of a text, cut where all of them agree.
/// Equal units that occur more than once can be paired in several ways. Only pairs that are the same from both ends
/// count, so a change never lands at a place that the pairing guessed.
struct Alignment {
  /// A stretch of units: equal in all three versions, or changed by someone.
  struct Stretch {
    var base: Range<Int>
    var mine: Range<Int>
    var theirs: Range<Int>
    var isStable: Bool
  }

  private(set) var stretches: [Stretch] = []

  init(base: [Int], mine: [Int], theirs: [Int]) {
    let toMine = Self.certain(base, mine)
    let toTheirs = Self.certain(base, theirs)
    var (b, m, t) = (0, 0, 0)
    while b < base.count {
      let start = (b, m, t)
      while b < base.count, toMine[b] == m, toTheirs[b] == t { (b, m, t) = (b + 1, m + 1, t + 1) }
      add(start, (b, m, t), isStable: true)
      let next = (b..<base.count).first { toMine[$0] != nil && toTheirs[$0] != nil }
      guard let next, let mineEnd = toMine[next], let theirsEnd = toTheirs[next] else { break }
      add((b, m, t), (next, mineEnd, theirsEnd), isStable: false)
      (b, m, t) = (next, mineEnd, theirsEnd)
    }
    add((b, m, t), (base.count, mine.count, theirs.count), isStable: false)
  }

  private mutating func add(_ start: (Int, Int, Int), _ end: (Int, Int, Int), isStable: Bool) {
    guard start != end else { return }
    stretches.append(
      Stretch(base: start.0..<end.0, mine: start.1..<end.1, theirs: start.2..<end.2, isStable: isStable))
  }

  private static func certain(_ base: [Int], _ side: [Int]) -> [Int?] {
    zip(SequenceDiff.partners(base, side), SequenceDiff.partnersFromTheEnd(base, side)).map { $0 == $1 ? $0 : nil }
  }
}
