internal import POSIX

/// Many names in one array of bytes, with a folded copy if needed. 100,000 names of 35 bytes take 4 MB, or 7.6 MB if
/// any has upper case.
public struct NameTable: Sendable {
  /// Each name is followed by a zero byte.
  var arena: [UInt8] = []
  /// Filled once a name differs from its folded form.
  private var lower: [UInt8] = []
  private var isLower = true
  /// `count` + 1 offsets.
  var starts: [Int32] = [0]

  public init() {}

  /// All names together are limited to 2 GiB.
  public init(_ names: some Collection<some Collection<UInt8>>) {
    let bytes = names.reduce(0) { $0 + $1.count + 1 }
    reserve(bytes: bytes, names: names.count)
    for name in names { append(name) }
  }

  public mutating func append(_ name: some Collection<UInt8>) {
    append(Array(name)[...])
  }

  /// Not generic: callers in other modules avoid unspecialised generics.
  public mutating func append(_ name: ArraySlice<UInt8>) {
    if isLower, CaseFold.changes(name) {
      isLower = false
      lower.reserveCapacity(arena.capacity)
      lower += arena
    }
    arena.append(contentsOf: name)
    arena.append(0)
    if !isLower {
      CaseFold.append(name, to: &lower)
      lower.append(0)
    }
    starts.append(Int32(clamping: arena.count))
  }

  mutating func append(_ row: Int, of other: NameTable) {
    let bytes = Int(other.starts[row])..<Int(other.starts[row + 1])
    arena += other.arena[bytes]
    if !isLower { lower += other.lower[bytes] }
    starts.append(Int32(clamping: arena.count))
  }

  init(roomFor other: NameTable) {
    isLower = other.isLower
    reserve(bytes: other.arena.count, names: other.count)
  }

  private mutating func reserve(bytes: Int, names: Int) {
    arena.reserveCapacity(bytes)
    if !isLower { lower.reserveCapacity(bytes) }
    starts.reserveCapacity(names + 1)
  }

  /// At the offsets of `arena`.
  var folded: [UInt8] { isLower ? arena : lower }

  public var count: Int { starts.count - 1 }

  public subscript(row: Int) -> ArraySlice<UInt8> { arena[range(of: row)] }

  /// Without the zero byte.
  @inline(__always)
  func range(of row: Int) -> Range<Int> { Int(starts[row])..<(Int(starts[row + 1]) - 1) }
}

extension NameTable {
  /// Ignores case and compares runs of digits as numbers (`photo9` before `photo10`), the rest as bytes. Equal keys are
  /// ordered by bytes, then by row.
  public func sortedRows() -> [Int32] {
    let keys = SortKeys(self)
    var items = (0..<Int32(clamping: count)).map { SortKeys.Item(prefix: 0, row: $0) }
    items.withUnsafeMutableBufferPointer { items in
      keys.sort(items, depth: 0) { left, right in isBefore(Int(left.row), Int(right.row)) }
    }
    return items.map(\.row)
  }

  public func sorted() -> NameTable {
    var table = NameTable(roomFor: self)
    for row in sortedRows() { table.append(Int(row), of: self) }
    return table
  }

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
