/// Many names in little memory: their bytes one after the other, the same with letters folded to lower case where that
/// makes a difference, and where each begins. 100,000 names of 35 bytes take 4 MB, with upper case among them 7.6 MB.
public struct NameTable: Sendable {
  /// Each name is followed by a zero.
  var arena: [UInt8] = []
  /// The same places, folded, as soon as one name is not the same folded.
  private var lower: [UInt8] = []
  private var isLower = true
  /// `count` + 1 places.
  var starts: [Int32] = [0]

  /// An empty table.
  public init() {}

  /// A table of these names, in this order. All names together may have 2 GiB.
  public init(_ names: some Collection<some Collection<UInt8>>) {
    let bytes = names.reduce(0) { $0 + $1.count + 1 }
    reserve(bytes: bytes, names: names.count)
    for name in names { append(name) }
  }

  /// Adds a name behind the last.
  public mutating func append(_ name: some Collection<UInt8>) {
    append(Array(name)[...])
  }

  /// Adds a name behind the last. Not generic, so that other rooms' listings do not pay for generics.
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

  /// Adds a name of another table behind the last.
  mutating func append(_ row: Int, of other: NameTable) {
    let bytes = Int(other.starts[row])..<Int(other.starts[row + 1])
    arena += other.arena[bytes]
    if !isLower { lower += other.lower[bytes] }
    starts.append(Int32(clamping: arena.count))
  }

  /// An empty table with room for all names of another, to be filled from it.
  init(roomFor other: NameTable) {
    isLower = other.isLower
    reserve(bytes: other.arena.count, names: other.count)
  }

  private mutating func reserve(bytes: Int, names: Int) {
    arena.reserveCapacity(bytes)
    if !isLower { lower.reserveCapacity(bytes) }
    starts.reserveCapacity(names + 1)
  }

  /// The names with letters folded to lower case, at the same places.
  var folded: [UInt8] { isLower ? arena : lower }

  /// How many names there are.
  public var count: Int { starts.count - 1 }

  /// The bytes of a name.
  public subscript(row: Int) -> ArraySlice<UInt8> { arena[range(of: row)] }

  /// Where a name lies in the arenas, without its zero.
  @inline(__always)
  func range(of row: Int) -> Range<Int> { Int(starts[row])..<(Int(starts[row + 1]) - 1) }
}
