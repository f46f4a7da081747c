import FileStores
import Testing

/// An archive as it is read by its directory, each header and each byte looked at: a reader that forgives nothing.
struct Unzipped {
  /// The content of files by their names; nil of folders, whose names end in `/`.
  private(set) var entries: [String: [UInt8]?] = [:]
  /// The names in the order of the archive.
  private(set) var names: [String] = []
  /// When each was modified, in seconds since 1970.
  private(set) var times: [String: Int64] = [:]

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let end = bytes.count - 22
    try expect(number(4, end) == 0x0605_4B50, "The end is missing.")
    let (size, start) = (number(4, end + 12), number(4, end + 16))
    try expect(start + size == end, "The directory is not right before the end.")
    var place = start
    var next = 0
    while place < end { try readEntry(&place, &next) }
    try expect(next == start && place == end, "Something lies between entries.")
    try expect(names.count == number(2, end + 8) && names.count == number(2, end + 10), "The count is wrong.")
  }

  /// Reads an entry, whose line in the directory is at a place, and whose header must be at `next`.
  private mutating func readEntry(_ place: inout Int, _ next: inout Int) throws {
    try expect(number(4, place) == 0x0201_4B50 && number(4, place + 42) == next, "No entry at \(place).")
    let (nameLength, extraLength) = (number(2, place + 28), number(2, place + 30))
    let (checksum, packed, size) = (number(4, place + 16), number(4, place + 20), number(4, place + 24))
    let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
    let isLater = number(2, place + 8) & 8 != 0
    try expect(number(4, next) == 0x0403_4B50, "\(name): no header")
    // Version, flags, method and time; and the lengths.
    try expect(bytes[(next + 4)..<(next + 14)].elementsEqual(bytes[(place + 6)..<(place + 16)]), "\(name): two words")
    try expect(number(2, next + 26) == nameLength && number(2, next + 28) == extraLength, "\(name): two lengths")
    let names = nameLength + extraLength
    try expect(
      bytes[(next + 30)..<(next + 30 + names)].elementsEqual(bytes[(place + 46)..<(place + 46 + names)]),
      "\(name): two names")
    let facts = isLater ? [0, 0, 0] : [checksum, packed, size]
    try expect([14, 18, 22].map { number(4, next + $0) } == facts, "\(name): sizes in the header")
    let begin = next + 30 + names
    next = begin + packed
    let content = try content(begin..<next, isPacked: number(2, place + 10) == 8, name)
    if isLater {
      try expect(
        [0, 4, 8, 12].map { number(4, next + $0) } == [0x0807_4B50, checksum, packed, size], "\(name): descriptor")
      next += 16
    }
    try expect(content.count == size && Unzipped.checksum(content) == checksum, "\(name): content")
    try expect(entries[name] == nil, "\(name) is there twice.")
    entries[name] = name.hasSuffix("/") ? .some(nil) : content
    times[name] = Int64(number(4, place + 46 + nameLength + 5))
    self.names.append(name)
    place += 46 + names
  }

  private func content(_ range: Range<Int>, isPacked: Bool, _ name: String) throws -> [UInt8] {
    guard isPacked else { return Array(bytes[range]) }
    var content: [UInt8] = []
    var place = range.lowerBound
    while true {
      let count = number(2, place + 1)
      try expect(bytes[place] <= 1 && number(2, place + 3) == count ^ 0xFFFF, "\(name): no block at \(place)")
      content += bytes[(place + 5)..<(place + 5 + count)]
      place += 5 + count
      if bytes[place - 5 - count] == 1 { break }
    }
    try expect(place == range.upperBound, "\(name): something behind the last block")
    return content
  }

  private func number(_ count: Int, _ place: Int) -> Int {
    guard place >= 0, place + count <= bytes.count else { return -1 }
    return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private func expect(_ isSo: Bool, _ fault: String) throws {
    guard isSo else { throw StoreError(.badInput, "No sound archive: \(fault)") }
  }

  private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
  }

  /// CRC-32 as ISO 3309 has it.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    let table = table
    return Int(bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 } ^ .max)
  }
}

extension Reply {
  /// The body of an answer that came in chunks; nil when it broke off.
  var joinedChunks: [UInt8]? {
    var joined: [UInt8] = []
    var rest = body[...]
    while let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex,
      let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
    {
      rest = rest[(end + 2)...]
      if count == 0 { return rest.elementsEqual([13, 10]) ? joined : nil }
      guard rest.count > count + 2 else { return nil }
      joined += rest.prefix(count)
      rest = rest.dropFirst(count + 2)
    }
    return nil
  }
}
