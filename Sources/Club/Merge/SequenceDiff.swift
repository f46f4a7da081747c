/// The common elements of two sequences: patience diff between elements that are unique on both sides, and Myers' greedy
/// algorithm where there are none.
/// Sources: B. Cohen, "Patience Diff Advantages" (2010); E. Myers, "An O(ND) Difference Algorithm and Its Variations"
/// (1986).
public struct SequenceDiff {
  private let left: [Int]
  private let right: [Int]
  private(set) var partners: [Int?]

  /// Myers' algorithm gives up above this many differences, because its time and memory grow with their square. The
  /// stretch then has nothing in common.
  private static let mostDifferences = 1000

  init(_ left: [Int], _ right: [Int]) {
    (self.left, self.right, partners) = (left, right, Array(repeating: nil, count: left.count))
  }

  /// For each place on the left its partner on the right; nil for an element without one. Partners increase.
  public static func partners(_ left: [Int], _ right: [Int]) -> [Int?] {
    var diff = SequenceDiff(left, right)
    diff.match(0..<left.count, 0..<right.count)
    return diff.partners
  }

  /// Like `partners`, with every choice between equal elements made from the other end.
  static func partnersFromTheEnd(_ left: [Int], _ right: [Int]) -> [Int?] {
    partners(left.reversed(), right.reversed()).reversed().map { $0.map { right.count - 1 - $0 } }
  }

  private mutating func match(_ lefts: Range<Int>, _ rights: Range<Int>) {
    var (low, high, start, end) = (lefts.lowerBound, lefts.upperBound, rights.lowerBound, rights.upperBound)
    while low < high, start < end, left[low] == right[start] {
      partners[low] = start
      low += 1
      start += 1
    }
    while low < high, start < end, left[high - 1] == right[end - 1] {
      high -= 1
      end -= 1
      partners[high] = end
    }
    guard low < high, start < end else { return }
    let anchors = anchors(low..<high, start..<end)
    guard !anchors.isEmpty else { return matchGreedily(low..<high, start..<end) }
    for anchor in anchors {
      match(low..<anchor.left, start..<anchor.right)
      partners[anchor.left] = anchor.right
      (low, start) = (anchor.left + 1, anchor.right + 1)
    }
    match(low..<high, start..<end)
  }

  /// The longest increasing series of elements that occur once on each side.
  private func anchors(_ lefts: Range<Int>, _ rights: Range<Int>) -> [(left: Int, right: Int)] {
    var places: [Int: Int] = [:]
    for place in rights { places[right[place]] = places[right[place]] == nil ? place : -1 }
    var counts: [Int: Int] = [:]
    for place in lefts { counts[left[place], default: 0] += 1 }
    // The last pair of the best series of each length, and for each pair the one before it.
    var pairs: [(left: Int, right: Int, before: Int?)] = []
    var tails: [Int] = []
    for place in lefts where counts[left[place]] == 1 {
      guard let partner = places[left[place]], partner >= 0 else { continue }
      let length = tails.partitioningIndex { pairs[$0].right >= partner }
      pairs.append((place, partner, length > 0 ? tails[length - 1] : nil))
      if length < tails.count { tails[length] = pairs.count - 1 } else { tails.append(pairs.count - 1) }
    }
    var series: [(left: Int, right: Int)] = []
    var next = tails.last
    while let index = next {
      series.append((pairs[index].left, pairs[index].right))
      next = pairs[index].before
    }
    return series.reversed()
  }

  /// Finds a longest common subsequence.
  mutating func matchGreedily(_ lefts: Range<Int>, _ rights: Range<Int>) {
    let (width, height) = (lefts.count, rights.count)
    let most = min(width + height, Self.mostDifferences)
    // The furthest column on each diagonal, kept for each number of differences.
    var furthest = [Int](repeating: 0, count: 2 * most + 3)
    var trace: [[Int]] = []
    for differences in 0...most {
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        let goesDown =
          diagonal == -differences
          || diagonal != differences && furthest[most + diagonal] < furthest[most + diagonal + 2]
        var x = goesDown ? furthest[most + diagonal + 2] : furthest[most + diagonal] + 1
        var y = x - diagonal
        while x < width, y < height, y >= 0, left[lefts.lowerBound + x] == right[rights.lowerBound + y] {
          x += 1
          y += 1
        }
        furthest[most + 1 + diagonal] = x
        guard x >= width, y >= height else { continue }
        trace.append(Array(furthest[(most - differences)...(most + 2 + differences)]))
        return follow(trace, lefts, rights)
      }
      trace.append(Array(furthest[(most - differences)...(most + 2 + differences)]))
    }
  }

  /// Goes back from the end along the furthest places. `trace[d]` has the diagonals from -d - 1 to d + 1.
  private mutating func follow(_ trace: [[Int]], _ lefts: Range<Int>, _ rights: Range<Int>) {
    var (x, y) = (lefts.count, rights.count)
    for differences in stride(from: trace.count - 1, to: 0, by: -1) {
      let before = trace[differences - 1]
      func reached(_ diagonal: Int) -> Int { before[diagonal + differences] }
      let diagonal = x - y
      let goesDown =
        diagonal == -differences || diagonal != differences && reached(diagonal - 1) < reached(diagonal + 1)
      let start = goesDown ? reached(diagonal + 1) : reached(diagonal - 1) + 1
      while x > start {
        x -= 1
        y -= 1
        partners[lefts.lowerBound + x] = rights.lowerBound + y
      }
      if goesDown { y -= 1 } else { x -= 1 }
    }
    while x > 0, y > 0 {
      x -= 1
      y -= 1
      partners[lefts.lowerBound + x] = rights.lowerBound + y
    }
  }
}

extension Array {
  /// The first index at which `isBehind` is true; true must stay true.
  fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
