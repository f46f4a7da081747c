internal import Basics
internal import Synchronization
internal import TextUI

/// The items that typed names mean, each looked for once: a page asks for its links in every frame, and the names of a
/// table never change.
final class AlikeNames: Sendable {
  private let items = Mutex<[String: Int?]>([:])

  func item(of name: String, _ find: () -> Int?) -> Int? {
    items.withLock { items in
      if let known = items[name] { return known }
      let found = find()
      items[name] = .some(found)
      return found
    }
  }
}

/// A hash index of the names in a table: open addressing over the table's own bytes, 8 to 16 bytes a name.
struct NameIndex: Sendable {
  /// Item + 1, or 0 for an empty slot. The size is a power of two, and at least half of the slots are empty.
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

  /// The first item with this name.
  func item(named name: ArraySlice<UInt8>, in names: NameTable) -> Int? {
    var slot = NameIndex.hash(name) & (slots.count - 1)
    while slots[slot] != 0 {
      let item = Int(slots[slot] - 1)
      if names[item].elementsEqual(name) { return item }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// FNV-1a, folded to a positive number. It does not resist crafted names, but a slow list would harm only the club's
  /// own members.
  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hash = FNV1a()
    hash.add(bytes)
    return Int(truncatingIfNeeded: (hash.value ^ hash.value >> 32) & 0x7FFF_FFFF)
  }
}
