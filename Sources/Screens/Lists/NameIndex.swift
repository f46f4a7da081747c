internal import TextUI

/// Finds a name's place in a table: open addressing over the table's own bytes, 8 to 16 bytes a name.
struct NameIndex: Sendable {
  /// Item + 1, or 0 for an empty place; a power of two of them, at least half empty.
  private var slots: [UInt32]

  init(_ names: NameTable) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for item in 0..<names.count {
      var slot = NameIndex.hash(names[item]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(item + 1)
    }
  }

  /// The first item of this name.
  func item(named name: ArraySlice<UInt8>, in names: NameTable) -> Int? {
    var slot = NameIndex.hash(name) & (slots.count - 1)
    while slots[slot] != 0 {
      let item = Int(slots[slot] - 1)
      if names[item].elementsEqual(name) { return item }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// FNV-1a, folded to a positive number. Names are not chosen against it: a club's members gain nothing from a slow list.
  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
