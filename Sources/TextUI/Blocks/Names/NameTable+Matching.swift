extension NameTable {
  /// The rows whose names match, in the order of `candidates`, or of the table without them.
  ///
  /// Pure; may run on any thread. `isCancelled` is asked every 8,192 names.
  /// - Returns: nil when it was cancelled.
  public func rows(
    matching query: NameQuery, among candidates: [Int32]? = nil, isCancelled: () -> Bool = { false }
  ) -> [Int32]? {
    guard !query.isEmpty else { return candidates ?? Array(0..<Int32(clamping: count)) }
    let searches = query.words.map(ByteSearch.init)
    let total = candidates?.count ?? count
    var rows: [Int32] = []
    var from = 0
    while from < total {
      guard !isCancelled() else { return nil }
      let to = min(total, from + 8192)
      folded.withUnsafeBufferPointer { folded in
        if let candidates {
          look(at: candidates[from..<to], for: searches, in: folded, &rows)
        } else {
          scan(from..<to, for: searches, in: folded, &rows)
        }
      }
      from = to
    }
    return rows
  }

  /// Searches for the first word through all names at once, for the others in the names that have it.
  private func scan(
    _ range: Range<Int>, for searches: [ByteSearch], in folded: UnsafeBufferPointer<UInt8>, _ rows: inout [Int32]
  ) {
    starts.withUnsafeBufferPointer { starts in
      let end = Int(starts[range.upperBound])
      var row = range.lowerBound
      var place = Int(starts[row])
      while let hit = searches[0].first(in: folded, from: place, to: end) {
        while Int(starts[row + 1]) <= hit { row += 1 }
        place = Int(starts[row + 1])
        // A word with a zero in it could reach into the next name.
        guard hit + searches[0].needle.count < place else {
          place = hit + 1
          continue
        }
        let start = Int(starts[row])
        let others = searches.dropFirst().allSatisfy { $0.first(in: folded, from: start, to: place - 1) != nil }
        if others { rows.append(Int32(row)) }
      }
    }
  }

  private func look(
    at candidates: ArraySlice<Int32>, for searches: [ByteSearch], in folded: UnsafeBufferPointer<UInt8>,
    _ rows: inout [Int32]
  ) {
    for row in candidates {
      let range = range(of: Int(row))
      if searches.allSatisfy({ $0.first(in: folded, from: range.lowerBound, to: range.upperBound) != nil }) {
        rows.append(row)
      }
    }
  }
}
