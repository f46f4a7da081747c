/// Names spelled such that comparing bytes gives their order, and a sort that compares eight of those bytes at a time.
struct SortKeys {
  struct Item {
    var prefix: UInt64
    var row: Int32
  }

  private var bytes: [UInt8] = []
  private var starts: [Int32] = [0]

  init(_ table: NameTable) {
    bytes.reserveCapacity(table.folded.count + table.folded.count / 8)
    starts.reserveCapacity(table.count + 1)
    table.folded.withUnsafeBufferPointer { folded in
      for row in 0..<table.count {
        append(folded, table.range(of: row))
        starts.append(Int32(clamping: bytes.count))
      }
    }
  }

  /// A run of digits becomes a zero digit, how many digits there are, and the digits: longer numbers are greater.
  private mutating func append(_ folded: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = folded[index]
      guard byte &- 0x30 < 10 else {
        bytes.append(byte)
        index += 1
        continue
      }
      while index < range.upperBound, folded[index] == 0x30 { index += 1 }
      var end = index
      while end < range.upperBound, folded[end] &- 0x30 < 10 { end += 1 }
      bytes.append(0x30)
      bytes.append(UInt8(clamping: end - index + 1))
      while index < end {
        bytes.append(folded[index])
        index += 1
      }
    }
  }

  /// Sorts items whose keys are the same up to `depth`; `isBefore` decides about equal keys.
  func sort(_ items: UnsafeMutableBufferPointer<Item>, depth: Int, _ isBefore: (Item, Item) -> Bool) {
    var items = items
    for index in items.indices { items[index].prefix = prefix(of: items[index].row, at: depth) }
    items.sort { $0.prefix < $1.prefix }
    var start = 0
    while start < items.count {
      var end = start + 1
      while end < items.count, items[end].prefix == items[start].prefix { end += 1 }
      if end - start > 1 {
        var same = UnsafeMutableBufferPointer(rebasing: items[start..<end])
        // Long common beginnings are passed over at once.
        if let next = commonEnd(same, from: depth + 8) {
          sort(same, depth: next, isBefore)
        } else {
          same.sort(by: isBefore)
        }
      }
      start = end
    }
  }

  private func prefix(of row: Int32, at depth: Int) -> UInt64 {
    let end = Int(starts[Int(row) + 1])
    let start = Int(starts[Int(row)]) + depth
    return bytes.withUnsafeBytes { bytes in
      if start + 8 <= end { return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
      var prefix: UInt64 = 0
      for index in start..<(start + 8) { prefix = prefix << 8 | (index < end ? UInt64(bytes[index]) : 0) }
      return prefix
    }
  }

  /// The first depth at which keys differ; nil when they are all the same.
  private func commonEnd(_ items: UnsafeMutableBufferPointer<Item>, from depth: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      let first = key(items[0].row, from: depth)
      var common = first.count
      var longest = first.count
      for item in items.dropFirst() {
        let other = key(item.row, from: depth)
        longest = max(longest, other.count)
        let limit = min(common, other.count)
        var length = 0
        while length < limit, bytes[first.lowerBound + length] == bytes[other.lowerBound + length] { length += 1 }
        common = length
      }
      return common == longest ? nil : depth + common
    }
  }

  private func key(_ row: Int32, from depth: Int) -> Range<Int> {
    let end = Int(starts[Int(row) + 1])
    return min(end, Int(starts[Int(row)]) + depth)..<end
  }
}
