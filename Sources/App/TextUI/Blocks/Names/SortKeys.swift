/// Keys in the byte order of the names, and a sort that compares eight key bytes at a time.
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
        SortKeys.append(folded, table.range(of: row), to: &bytes)
        starts.append(Int32(clamping: bytes.count))
      }
    }
  }

  /// The key of one name.
  static func key(of name: ArraySlice<UInt8>) -> [UInt8] {
    var (folded, key): ([UInt8], [UInt8]) = ([], [])
    CaseFold.append(name, to: &folded)
    folded.withUnsafeBufferPointer { append($0, 0..<$0.count, to: &key) }
    return key
  }

  /// A run of digits becomes a zero digit, its significant digits plus one, and these: longer is greater.
  private static func append(_ folded: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
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

  /// The keys agree up to `depth`; `isBefore` orders equal keys.
  func sort(_ items: UnsafeMutableBufferPointer<Item>, depth: Int, _ isBefore: (Item, Item) -> Bool) {
    for index in items.indices { items[index].prefix = prefix(of: items[index].row, at: depth) }
    SortKeys.sortByPrefix(items)
    var start = 0
    while start < items.count {
      var end = start + 1
      while end < items.count, items[end].prefix == items[start].prefix { end += 1 }
      if end - start > 1 {
        var same = UnsafeMutableBufferPointer(rebasing: items[start..<end])
        if let next = commonEnd(same, from: depth + 8) {
          sort(same, depth: next, isBefore)
        } else {
          same.sort(by: isBefore)
        }
      }
      start = end
    }
  }

  /// Up to this many items, a comparison sort is as fast.
  private static let fewItems = 256

  /// An LSD radix sort. It skips bytes that are equal in all items, which in a folder leaves two or three of the eight.
  private static func sortByPrefix(_ items: UnsafeMutableBufferPointer<Item>) {
    var items = items
    guard items.count > fewItems else { return items.sort { $0.prefix < $1.prefix } }
    var counts = Array(repeating: Int32(0), count: 8 * 256)
    for item in items { for byte in 0..<8 { counts[slot(of: item, byte)] += 1 } }
    let spare = UnsafeMutableBufferPointer<Item>.allocate(capacity: items.count)
    defer { spare.deallocate() }
    var (from, into) = (items, spare)
    for byte in 0..<8 where counts[slot(of: items[0], byte)] < items.count {
      var next: Int32 = 0
      for place in (byte * 256)..<(byte * 256 + 256) {
        let count = counts[place]
        counts[place] = next
        next += count
      }
      for item in from {
        let place = slot(of: item, byte)
        into.initializeElement(at: Int(counts[place]), to: item)
        counts[place] += 1
      }
      swap(&from, &into)
    }
    if from.baseAddress != items.baseAddress { _ = items.update(fromContentsOf: from) }
  }

  /// Byte 0 is the least significant.
  @inline(__always)
  private static func slot(of item: Item, _ byte: Int) -> Int {
    byte << 8 | Int(truncatingIfNeeded: item.prefix >> UInt64(byte * 8)) & 0xFF
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

  /// nil if all keys are equal.
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
