/// Ranks names while words are typed. A query that grows looks only at earlier matches.
public struct NameFinder: Sendable {
  /// Folded names for items where the table's own folding is not enough.
  public typealias Spellings = (items: [Int32], names: NameTable)

  public private(set) var query = FuzzyQuery([])
  /// Rows in the order of the table, and their ranks; nil if all match.
  private var matches: (rows: [Int32], ranks: [UInt16])?

  public init() {}

  public var rows: [Int32]? { matches?.rows }

  /// The table and the spellings must be those of the last call; `spellings` has its items in ascending order.
  public mutating func change(to folded: some Collection<UInt8>, in names: NameTable, spellings: Spellings) {
    let query = FuzzyQuery(folded)
    let candidates = query.narrows(self.query) ? rows : nil
    self.query = query
    matches = query.isEmpty ? nil : NameFinder.find(query, candidates, names, spellings)
  }

  /// The best first, equal ones in the order of the table; nil if all match.
  public var best: [Int32]? {
    guard let matches else { return nil }
    // A counting sort orders a hundred thousand ranks in a fraction of a millisecond.
    var ends = [Int](repeating: 0, count: 1 << 16)
    for rank in matches.ranks { ends[Int(rank)] += 1 }
    var sum = 0
    for rank in ends.indices where ends[rank] > 0 {
      sum += ends[rank]
      ends[rank] = sum
    }
    var best = [Int32](repeating: 0, count: matches.rows.count)
    for index in matches.rows.indices.reversed() {
      let rank = Int(matches.ranks[index])
      ends[rank] -= 1
      best[ends[rank]] = matches.rows[index]
    }
    return best
  }

  private static func find(
    _ query: FuzzyQuery, _ candidates: [Int32]?, _ names: NameTable, _ spellings: Spellings
  ) -> (rows: [Int32], ranks: [UInt16]) {
    var (rows, ranks): ([Int32], [UInt16]) = ([], [])
    var other = 0
    names.folded.withUnsafeBufferPointer { plain in
      spellings.names.folded.withUnsafeBufferPointer { spelled in
        for index in 0..<(candidates?.count ?? names.count) {
          let row = candidates.map { $0[index] } ?? Int32(index)
          while other < spellings.items.count, spellings.items[other] < row { other += 1 }
          let isSpelled = other < spellings.items.count && spellings.items[other] == row
          let name =
            isSpelled
            ? UnsafeBufferPointer(rebasing: spelled[spellings.names.range(of: other)])
            : UnsafeBufferPointer(rebasing: plain[names.range(of: Int(row))])
          guard let rank = query.rank(name) else { continue }
          rows.append(row)
          ranks.append(rank)
        }
      }
    }
    return (rows, ranks)
  }
}
