internal import Glibc

extension NameTable {
  /// All rows sorted by name: upper and lower case are the same, runs of digits compare as numbers (`photo9` before
  /// `photo10`), all else as bytes. Names that are the same in this are sorted by their bytes, then by their rows.
  public func sortedRows() -> [Int32] {
    let keys = SortKeys(self)
    var items = (0..<Int32(clamping: count)).map { SortKeys.Item(prefix: 0, row: $0) }
    items.withUnsafeMutableBufferPointer { items in
      keys.sort(items, depth: 0) { left, right in isBefore(Int(left.row), Int(right.row)) }
    }
    return items.map(\.row)
  }

  /// The same names in the order of `sortedRows`.
  public func sorted() -> NameTable {
    var table = NameTable(roomFor: self)
    for row in sortedRows() { table.append(Int(row), of: self) }
    return table
  }

  /// For names whose sort keys are the same.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    for bytes in [folded, arena] {
      let first = range(of: left)
      let second = range(of: right)
      let order = bytes.withUnsafeBytes { bytes -> Int32 in
        guard let base = bytes.baseAddress else { return 0 }
        return memcmp(base + first.lowerBound, base + second.lowerBound, min(first.count, second.count))
      }
      if order != 0 { return order < 0 }
      if first.count != second.count { return first.count < second.count }
    }
    return left < right
  }
}
