/// `[ ]` or `[x]`. A tick is a fact, not a wording: if either member ticked a box, it is ticked.
enum TickBox {
  static let empty = Array("[ ]".utf8)

  static func isBox(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 3 && bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
      && [UInt8(ascii: " "), UInt8(ascii: "x"), UInt8(ascii: "X")].contains(bytes[bytes.startIndex + 1])
  }

  /// The text with the ticks of both; nil for texts that differ in more than their ticks.
  static func ticked(_ mine: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>) -> [UInt8]? {
    guard mine.count == theirs.count else { return nil }
    var both = Array(mine)
    for (place, (left, right)) in zip(mine.indices, theirs.indices).enumerated() where mine[left] != theirs[right] {
      guard place > 0, place + 1 < mine.count, isBox(mine[(left - 1)...(left + 1)]),
        isBox(theirs[(right - 1)...(right + 1)])
      else { return nil }
      // The same tick whichever side has the capital one.
      both[place] = UInt8(ascii: "x")
    }
    return both
  }
}

/// Items that both members added at the same place of a list.
enum ListMerge {
  /// All items in an order that does not depend on the side; an item of both comes once. nil unless each line begins an
  /// item at the same depth.
  static func joined(_ mine: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>) -> [UInt8]? {
    guard mine.last == 0x0A, theirs.last == 0x0A else { return nil }
    let blocks = [mine, theirs].map { $0.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() }
      .sorted { $0.lexicographicallyPrecedes($1) { $0.lexicographicallyPrecedes($1) } }
    let depths = Set(blocks.joined().map(depth))
    guard depths.count == 1, !depths.contains(nil) else { return nil }
    var items = blocks[0].map { Array($0) }
    var left = Array(items.indices)
    for item in blocks[1] {
      if let place = left.firstIndex(where: { TickBox.ticked(items[$0][...], item) != nil }) {
        items[left[place]] = TickBox.ticked(items[left[place]][...], item) ?? Array(item)
        left.remove(at: place)
      } else {
        items.append(Array(item))
      }
    }
    return items.flatMap { $0 + [0x0A] }
  }

  /// The columns before the mark of an item (`-`, `*`, `+`, `1.`, `1)`); nil for any other line.
  private static func depth(_ line: ArraySlice<UInt8>) -> Int? {
    let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    let depth = line.count - rest.count
    guard let mark = rest.first else { return nil }
    if mark == UInt8(ascii: "-") || mark == UInt8(ascii: "*") || mark == UInt8(ascii: "+") {
      return rest.dropFirst().first == 0x20 ? depth : nil
    }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let after = rest.dropFirst(digits.count)
    guard (1...9).contains(digits.count), after.dropFirst().first == 0x20 else { return nil }
    return after.first == UInt8(ascii: ".") || after.first == UInt8(ascii: ")") ? depth : nil
  }
}
