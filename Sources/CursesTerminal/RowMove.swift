/// Rows that are shown at another place than before, such as those of a list that was scrolled.
struct RowMove: Equatable {
  /// Fewer rows are written as quickly.
  private static let fewest = 4

  /// The rows among which they moved. What was at one end is not shown any more, and at the other end there is nothing.
  let rows: Range<Int>
  /// How far they moved up; negative is down.
  let distance: Int

  /// Compares the drawings of all rows, which have numbers (`Grid.drawn`). Nil when not enough of them moved.
  init?(from old: ContiguousArray<UInt64>, to new: ContiguousArray<UInt64>) {
    guard old.count == new.count,
      let (first, distance) = new.indices.lazy.compactMap({ row -> (Int, Int)? in
        guard new[row] != 0, new[row] != old[row] else { return nil }
        return old.firstIndex(of: new[row]).map { (row, $0 - row) }
      }).first
    else { return nil }
    var (last, count) = (first, 0)
    for row in first..<new.count where old.indices.contains(row + distance) && old[row + distance] == new[row] {
      last = row
      count += 1
    }
    guard count >= Self.fewest else { return nil }
    rows = min(first, first + distance)..<(max(last, last + distance) + 1)
    self.distance = distance
  }

  /// Moves numbers as the rows moved; 0 where nothing is now.
  func apply(to drawn: inout ContiguousArray<UInt64>) {
    let old = drawn
    for row in rows { drawn[row] = rows.contains(row + distance) ? old[row + distance] : 0 }
  }
}
